import type { ChartPlan } from "../choose/plan.ts";
import { frame, grid, type Option, withUnit } from "./frame.ts";
import { placesIn, type Series, type SeriesData, thinned } from "../series/series.ts";
import { shortNumber, shortText } from "../series/words.ts";

/** Most points of one line, and of all dots. */
const MOST_POINTS = 2000;
const MOST_DOTS = 4000;
/** Bars that still have room for their values. */
const MOST_VALUES = 24;
/** Above this, names stand beside lying bars. */
const MOST_STANDING = 16;
/** Names beside each other that all have room for a line. */
const MOST_LINES = 36;

interface Drawn {
  title: string;
  plan: ChartPlan;
  data: SeriesData;
  note(text: string): void;
}

/** Bars, lines and areas on one axis of values. */
export function barOrLineOption({ title, plan: { type, stack }, data, note }: Drawn): Option {
  const legend = data.series.length > 1;
  const mixed = new Set(data.series.map(({ unit }) => unit)).size > 1;
  const nameOf = ({ name, unit }: Series) => mixed ? withUnit(name, unit) : name;
  const isBar = type === "bar";
  const lying = isBar && data.axis === "category" && !data.ordered &&
    (data.labels.length > MOST_STANDING ||
      data.labels.some((label) => label.length > 18) && data.labels.length > 4);
  const values = isBar && data.series.length * Math.max(data.labels.length, 1) <= MOST_VALUES;
  const value = valueAxis(data.series, { zero: isBar || type === "area" || stack });
  const category = placeAxis(data, { gap: isBar, lying });
  return {
    ...frame(title, { legend, trigger: "axis" }),
    grid: grid(title, legend ? data.series.map(nameOf) : []),
    ...(lying
      ? { xAxis: { ...value, ...CENTRED, nameGap: 28 }, yAxis: { ...category, inverse: true } }
      : { xAxis: category, yAxis: value }),
    series: data.series.map((series) => ({
      name: nameOf(series),
      type: isBar ? "bar" : "line",
      ...(stack ? { stack: "all" } : {}),
      ...(type === "area" ? { areaStyle: { opacity: 0.35 } } : {}),
      ...(isBar
        ? { barMaxWidth: 64 }
        : { showSymbol: series.points.length <= 60, symbolSize: 6, connectNulls: false }),
      ...(values && !stack ? { label: { show: true, position: lying ? "right" : "top", fontSize: 11 } } : {}),
      data: dataOf(series, data, { lying, note }).map((value) => values && !stack ? written(value) : value),
    })),
  };
}

/** Bars of the first numbers, and a line of the second with an axis of its own. */
export function dualAxisOption({ title, data, note }: Drawn): Option {
  const [first, ...others] = data.series;
  const axes = [first!, ...others.slice(0, 1)].map((series) =>
    valueAxis([series], { zero: series === first })
  );
  return {
    ...frame(title, { legend: true, trigger: "axis" }),
    grid: grid(title, data.series.map(({ name }) => name)),
    xAxis: placeAxis(data, { gap: true }),
    yAxis: axes.map((axis, at) => at === 0 ? axis : { ...axis, splitLine: { show: false } }),
    series: data.series.map((series, at) => ({
      name: series.name,
      type: at === 0 ? "bar" : "line",
      ...(at === 0 ? { barMaxWidth: 64 } : { yAxisIndex: 1, symbolSize: 6 }),
      data: dataOf(series, data, { lying: false, note }),
    })),
  };
}

/**
 * Dots of the first two numbers, in the colours of names.
 *
 * @param kept Dots that are drawn also if there are too many, as `x,y`
 */
export function scatterOption(
  { title, plan: { x, y, color: wished }, kept, note }: Omit<Drawn, "data"> & { kept: ReadonlySet<string> },
): Option {
  const color = wished ?? (x?.kind === "text" ? x : null);
  const across = x?.kind === "number" || x?.kind === "time" ? x : y[0]!;
  const [up = y[0]!, size] = y.filter((column) => column !== across);
  const names = color && color !== across
    ? color.values.map((value) => value === null ? "" : String(value))
    : null;
  const groups = new Map<string, [number, number, number?][]>();
  across.values.forEach((left, row) => {
    const height = up.values[row];
    if (left === null || height === null || height === undefined) return;
    const name = names?.[row] ?? up.name;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name)!.push([left, height]);
  });
  const few = groups.size <= 12 ? groups : new Map([[up.name, [...groups.values()].flat()]]);
  const total = across.values.length;
  const step = Math.ceil(total / MOST_DOTS);
  if (step > 1) note(`Every ${step}th of ${total} dots is drawn`);
  if (size) note(`The column "${size.name}" is not drawn: dots have two directions`);
  const legend = few.size > 1;
  const kind = across.kind === "time" ? "time" : "value";
  return {
    ...frame(title, { legend }),
    grid: grid(title, legend ? [...few.keys()] : []),
    xAxis: {
      type: kind,
      name: withUnit(across.name, across.kind === "number" ? across.unit : null),
      ...CENTRED,
      nameGap: 28,
      scale: true,
      axisLine: { onZero: false },
      ...(across.kind === "time" ? timeLabels(across.values) : {}),
    },
    yAxis: { type: "value", name: withUnit(up.name, up.unit), scale: true, axisLine: { onZero: false } },
    series: [...few].map(([name, points]) => ({
      name,
      type: "scatter",
      symbolSize: total > 500 ? 4 : 9,
      itemStyle: { opacity: total > 500 ? 0.5 : 0.8 },
      data: points.filter((dot, at) => at % step === 0 || kept.has(dot.join())),
    })),
  };
}

const CENTRED = { nameLocation: "middle" };
const TRUNCATED = { width: 220, overflow: "truncate" };
/** Fills two lines beside a lying bar. */
const LONGEST_NAME = 90;
const DAY_MS = 86_400_000;

/** Labels of an axis of time that are clear by themselves, and no closer than the points. */
function timeLabels(times: readonly (number | null)[]): Record<string, unknown> {
  const dates = times.filter((time) => time !== null).map((time) => new Date(time));
  const days = dates.every((date) => date.getTime() % DAY_MS === 0);
  const months = days && dates.every((date) => date.getUTCDate() === 1);
  const years = months && dates.every((date) => date.getUTCMonth() === 0);
  const least = years ? 365 * DAY_MS : months ? 28 * DAY_MS : days ? DAY_MS : 0;
  const formatter = {
    year: "{yyyy}",
    month: "{yyyy}-{MM}",
    day: "{MM}-{dd}",
    hour: "{HH}:{mm}",
    minute: "{HH}:{mm}",
    second: "{HH}:{mm}:{ss}",
  };
  return {
    ...(least > 0 && dates.length > 1 ? { minInterval: least } : {}),
    axisLabel: { hideOverlap: true, formatter },
  };
}

function placeAxis(
  data: SeriesData,
  { gap, lying = false }: { gap: boolean; lying?: boolean },
): Record<string, unknown> {
  const { axis, name, labels } = data;
  if (axis !== "category") {
    return {
      type: axis === "time" ? "time" : "value",
      name,
      ...CENTRED,
      nameGap: 28,
      ...(axis === "time" ? timeLabels(placesIn(data)) : { scale: true }),
    };
  }
  if (lying) {
    const few = labels.length <= MOST_STANDING;
    const axisLabel = {
      ...(few ? { width: 300, overflow: "break", fontSize: 11, lineHeight: 13 } : TRUNCATED),
      ...(labels.length <= MOST_LINES ? { interval: 0 } : {}),
    };
    const names = few ? labels.map((label) => shortText(label, LONGEST_NAME)) : labels;
    return { type: "category", data: names, axisTick: { show: false }, axisLabel };
  }
  const all = labels.length <= MOST_STANDING;
  const width = Math.max(56, Math.min(220, Math.floor(860 / Math.max(labels.length, 1))));
  return {
    type: "category",
    data: labels,
    // A long name needs room on both sides.
    boundaryGap: gap || labels.length < 2 || labels.some((label) => label.length > 8),
    axisTick: { alignWithLabel: true },
    axisLabel: {
      width: all ? width : 200,
      overflow: all ? "break" : "truncate",
      hideOverlap: true,
      lineHeight: 14,
      ...(all ? { interval: 0 } : {}),
    },
  };
}

function valueAxis(series: readonly Series[], { zero }: { zero: boolean }): Record<string, unknown> {
  const units = new Set(series.map(({ unit }) => unit));
  const [unit = null] = units.size === 1 ? units : [];
  const name = series.length === 1 ? withUnit(series[0]!.name, unit) : unit ?? "";
  const whole = series.every(({ points }) =>
    points.every(([, value]) => value === null || Number.isInteger(value))
  );
  return { type: "value", name, scale: !zero, ...(whole ? { minInterval: 1 } : {}) };
}

/** The value of a bar with its thousands parted. */
function written(value: unknown): unknown {
  const isLong = typeof value === "number" && Math.abs(value) >= 1000;
  return isLong ? { value, label: { formatter: shortNumber(value) } } : value;
}

function dataOf(
  { name, points }: Series,
  { axis }: SeriesData,
  { lying, note }: { lying: boolean; note(text: string): void },
): unknown[] {
  const shown = thinned(points, MOST_POINTS);
  if (shown.length < points.length) {
    note(`"${name}" is drawn with ${shown.length} of ${points.length} points; its lows and highs are kept`);
  }
  const whole = axis === "category" && shown.length === points.length;
  if (whole) return shown.map(([, value]) => value);
  return lying ? shown.map(([x, y]) => [y, x]) : shown;
}
