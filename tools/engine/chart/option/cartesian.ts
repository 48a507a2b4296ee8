import type { ChartPlan } from "../choose/plan.ts";
import { frame, grid, nameLabels, type Option, valueLabels, withUnit } from "./frame.ts";
import { placesIn, type Series, type SeriesData, thinned } from "../series/series.ts";
import { type Language, shortNumber, shortText } from "../series/words.ts";

/** Most points of one line. */
const MOST_POINTS = 2000;
/** Bars that still have room for their values. */
const MOST_VALUES = 24;
/** Above this, names stand beside lying bars. */
const MOST_STANDING = 16;
/** Names beside each other that all have room for a line. */
const MOST_LINES = 45;

interface Drawn {
  title: string;
  plan: ChartPlan;
  data: SeriesData;
  language: Language;
  note(text: string): void;
}

/** Bars, lines and areas on one axis of values. */
export function barOrLineOption({ title, plan: { type, stack }, data, language, note }: Drawn): Option {
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
      ...(type === "area" ? { areaStyle: { opacity: stack || !legend ? 0.35 : 0.18 } } : {}),
      ...(isBar
        ? { barMaxWidth: 64 }
        : { showSymbol: series.points.length <= 60, symbolSize: 6, connectNulls: false }),
      ...(values && !stack ? { label: { show: true, position: lying ? "right" : "top", fontSize: 11 } } : {}),
      data: dataOf(series, data, { lying, note }).map((value) =>
        values && !stack ? written(value, language) : value
      ),
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

/** The name of an axis stands at its middle. */
export const CENTRED = { nameLocation: "middle" };
const TRUNCATED = { width: 220, overflow: "truncate" };
/** Fills two lines beside a lying bar. */
const LONGEST_NAME = 90;
const DAY_MS = 86_400_000;
/** Times up to this are said by days, and by months. */
const MOST_DAYS = 92;
const MOST_MONTHS = 18;

/** Labels of an axis of time that are clear by themselves, and no closer than the points. */
export function timeLabels(times: readonly (number | null)[]): Record<string, unknown> {
  const dates = times.filter((time) => time !== null).map((time) => new Date(time));
  const days = dates.every((date) => date.getTime() % DAY_MS === 0);
  const months = days && dates.every((date) => date.getUTCDate() === 1);
  const years = months && dates.every((date) => date.getUTCMonth() === 0);
  const least = years ? 365 * DAY_MS : months ? 28 * DAY_MS : days ? DAY_MS : 0;
  const [first = 0, last = 0] = [times.find((time) => time !== null), times.findLast((time) => time !== null)]
    .map(Number);
  const span = Math.abs(last - first);
  // A single year among months, or month among days, would seem to be another kind of place.
  const day = span < MOST_DAYS * DAY_MS ? "-{dd}" : "";
  const formatter = {
    year: years || span > MOST_MONTHS * 31 * DAY_MS ? "{yyyy}" : `{yyyy}-{MM}${months ? "" : day}`,
    month: `{yyyy}-{MM}${months ? "" : day}`,
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
      ...(labels.length > 30 ? { fontSize: 9.5, lineHeight: 10 } : {}),
    };
    const names = few ? labels.map((label) => shortText(label, LONGEST_NAME)) : labels;
    return { type: "category", data: names, axisTick: { show: false }, axisLabel };
  }
  return {
    type: "category",
    data: labels,
    // A long name needs room on both sides.
    boundaryGap: gap || labels.length < 2 || labels.some((label) => label.length > 8),
    axisTick: { alignWithLabel: true },
    axisLabel: nameLabels(labels),
  };
}

function valueAxis(series: readonly Series[], { zero }: { zero: boolean }): Record<string, unknown> {
  const units = new Set(series.map(({ unit }) => unit));
  const [unit = null] = units.size === 1 ? units : [];
  const name = series.length === 1 ? withUnit(series[0]!.name, unit) : unit ?? "";
  const whole = series.every(({ points }) =>
    points.every(([, value]) => value === null || Number.isInteger(value))
  );
  return {
    type: "value",
    name,
    scale: !zero,
    ...(whole ? { minInterval: 1 } : {}),
    ...valueLabels(series.flatMap(({ points }) => points.map(([, value]) => value))),
  };
}

/** The value of a bar with its thousands parted, and without an exponent. */
function written(value: unknown, language: Language): unknown {
  if (typeof value !== "number" || value === 0) return value;
  const isPlain = Math.abs(value) < 1000 && Math.abs(value) >= 0.01;
  return isPlain ? value : { value, label: { formatter: shortNumber(value, language) } };
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
