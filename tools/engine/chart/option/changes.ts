import { ToolError } from "../../../../schemas/error.ts";
import { frame, grid, nameLabels, type Option, valueLabels, withUnit } from "./frame.ts";
import type { SeriesData } from "../series/series.ts";
import { type Language, WORDS } from "../series/words.ts";

const UP = "#35a773";
const DOWN = "#d9534f";
const UNSEEN = { color: "transparent", borderColor: "transparent" };

interface Drawn {
  title: string;
  data: SeriesData;
  language: Language;
}

/** Bars that begin where the one before ends, and their sum. */
export function waterfallOption({ title, data, language }: Drawn): Option {
  const words = WORDS[language];
  const [first] = data.series;
  const values = (first?.points ?? []).map(([, value]) => value ?? 0);
  const ends = values.map((_, at) => round(values.slice(0, at + 1).reduce((sum, value) => sum + value, 0)));
  const total = ends.at(-1) ?? 0;
  const names = [...data.labels, words.total];
  const low = (at: number) => Math.min(ends[at]!, at === 0 ? 0 : ends[at - 1]!);
  const up = values.map((value) => drawn(value > 0 ? value : 0));
  const down = values.map((value) => drawn(value < 0 ? -value : 0));
  const bar = { type: "bar", stack: "all", stackStrategy: "all", barMaxWidth: 64 };
  return {
    ...frame(title, { legend: true }),
    legend: { bottom: 8, left: "center", data: [words.increase, words.decrease, words.total] },
    grid: grid(title, [words.total]),
    xAxis: { type: "category", data: names, axisLabel: nameLabels(names) },
    yAxis: { type: "value", name: withUnit(first?.name ?? "", first?.unit ?? null), ...valueLabels(ends) },
    series: [
      {
        ...bar,
        name: "",
        itemStyle: UNSEEN,
        silent: true,
        tooltip: { show: false },
        data: [...values.map((_, at) => low(at)), 0],
      },
      {
        ...bar,
        name: words.increase,
        itemStyle: { color: UP },
        label: { show: true, position: "inside" },
        data: [...up, drawn(0)],
      },
      {
        ...bar,
        name: words.decrease,
        itemStyle: { color: DOWN },
        label: { show: true, position: "inside", formatter: "-{c}" },
        data: [...down, drawn(0)],
      },
      {
        ...bar,
        name: words.total,
        label: { show: true, position: "inside" },
        data: [...values.map(() => drawn(0)), total],
      },
    ],
  };
}

/** Bars from one number to another. */
export function rangeOption({ title, data }: Drawn): Option {
  const [one, other] = data.series;
  if (one === undefined || other === undefined) {
    throw new ToolError("invalid_input", "A range needs two columns of numbers: its start and its end");
  }
  const ends = data.labels.map((_, at) => [one.points[at]?.[1] ?? null, other.points[at]?.[1] ?? null]);
  const known = ends.map(([from, to]) =>
    typeof from === "number" && typeof to === "number" ? [from, to] as const : null
  );
  const bar = { type: "bar", stack: "all", stackStrategy: "all", barMaxWidth: 48 };
  return {
    ...frame(title, { legend: false }),
    grid: grid(title, []),
    xAxis: { type: "category", data: data.labels, axisLabel: nameLabels(data.labels) },
    yAxis: {
      type: "value",
      name: withUnit(`${one.name} – ${other.name}`, one.unit),
      ...valueLabels(ends.flat()),
    },
    series: [
      {
        ...bar,
        name: one.name,
        itemStyle: UNSEEN,
        silent: true,
        data: known.map((ends) => ends ? Math.min(...ends) : "-"),
      },
      {
        ...bar,
        name: `${one.name} – ${other.name}`,
        itemStyle: { borderRadius: 6 },
        data: known.map((ends) =>
          ends === null ? "-" : {
            value: round(Math.abs(ends[1] - ends[0])),
            label: { show: data.labels.length <= 16, position: "top", formatter: `${ends[0]} – ${ends[1]}` },
          }
        ),
      },
    ],
  };
}

/** A bar without a height has no label either. */
function drawn(value: number): Record<string, unknown> {
  return value === 0 ? { value, label: { show: false } } : { value };
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}
