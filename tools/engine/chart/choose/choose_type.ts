import type { ChartType } from "./chart_wish.ts";
import { type Column, distinct, type NumberColumn } from "../table/columns.ts";
import type { Table } from "../table/read_table.ts";

/** Words of titles that ask for a kind of chart; the first that fits the data counts. */
const WORDS: readonly [ChartType, RegExp][] = [
  ["word_cloud", /word ?cloud|词云|\b(?:keywords|hashtags|buzz ?words)\b|热词|关键词/i],
  ["sankey", /sankey|\bflows?\b|桑基|流向/i],
  ["box_plot", /box ?plot|箱[线型形]/i],
  ["heat_map", /heat ?map|热力|热图/i],
  ["histogram", /histogram|直方图/i],
  ["sunburst", /sunburst|旭日/i],
  ["treemap", /tree ?map|矩形树/i],
  ["rose", /\brose\b|玫瑰/i],
  ["radar", /radar|spider|hexagon|\baspects\b|\bdimensions\b|雷达|六边形|各方面|维度/i],
  ["funnel", /funnel|conversion|漏斗|转化/i],
  ["waterfall", /waterfall|瀑布/i],
  ["dual_axis", /dual[- ]axis|双轴/i],
  ["range_column", /range|区间/i],
  ["gauge", /gauge|仪表/i],
  ["circular_progress", /circular progress|环形进度/i],
  ["linear_progress", /progress|completion|进度|完成率/i],
  ["scatter", /scatter|correlation|relationship|\bversus\b|\bvs\b|散点|相关|关系/i],
  ["pie", /\bpie\b|\bdonut\b|share|proportion|composition|percentage|breakdown|饼图|占比|份额|构成|比例/i],
  ["area", /\barea chart\b|面积图/i],
  ["line", /\blines?\b|trend|over time|折线|趋势|走势/i],
  [
    "bar",
    /\bbars?\b|column chart|\bcompar(?:e|es|ing|ison)\b|\bdifferences?\b|对比|差异|柱状|条形|ranking|排名/i,
  ],
];
const MOST_SLICES = 12;
/** More words are better seen as a cloud. */
const MOST_BARS = 16;
const MOST_GROUPS = 12;

/** The columns that were found for a chart. */
export interface Found {
  title: string;
  x: Column | null;
  y: readonly NumberColumn[];
  color: Column | null;
  levels: readonly Column[];
}

/** Chooses the kind of chart by the words of its title, if the data allow it, else by the data alone. */
export function chooseType(table: Table, found: Found): ChartType {
  const asked = askedIn(found.title, table, found);
  const fitting = typeOfData(table, found);
  // A line of small numbers beside large ones would be flat.
  return asked === undefined || asked === "line" && fitting === "dual_axis" ? fitting : asked;
}

/** The kind that the words of a title ask for, if the data allow it. */
export function askedIn(title: string, table: Table, found: Found): ChartType | undefined {
  return WORDS.find(([type, words]) => words.test(title) && fits(type, table, found))?.[0];
}

function fits(type: ChartType, { rows }: Table, { title, x, y, color, levels }: Found): boolean {
  const names = x?.kind === "text" ? distinct(x) : 0;
  switch (type) {
    case "word_cloud":
      return levels.length > 0 && (/cloud|词云/i.test(title) || names > MOST_BARS);
    case "sankey":
    case "sunburst":
      return levels.length > 1 && y.length > 0;
    case "scatter":
      return y.length > 1;
    case "histogram":
      return y.length > 0;
    case "line":
    case "area":
      return x !== null && (x.kind !== "text" || x.ordered) && y.length > 0 && rows > 1;
    case "pie":
    case "rose":
    case "funnel":
      return names > 1 && names <= 3 * MOST_SLICES && y.length === 1 && color === null;
    case "radar":
      return names > 2 && names <= 40 && y.length > 0 || y.length > 2 && names > 0 && names <= MOST_GROUPS;
    case "dual_axis":
      return x !== null && y.length === 2;
    case "range_column":
      return x !== null && y.length === 2;
    case "bar":
      return x !== null && y.length > 0 && !(y.length === 2 && color === null && areApart(y));
    case "heat_map":
      return y.length > 0 && (color !== null || y.length > 1);
    case "gauge":
    case "circular_progress":
      return y.length > 0 && rows <= 4;
    case "linear_progress":
      return y.length === 1 && rows <= 30;
    default:
      return x !== null && y.length > 0;
  }
}

function typeOfData({ rows }: Table, { x, y, color, levels }: Found): ChartType {
  if (y.length === 0) return "bar";
  if (isFlow(levels)) return "sankey";
  if (x === null) return y.length > 1 ? "scatter" : rows > 1 ? "histogram" : "bar";
  if (x.kind === "time") {
    if (rows < 2) return "bar";
    return y.length === 2 && color === null && areApart(y) ? "dual_axis" : "line";
  }
  if (y.length === 2 && color === null && areApart(y) && distinct(x) > 1) return "dual_axis";
  if (x.kind === "text" && x.ordered && distinct(x) > 5) return "line";
  if (color !== null && rows > distinct(x) && distinct(x) > 5 && distinct(color) > 5 && y.length === 1) {
    return "heat_map";
  }
  if (rows > 4 * distinct(x) && y.length === 1 && color === null && distinct(x) <= 30) return "box_plot";
  return "bar";
}

function isFlow(levels: readonly Column[]): boolean {
  const [from, to] = levels.map(({ name }) => name.trim().toLowerCase());
  return /^(?:source|from|origin|来源|源|起点)$/.test(from ?? "") &&
    /^(?:target|to|destination|目标|去向|终点)$/.test(to ?? "");
}

/** Two columns that cannot share an axis: other units, or one ten times as large. */
function areApart([one, other]: readonly NumberColumn[]): boolean {
  if (one === undefined || other === undefined) return false;
  if (one.unit !== null && other.unit !== null && one.unit !== other.unit) return true;
  const sizes = [one, other].map(({ values }) =>
    values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0)
  );
  return Math.max(...sizes) > 10 * Math.min(...sizes) && Math.min(...sizes) > 0;
}
