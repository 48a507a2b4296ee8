import type { ChartPlan } from "../choose/plan.ts";
import { type Column, distinct, type NumberColumn } from "../table/columns.ts";
import { type Language, shortText, WORDS } from "../series/words.ts";
import { CENTRED, timeLabels } from "./cartesian.ts";
import { frame, grid, type Option, valueLabels, withUnit } from "./frame.ts";

const MOST_DOTS = 4000;
const MOST_GROUPS = 12;
/** Dots that have room for a name, and for a size. */
const MOST_NAMED = 40;
const MOST_SIZED = 300;
const LONGEST_NAME = 24;
const RADIUS = { least: 6, most: 40 };

interface Drawn {
  title: string;
  plan: ChartPlan;
  language: Language;
  /** Dots that are drawn also if there are too many, as `x,y`. */
  kept: ReadonlySet<string>;
  note(text: string): void;
}

interface Dot {
  at: [number, number];
  name: string | null;
  size: number | null;
}

/** Dots of the first two numbers, in the colours of names or with their names; a third number is their size. */
export function scatterOption({ title, plan: { x, y, color: wished }, language, kept, note }: Drawn): Option {
  const color = wished ?? (x?.kind === "text" ? x : null);
  const across = x?.kind === "number" || x?.kind === "time" ? x : y[0]!;
  const [up = y[0]!, third, ...others] = y.filter((column) => column !== across);
  const total = across.values.length;
  const size = third !== undefined && total <= MOST_SIZED ? third : null;
  noteUndrawn([...(third !== undefined && size === null ? [third] : []), ...others], note);
  const named = color && color !== across ? color : null;
  const dots = dotsOf({ across, up, named, size });
  const isGrouped = named !== null && distinct(named) <= MOST_GROUPS;
  const groups = Map.groupBy(dots, ({ name }) => isGrouped ? name ?? "" : up.name);
  const step = Math.ceil(total / MOST_DOTS);
  if (step > 1) note(`Every ${step}th of ${total} dots is drawn`);
  const legend = groups.size > 1;
  const label = named !== null && !isGrouped && total <= MOST_NAMED;
  const radius = radiusOf(size);
  const written = (dot: Dot) =>
    label || size !== null
      ? {
        name: shortText(dot.name ?? "", LONGEST_NAME),
        value: dot.at,
        ...(size === null ? {} : { symbolSize: radius(dot.size) }),
      }
      : dot.at;
  return {
    ...frame(title, { legend }),
    grid: grid(title, legend ? [...groups.keys()] : []),
    ...axesOf({ across, up, size, language }),
    series: [...groups].map(([name, points]) => ({
      name,
      type: "scatter",
      symbolSize: total > 500 ? 4 : 9,
      itemStyle: { opacity: total > 500 ? 0.5 : size === null ? 0.8 : 0.65 },
      ...(label
        ? {
          label: {
            show: true,
            position: "top",
            formatter: "{b}",
            fontSize: 11,
            color: "#333",
            textBorderColor: "#fff",
            textBorderWidth: 2,
          },
          labelLayout: { hideOverlap: true },
        }
        : {}),
      data: points.filter(({ at }, place) => place % step === 0 || kept.has(at.join())).map(written),
    })),
  };
}

interface Columns {
  across: Column;
  up: NumberColumn;
  named: Column | null;
  size: NumberColumn | null;
}

function dotsOf({ across, up, named, size }: Columns): Dot[] {
  return across.values.flatMap((left, row): Dot[] => {
    const height = up.values[row];
    if (typeof left !== "number" || height === null || height === undefined) return [];
    const name = named?.values[row] ?? null;
    return [{
      at: [left, height],
      name: name === null ? null : String(name),
      size: size?.values[row] ?? null,
    }];
  });
}

function axesOf(
  { across, up, size, language }: Omit<Columns, "named"> & { language: Language },
): Record<string, unknown> {
  const places = across.values.map((value) => typeof value === "number" ? value : null);
  return {
    xAxis: {
      type: across.kind === "time" ? "time" : "value",
      name: withUnit(across.name, across.kind === "number" ? across.unit : null),
      ...CENTRED,
      nameGap: 28,
      scale: true,
      axisLine: { onZero: false },
      ...(across.kind === "time" ? timeLabels(places) : valueLabels(places)),
    },
    yAxis: {
      type: "value",
      name: withUnit(up.name, up.unit) + sizeText(size, language),
      ...(size === null ? {} : { nameTextStyle: { align: "left" } }),
      scale: true,
      axisLine: { onZero: false },
      ...valueLabels(up.values),
    },
  };
}

function noteUndrawn(columns: readonly NumberColumn[], note: (text: string) => void): void {
  if (columns.length === 0) return;
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  note(`Not drawn: ${names}. Dots have two directions and, up to ${MOST_SIZED} of them, a size`);
}

/** The area of a dot tells the number. */
function radiusOf(size: NumberColumn | null): (value: number | null) => number {
  const most = Math.max(0, ...(size?.values ?? []).map((value) => Math.abs(value ?? 0)));
  return (value) =>
    most === 0
      ? RADIUS.least
      : Math.max(RADIUS.least, Math.round(RADIUS.most * Math.sqrt(Math.abs(value ?? 0) / most)));
}

function sizeText(size: NumberColumn | null, language: Language): string {
  return size === null ? "" : `  ·  ${WORDS[language].size}: ${withUnit(size.name, size.unit)}`;
}
