import type { ChartPlan } from "../choose/plan.ts";
import type { Column, NumberColumn } from "../table/columns.ts";
import { type Language, shortText, timeWriter, WORDS } from "./words.ts";

/** A point: its place on the axis and its value, `null` if that is missing. */
export type Point = [x: number, y: number | null];

/** One line, or the bars of one colour. */
export interface Series {
  name: string;
  unit: string | null;
  points: Point[];
}

/** What a chart with axes draws. */
export interface SeriesData {
  /** On a category axis, points stand at places of `labels`. */
  axis: "category" | "time" | "number";
  /** Name of the axis. */
  name: string;
  /** Places have an order: one after the other in time. */
  ordered: boolean;
  /** Several rows make one point. */
  joined: boolean;
  labels: string[];
  series: Series[];
}

const MOST_SERIES = 12;
/** Rows of a heat map. */
const MOST_ROWS = 60;
const MOST_LABELS = 60;
const LONGEST_NAME = 120;
/** Numbers whose sum says nothing. */
const RATE =
  /rate|ratio|percent|average|\bavg\b|mean|price|temperature|score|率|比|平均|均价|单价|价格|温度|评分/i;

/**
 * Brings the rows of a table onto axes: rows of one place and series are added up, or averaged where a sum says nothing.
 * Of more names than an axis can show, the largest come first.
 */
export function seriesOf(plan: ChartPlan, rows: number, options: SeriesOptions): SeriesData {
  const { language, note } = options;
  const { x, y } = plan;
  const count: NumberColumn = {
    kind: "number",
    name: WORDS[language].count,
    unit: null,
    values: Array(rows).fill(1),
  };
  const numbers = y.length > 0 ? y : [count];
  const color = numbers.length === 1 && plan.color !== x ? plan.color : null;
  const places = placesOf(x, rows);
  // Counted rows need no word on how they are joined.
  const say = y.length > 0 ? note : () => {};
  const groups = color
    ? groupsOf(color, numbers[0]!, {
      ...options,
      addsUp: plan.type !== "line" || plan.stack,
      most: plan.type === "heat_map" ? MOST_ROWS : MOST_SERIES,
    })
    : numbers.map((column) => ({ name: column.name, column, has: () => true }));
  const series = groups.map(({ name, column, has }) => ({
    name,
    unit: column.unit,
    points: pointsOf(places.at, column, { has, note: say }),
  }));
  const { at, ...axis } = places;
  const joined = groups.some(({ has }) => hasTwice(at, has));
  const data: SeriesData = { ...axis, name: x?.name ?? "", joined, series };
  return axis.axis === "category" ? largestFirst(filled(data)) : data;
}

/** Says whether the sum of such numbers means something. */
export function addsUp({ name, unit }: Pick<NumberColumn, "name" | "unit">): boolean {
  return unit !== "%" && !RATE.test(name);
}

function hasTwice(at: readonly (number | null)[], has: (row: number) => boolean): boolean {
  const seen = new Set<number>();
  return at.some((place, row) => {
    if (place === null || !has(row)) return false;
    const known = seen.has(place);
    seen.add(place);
    return known;
  });
}

interface SeriesOptions {
  language: Language;
  note(text: string): void;
}

interface Places extends Pick<SeriesData, "axis" | "labels" | "ordered"> {
  /** The place of each row, `null` for none. */
  at: (number | null)[];
}

function placesOf(x: Column | null, rows: number): Places {
  if (x === null) {
    const at = Array.from({ length: rows }, (_, row) => row);
    return { axis: "category", ordered: true, labels: at.map((row) => String(row + 1)), at };
  }
  if (x.kind !== "text") return { axis: x.kind, ordered: true, labels: [], at: x.values };
  const labels = [...new Set(x.values.filter((value) => value !== null))];
  const index = new Map(labels.map((label, at) => [label, at]));
  return {
    axis: "category",
    ordered: x.ordered,
    labels: labels.map((label) => shortText(label, LONGEST_NAME)),
    at: x.values.map((value) => value === null ? null : index.get(value)!),
  };
}

/** The names of a column as series, those with the smallest numbers as one. */
function groupsOf(
  color: Column,
  column: NumberColumn,
  { language, note, addsUp, most }: SeriesOptions & { addsUp: boolean; most: number },
) {
  const nameOf = namerOf(color);
  const sizes = new Map<string, number>();
  color.values.forEach((value, row) => {
    if (value !== null) {
      sizes.set(nameOf(value), (sizes.get(nameOf(value)) ?? 0) + Math.abs(column.values[row] ?? 0));
    }
  });
  const names = [...sizes.keys()];
  const largest = names.toSorted((one, other) => sizes.get(other)! - sizes.get(one)!).slice(
    0,
    most - 1,
  );
  const kept = names.length > most ? names.filter((name) => largest.includes(name)) : names;
  const groups = kept.map((name) => ({
    name: shortText(name, LONGEST_NAME),
    column,
    has: (row: number) => cellOf(row) === name,
  }));
  const cellOf = (row: number) => {
    const value = color.values[row];
    return value === null || value === undefined ? null : nameOf(value);
  };
  if (kept.length === names.length) return groups;
  const small = `${names.length - kept.length} small series of "${color.name}" are`;
  note(`${small} ${addsUp ? "added up as one" : "not drawn"}`);
  if (!addsUp) return groups;
  const shown = new Set(kept);
  const isOther = (row: number) => cellOf(row) !== null && !shown.has(cellOf(row)!);
  return [...groups, { name: WORDS[language].other, column, has: isOther }];
}

/** Writes the values of a column as names. */
export function namerOf({ kind, values }: Column): (value: string | number) => string {
  if (kind !== "time") return String;
  const write = timeWriter(values.filter((value) => value !== null) as number[]);
  return (value) => write(Number(value));
}

function pointsOf(
  at: readonly (number | null)[],
  { name, unit, values }: NumberColumn,
  { has, note }: { has(row: number): boolean; note(text: string): void },
): Point[] {
  const sums = new Map<number, { sum: number; count: number; rows: number }>();
  for (let row = 0; row < at.length; row++) {
    const place = at[row];
    if (place === null || place === undefined || !has(row)) continue;
    const cell = sums.get(place) ?? { sum: 0, count: 0, rows: 0 };
    const value = values[row];
    if (value !== null && value !== undefined) {
      cell.sum += value;
      cell.count++;
    }
    cell.rows++;
    sums.set(place, cell);
  }
  const averaged = !addsUp({ name, unit });
  const several = [...sums.values()].some(({ rows }) => rows > 1);
  if (several) note(`Rows of "${name}" at the same place are ${averaged ? "averaged" : "added up"}`);
  return [...sums].sort(([one], [other]) => one - other).map(([place, { sum, count }]) => [
    place,
    count === 0 ? null : Number((averaged ? sum / count : sum).toPrecision(12)),
  ]);
}

/** Each series of a category axis has a point at each place. */
function filled(data: SeriesData): SeriesData {
  const series = data.series.map(({ points, ...rest }) => {
    const known = new Map(points);
    return { ...rest, points: data.labels.map((_, at): Point => [at, known.get(at) ?? null]) };
  });
  return { ...data, series };
}

function largestFirst(data: SeriesData): SeriesData {
  if (data.ordered || data.labels.length <= MOST_LABELS) return data;
  const sizeAt = (at: number) =>
    data.series.reduce((sum, { points }) => sum + Math.abs(points[at]?.[1] ?? 0), 0);
  const sizes = data.labels.map((_, at) => sizeAt(at));
  const order = data.labels.map((_, at) => at).sort((one, other) => sizes[other]! - sizes[one]!);
  const series = data.series.map(({ points, ...rest }) => ({
    ...rest,
    points: order.map((at, place): Point => [place, points[at]?.[1] ?? null]),
  }));
  return { ...data, labels: order.map((at) => data.labels[at]!), series };
}

/** As many names as an axis can show. */
export function shownOf(data: SeriesData, note: (text: string) => void): SeriesData {
  if (data.axis !== "category" || data.ordered || data.labels.length <= MOST_LABELS) return data;
  note(`Only the ${MOST_LABELS} largest of ${data.labels.length} names of "${data.name}" are drawn`);
  const series = data.series.map(({ points, ...rest }) => ({
    ...rest,
    points: points.slice(0, MOST_LABELS),
  }));
  return { ...data, labels: data.labels.slice(0, MOST_LABELS), series };
}

/** At most about `most` points of many: of each run of neighbours the lowest and the highest. */
export function thinned(points: readonly Point[], most: number): Point[] {
  if (points.length <= most) return [...points];
  const size = Math.ceil(points.length * 2 / most);
  const kept: Point[] = [];
  for (let from = 0; from < points.length; from += size) {
    const run = points.slice(from, from + size);
    const known = run.filter(([, y]) => y !== null) as [number, number][];
    if (known.length === 0) {
      kept.push(run[0]!);
      continue;
    }
    const low = known.reduce((one, other) => other[1] < one[1] ? other : one);
    const high = known.reduce((one, other) => other[1] > one[1] ? other : one);
    kept.push(...(low === high ? [low] : low[0] < high[0] ? [low, high] : [high, low]));
  }
  return kept;
}

/** Points in time and numbers become names. */
export function named(data: SeriesData): SeriesData {
  if (data.axis === "category") return data;
  const places = placesIn(data);
  const nameOf = data.axis === "time" ? namerOf({ kind: "time", name: "", values: places }) : String;
  const index = new Map(places.map((place, at) => [place, at]));
  return {
    ...data,
    axis: "category",
    labels: places.map(nameOf),
    series: data.series.map((series) => {
      const known = new Map(series.points.map(([x, y]) => [index.get(x)!, y]));
      return { ...series, points: places.map((_, at) => [at, known.get(at) ?? null]) };
    }),
  };
}

/** The places of all points, in order. */
export function placesIn({ series }: SeriesData): number[] {
  return [...new Set(series.flatMap(({ points }) => points.map(([x]) => x)))].sort((one, other) =>
    one - other
  );
}
