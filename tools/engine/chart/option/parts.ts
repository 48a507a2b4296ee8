import { ToolError } from "../../../../schemas/error.ts";
import type { ChartPlan } from "../choose/plan.ts";
import { frame, type Option, withUnit } from "./frame.ts";
import type { SeriesData } from "../series/series.ts";
import { type Language, measured, shortNumber, WORDS } from "../series/words.ts";

const MOST_SLICES = 12;
const MOST_DIALS = 4;
/** A row that sums the others up. */
const TOTAL = /^(?:(?:grand )?total|sum|all|合计|总计|总和|总数|全部)$/i;
/** Where round charts stand, below the title. */
const CENTER = ["50%", "54%"];

/** A name and its value. */
export interface Part {
  name: string;
  value: number;
}

interface Drawn {
  title: string;
  data: SeriesData;
  language: Language;
  note(text: string): void;
}

/** The names of an axis with their values, largest first where they have no order. */
export function partsOf({ labels, series: [first], ordered }: SeriesData): Part[] {
  const parts = (first?.points ?? []).flatMap(([at, value]) =>
    value === null ? [] : [{ name: labels[at] ?? String(at), value }]
  );
  return ordered ? parts : parts.toSorted((one, other) => other.value - one.value);
}

/** Slices of a whole; of a rose, the radius tells the value. */
export function pieOption({ title, data, language, note }: Drawn, type: "pie" | "rose"): Option {
  const all = withoutTotal(partsOf(data).filter(({ value }) => value > 0), note);
  if (all.length === 0) {
    throw new ToolError("invalid_input", "No value is above zero, so there is no whole to divide");
  }
  const unit = data.series[0]!.unit;
  const parts = withOther(all, { language, note }).map((part) => ({
    ...part,
    // Values in percent would be said twice.
    ...(unit === "%"
      ? {}
      : { label: { formatter: `{b}: ${bare(measured(part.value, unit, language))} ({d}%)` } }),
  }));
  const round = type === "rose" ? { radius: ["12%", "68%"], roseType: "area" } : { radius: "66%" };
  return {
    ...frame(title, { legend: true }),
    series: [{
      name: withUnit(data.series[0]!.name, data.series[0]!.unit),
      type: "pie",
      center: CENTER,
      ...round,
      label: { formatter: "{b}: {d}%", fontSize: 12 },
      itemStyle: { borderColor: "#fff", borderWidth: 1 },
      data: parts,
    }],
  };
}

/** Templates of the library stand in braces. */
function bare(text: string): string {
  return text.replace(/[{}]/g, "");
}

/** A whole beside its parts would be half of the picture. */
function withoutTotal(parts: readonly Part[], note: (text: string) => void): Part[] {
  const total = parts.find(({ name }) => TOTAL.test(name.trim()));
  const rest = parts.filter((part) => part !== total);
  const sum = rest.reduce((all, { value }) => all + value, 0);
  if (total === undefined || Math.abs(total.value - sum) > 0.01 * sum) return [...parts];
  note(`The row "${total.name}" is the sum of the others, it is left out`);
  return rest;
}

function withOther(parts: readonly Part[], { language, note }: Pick<Drawn, "language" | "note">): Part[] {
  if (parts.length <= MOST_SLICES) return [...parts];
  const sorted = parts.toSorted((one, other) => other.value - one.value);
  const rest = sorted.slice(MOST_SLICES - 1);
  note(`${rest.length} small slices are added up as one`);
  const value = Number(rest.reduce((sum, part) => sum + part.value, 0).toPrecision(12));
  return [...sorted.slice(0, MOST_SLICES - 1), { name: WORDS[language].other, value }];
}

/** Stages from the widest to the narrowest, with their share of the first. */
export function funnelOption({ title, data, language }: Drawn): Option {
  const stages = partsOf(data).toSorted((one, other) => other.value - one.value);
  const most = stages[0]?.value ?? 0;
  return {
    ...frame(title, { legend: true }),
    series: [{
      type: "funnel",
      name: data.series[0]!.name,
      left: "15%",
      width: "60%",
      top: 88,
      bottom: 64,
      min: 0,
      max: most,
      minSize: "4%",
      gap: 3,
      label: { position: "right", fontSize: 13, color: "#333" },
      data: stages.map(({ name, value }) => ({
        name,
        value,
        label: {
          formatter: `{b}: ${shortNumber(value, language)} (${
            most > 0 ? (100 * value / most).toFixed(1) : 0
          }%)`,
        },
      })),
    }],
  };
}

/** A closed line for each series, with an axis for each name. */
export function radarOption({ title, data, plan }: Drawn & { plan: ChartPlan }): Option {
  const { labels, series } = plan.y.length > 2 && data.labels.length <= MOST_SLICES && isByColumn(data)
    ? turned(data)
    : data;
  if (labels.length < 3) {
    throw new ToolError(
      "invalid_input",
      "A radar needs at least three names or columns of numbers: choose bar",
    );
  }
  const low = Math.min(0, ...series.flatMap(({ points }) => points.map(([, value]) => value ?? 0)));
  const most = Math.max(0, ...series.flatMap(({ points }) => points.map(([, value]) => value ?? 0)));
  const separate = plan.y.length > 2 && labels.length === plan.y.length &&
    areApart(series.map(({ points }) => points));
  const mostOf = (at: number) =>
    separate ? Math.max(...series.map(({ points }) => points[at]?.[1] ?? 0)) * 1.1 || 1 : niceAbove(most);
  return {
    ...frame(title, { legend: series.length > 1 }),
    radar: {
      center: CENTER,
      radius: "68%",
      indicator: labels.map((name, at) => ({
        name,
        max: mostOf(at),
        min: low < 0 ? -niceAbove(-low) : 0,
        // One scale is said once.
        ...(at === 0 && !separate ? { axisLabel: { show: true, fontSize: 10, color: "#888" } } : {}),
      })),
      axisName: { color: "#333" },
      splitNumber: 5,
    },
    series: [{
      type: "radar",
      areaStyle: { opacity: 0.12 },
      data: series.map(({ name, points }) => ({ name, value: points.map(([, value]) => value ?? "-") })),
    }],
  };
}

/** Few rows with many numbers are people or products, and the numbers their properties. */
function isByColumn({ labels, series }: SeriesData): boolean {
  return series.length > labels.length || labels.length < 3;
}

function turned({ labels, series, ...rest }: SeriesData): SeriesData {
  return {
    ...rest,
    labels: series.map(({ name }) => name),
    series: labels.map((name, at) => ({
      name,
      unit: null,
      points: series.map(({ points }, place) => [place, points[at]?.[1] ?? null]),
    })),
  };
}

function areApart(rows: readonly (readonly (readonly [number, number | null])[])[]): boolean {
  const mosts = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((points) => Math.abs(points[at]?.[1] ?? 0)))
  );
  return Math.max(...mosts) > 20 * Math.min(...mosts.filter((most) => most > 0));
}

/** Dials, or rings that fill: one value each, of a hundred or of the next round number. */
export function gaugeOption({ title, data, note }: Drawn, type: "gauge" | "circular_progress"): Option {
  const all = partsOf(data);
  const parts = all.slice(0, MOST_DIALS);
  if (parts.length < all.length) note(`Only ${MOST_DIALS} of ${all.length} values are drawn`);
  const unit = data.series[0]!.unit;
  const most = unit === "%" || parts.every(({ value }) => value > 1 && value <= 100)
    ? 100
    : niceAbove(Math.max(...parts.map(({ value }) => value)));
  const ring = type === "circular_progress";
  const low = Math.min(0, ...parts.map(({ value }) => value));
  return {
    ...frame(title, { legend: false }),
    series: parts.map(({ name, value }, at) => ({
      type: "gauge",
      center: [`${(at + 0.5) * 100 / parts.length}%`, "56%"],
      radius: ["66%", "66%", "44%", "38%"][parts.length - 1],
      min: low < 0 ? -niceAbove(-low) : 0,
      max: most,
      ...(ring ? { startAngle: 90, endAngle: -270 } : {}),
      progress: { show: true, width: 18, roundCap: ring },
      axisLine: { lineStyle: { width: 18, color: [[1, "#e6e9ef"]] } },
      pointer: { show: !ring },
      axisTick: { show: !ring },
      splitLine: { show: !ring, length: 10 },
      axisLabel: { show: !ring, distance: 24 },
      detail: {
        formatter: `{value}${bare(unit ?? "")}`,
        fontSize: 26,
        offsetCenter: [0, ring ? "0%" : "62%"],
      },
      title: { offsetCenter: [0, ring ? "22%" : "88%"], fontSize: 14 },
      data: [{ name, value }],
    })),
  };
}

/** Lying bars that fill up to a hundred, or to the next round number. */
export function progressOption({ title, data }: Drawn): Option {
  const parts = partsOf(data);
  const unit = data.series[0]!.unit;
  const largest = Math.max(...parts.map(({ value }) => value));
  const most = unit === "%" || largest > 1 && largest <= 100 ? 100 : largest <= 1 ? 1 : niceAbove(largest);
  return {
    ...frame(title, { legend: false }),
    grid: { left: 40, right: 90, top: 88, bottom: 36, containLabel: true },
    xAxis: { type: "value", min: 0, max: most, show: false },
    yAxis: {
      type: "category",
      inverse: true,
      data: parts.map(({ name }) => name),
      axisLine: { show: false },
      axisTick: { show: false },
    },
    series: [{
      type: "bar",
      name: data.series[0]!.name,
      barMaxWidth: 22,
      showBackground: true,
      backgroundStyle: { color: "#e6e9ef", borderRadius: 11 },
      itemStyle: { borderRadius: 11 },
      label: { show: true, position: "right", formatter: `{c}${bare(unit ?? "")}` },
      data: parts.map(({ value }) => value),
    }],
  };
}

/** The next round number above. */
export function niceAbove(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return Number(
    ([1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value)! * power).toPrecision(12),
  );
}
