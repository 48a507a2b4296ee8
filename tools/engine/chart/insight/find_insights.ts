import type { Series, SeriesData } from "../series/series.ts";
import { addsUp, namerOf } from "../series/series.ts";
import { type Language, measured, shortNumber, WORDS } from "../series/words.ts";
import { fitLine, mean, pearson, robustScores, spearman, turningPoint } from "../series/statistics.ts";
import { type Finding, sayFinding } from "./wording.ts";

/** Where an insight is drawn: at a point, along a line, or across the chart. */
export type Mark =
  | { form: "point"; series: number; at: [number, number]; text: string; lower?: boolean }
  | { form: "line"; series: number; from: [number, number]; to: [number, number]; text: string }
  | { form: "level"; series: number; value: number; text: string };

/** Something worth saying about a chart. */
export interface Insight {
  kind: Finding["kind"];
  text: string;
  marks: Mark[];
}

const MOST_INSIGHTS = 6;
const MOST_SHOWN = 3;
/** Series that are looked at one by one. */
const MOST_SERIES = 6;
const OUTLIER_SCORE = 3.5;
const MIN_FIT = 0.3;
const MIN_CORRELATION = 0.5;

type Pairs = [number, number][];

interface Look {
  at: number;
  series: Series;
  points: Pairs;
  data: SeriesData;
  language: Language;
  nameOf(place: number): string;
}

interface Found {
  finding: Finding;
  marks: Mark[];
  /** How much it says: the largest come first. */
  weight: number;
}

/** Computes what is worth saying about the series of a chart, the most telling first, at most six. */
export function findInsights(data: SeriesData, language: Language): Insight[] {
  const nameOf = placeNamer(data);
  const looks = data.series.slice(0, MOST_SERIES).map((series, at): Look => ({
    at,
    series,
    data,
    language,
    nameOf,
    points: series.points.filter((point): point is [number, number] => point[1] !== null),
  })).filter(({ points }) => points.length > 1);
  const found = looks.flatMap((look) => [
    ...trend(look),
    ...turn(look),
    ...outliers(look),
    ...extremes(look),
    ...majority(look),
    ...volatility(look),
    ...average(look),
  ]);
  return [...found, ...correlations(looks)].toSorted((one, other) => other.weight - one.weight).slice(
    0,
    MOST_INSIGHTS,
  )
    .map(({ finding, marks }) => ({ kind: finding.kind, text: sayFinding(finding, language), marks }));
}

function placeNamer({ axis, labels, series }: SeriesData): (place: number) => string {
  if (axis === "category") return (place) => labels[place] ?? String(place);
  if (axis === "number") return shortNumber;
  const values = series.flatMap(({ points }) => points.map(([time]) => time));
  return namerOf({ kind: "time", name: "", values });
}

function trend({ at, series, points, data }: Look): Found[] {
  if (!data.ordered || points.length < 4) return [];
  const { slope, start, fit } = fitLine(points);
  if (fit < MIN_FIT || slope === 0) return [];
  const [first, last] = [points[0]!, points.at(-1)!];
  const change = first[1] > 0 && last[1] > 0 ? last[1] / first[1] - 1 : null;
  const up = slope > 0;
  const text = change === null || change > 0 !== up ? "" : `${up ? "+" : ""}${(change * 100).toFixed(1)}%`;
  const ends = [first, last].map(([x]): [number, number] => [x, start + slope * x]);
  const finding: Finding = {
    kind: "trend",
    series: series.name,
    only: data.series.length === 1,
    up,
    change: text === "" ? null : change,
  };
  return [{
    finding,
    weight: 0.9 + fit / 10 - at / 20,
    marks: [{ form: "line", series: at, from: ends[0]!, to: ends[1]!, text }],
  }];
}

function turn({ at, series, points, data, nameOf }: Look): Found[] {
  const place = data.ordered ? turningPoint(points) : null;
  if (place === null) return [];
  const point = points[place]!;
  const peak = fitLine(points.slice(0, place + 1)).slope > 0;
  const named = { place: nameOf(point[0]), value: point[1], unit: series.unit };
  return [{
    finding: { kind: "turning_point", series: series.name, point: named, peak },
    weight: 0.92 - at / 20,
    marks: [{ form: "point", series: at, at: point, text: nameOf(point[0]), lower: !peak }],
  }];
}

/** Values far from the trend, or from the others where there is no order. */
function outliers({ at, series, points, data, nameOf, language }: Look): Found[] {
  if (points.length < 7) return [];
  const line = data.ordered ? fitLine(points) : { slope: 0, start: 0 };
  const scores = robustScores(points.map(([x, y]) => y - line.start - line.slope * x));
  const far = points.map((point, index) => ({ point, score: scores[index]! }))
    .filter(({ score }) => Math.abs(score) > OUTLIER_SCORE)
    .toSorted((one, other) => Math.abs(other.score) - Math.abs(one.score));
  // Many of them are no exceptions, but another shape.
  if (far.length === 0 || far.length > Math.max(1, points.length * 0.1)) return [];
  const shown = far.slice(0, MOST_SHOWN);
  return [{
    finding: {
      kind: "outlier",
      series: series.name,
      points: shown.map(({ point: [x, y] }) => ({ place: nameOf(x), value: y, unit: series.unit })),
      more: far.length - shown.length,
    },
    weight: 0.95 - at / 20,
    marks: shown.map(({ point, score }) => ({
      form: "point",
      series: at,
      at: point,
      text: measured(point[1], series.unit, language),
      lower: score < 0,
    })),
  }];
}

function extremes({ at, series, points, nameOf, language }: Look): Found[] {
  const max = points.reduce((one, other) => other[1] > one[1] ? other : one);
  const min = points.reduce((one, other) => other[1] < one[1] ? other : one);
  if (max[1] === min[1]) return [];
  const named = ([x, y]: [number, number]) => ({ place: nameOf(x), value: y, unit: series.unit });
  const written = ([, y]: [number, number]) => measured(y, series.unit, language);
  return [{
    finding: { kind: "extremes", series: series.name, max: named(max), min: named(min) },
    weight: 0.7 - at / 20,
    marks: [
      { form: "point", series: at, at: max, text: written(max) },
      { form: "point", series: at, at: min, text: written(min), lower: true },
    ],
  }];
}

function majority({ at, series, points, data, nameOf }: Look): Found[] {
  if (
    data.axis !== "category" || !addsUp(series) || points.length < 3 || points.some(([, value]) => value < 0)
  ) return [];
  const sum = points.reduce((all, [, value]) => all + value, 0);
  const most = points.reduce((one, other) => other[1] > one[1] ? other : one);
  const share = sum === 0 ? 0 : most[1] / sum;
  if (share < 0.5) return [];
  return [{
    finding: { kind: "majority", name: nameOf(most[0]), share, of: series.name },
    weight: 0.85 - at / 20,
    marks: [{ form: "point", series: at, at: most, text: `${(100 * share).toFixed(0)}%` }],
  }];
}

function volatility({ at, series, points, data }: Look): Found[] {
  if (!data.ordered || points.length < 6) return [];
  const steps = points.slice(1).map(([, value], index) => Math.abs(value - points[index]![1]));
  const level = Math.abs(mean(points.map(([, value]) => value)));
  const share = level === 0 ? 0 : mean(steps) / level;
  if (share < 0.3) return [];
  return [{ finding: { kind: "volatility", series: series.name, share }, weight: 0.6 - at / 20, marks: [] }];
}

/** Of points that several rows make, it is not the average of the rows. */
function average({ at, series: { name, unit }, points, data, language }: Look): Found[] {
  if (points.every(([, y]) => y === points[0]![1])) return [];
  const value = mean(points.map(([, y]) => y));
  const of = data.series.length > 1 ? `${name}: ` : "";
  return [{
    finding: { kind: "average", series: name, value, unit, per: data.joined ? data.name : null },
    weight: 0.4 - at / 20,
    marks: [{
      form: "level",
      series: at,
      value,
      text: `${of}${WORDS[language].average} ${measured(value, unit, language)}`,
    }],
  }];
}

/** Of the numbers of two series at the same places. */
function correlations(looks: readonly Look[]): Found[] {
  const pairs = looks.flatMap((one, at) => looks.slice(at + 1).map((other) => [one, other] as const));
  return pairs.flatMap(([one, other]) => {
    const known = new Map(other.points);
    const both = one.points.filter(([x]) => known.has(x)).map(([x, y]) => [y, known.get(x)!] as const);
    return correlation([one.series.name, other.series.name], both, []);
  }).toSorted((one, other) => other.weight - one.weight).slice(0, 2);
}

function correlation(
  pair: [string, string],
  both: readonly (readonly [number, number])[],
  marks: Mark[],
): Found[] {
  if (both.length < 5) return [];
  const [straight, ranked] = [pearson(both), spearman(both)];
  if (!(Math.abs(straight) >= MIN_CORRELATION)) return [];
  const finding: Finding = { kind: "correlation", pair, pearson: straight, spearman: ranked };
  return [{ finding, weight: 0.5 + 0.45 * Math.abs(straight), marks }];
}

/** What is worth saying about dots: how their two numbers go together, and which lie far from the line. */
export function findDotInsights(
  dots: { names: [string, string]; unit: string | null; points: Pairs },
  language: Language,
): Insight[] {
  const { names: [across, up], unit, points } = dots;
  if (points.length < 3) return [];
  const { slope, start } = fitLine(points);
  const [left, right] = points.reduce(([low, high], [x]) => [Math.min(low, x), Math.max(high, x)], [
    Infinity,
    -Infinity,
  ]) as [number, number];
  const ends = [left, right].map((x): [number, number] => [x, start + slope * x]);
  const line: Mark = { form: "line", series: 0, from: ends[0]!, to: ends[1]!, text: "" };
  const data: SeriesData = {
    axis: "number",
    name: across,
    ordered: true,
    joined: false,
    labels: [],
    series: [],
  };
  const look: Look = {
    at: 0,
    series: { name: up, unit, points },
    points,
    data,
    language,
    nameOf: (x) => `${across} ${shortNumber(x)}`,
  };
  const found = [
    ...correlation([across, up], points, [line]),
    ...outliers(look),
    ...extremes(look),
    ...average(look),
  ];
  return found.toSorted((one, other) => other.weight - one.weight).slice(0, MOST_INSIGHTS)
    .map(({ finding, marks }) => ({ kind: finding.kind, text: sayFinding(finding, language), marks }));
}
