import type { ChartPlan } from "./choose/plan.ts";
import { findDotInsights, findInsights, type Insight } from "./insight/find_insights.ts";
import type { Table } from "./table/read_table.ts";
import { barOrLineOption, dualAxisOption } from "./option/cartesian.ts";
import { rangeOption, waterfallOption } from "./option/changes.ts";
import { boxPlotOption, heatMapOption, histogramOption } from "./option/distribution.ts";
import type { Option } from "./option/frame.ts";
import { sankeyOption, treeOption } from "./option/hierarchy.ts";
import { funnelOption, gaugeOption, pieOption, progressOption, radarOption } from "./option/parts.ts";
import { scatterOption } from "./option/scatter.ts";
import { named, placesIn, type SeriesData, seriesOf, shownOf } from "./series/series.ts";
import { wordCloudOption } from "./option/word_cloud.ts";
import type { Language } from "./series/words.ts";

/** Bars in time that have room for their names. */
const MOST_NAMED = 60;

/** The options of a chart, and what is worth saying about it. */
export interface Built {
  option: Option;
  insights: Insight[];
}

interface Parts {
  title: string;
  language: Language;
  plan: ChartPlan;
  table: Table;
}

/**
 * Makes the options of a planned chart.
 *
 * @throws {ToolError} `invalid_input` if the columns do not make such a chart
 */
export function buildOption({ title, language, plan, table }: Parts): Built {
  const note = (text: string) => {
    if (!table.notes.includes(text)) table.notes.push(text);
  };
  const common = { title, plan, language, note };
  switch (plan.type) {
    case "scatter":
      return dots(common);
    case "histogram":
      return { option: histogramOption(common), insights: [] };
    case "box_plot":
      return { option: boxPlotOption(common), insights: [] };
    case "treemap":
    case "sunburst":
      return { option: treeOption(common, plan.type), insights: [] };
    case "sankey":
      return { option: sankeyOption(common), insights: [] };
    case "word_cloud":
      return { option: wordCloudOption(common), insights: [] };
  }
  const whole = barsNamed(seriesOf(plan, table.rows, { language, note }), plan);
  const data = shownOf(whole, note);
  const drawn = { ...common, data };
  switch (plan.type) {
    case "bar":
    case "line":
    case "area":
      return { option: barOrLineOption(drawn), insights: insightsOf(whole, data, language) };
    case "dual_axis":
      return { option: dualAxisOption(drawn), insights: insightsOf(whole, data, language) };
  }
  return { option: namedOption({ ...drawn, data: named(data) }), insights: [] };
}

/** Insights are about all places; their marks stand at those that are drawn. */
function insightsOf(whole: SeriesData, shown: SeriesData, language: Language): Insight[] {
  const found = findInsights(whole, language);
  if (shown === whole) return found;
  const isShown = ({ at: [place] }: { at: [number, number] }) => place < shown.labels.length;
  return found.map(({ marks, ...insight }) => ({
    ...insight,
    marks: marks.filter((mark) => mark.form !== "point" || isShown(mark)),
  }));
}

/** Few bars have names, also points in time: an axis of time would name what lies between them. */
function barsNamed(data: SeriesData, { type }: ChartPlan): SeriesData {
  const isBars = type === "bar" || type === "dual_axis";
  return isBars && placesIn(data).length <= MOST_NAMED ? named(data) : data;
}

/** Charts whose places have names. */
function namedOption(drawn: Parameters<typeof radarOption>[0]): Option {
  const { type } = drawn.plan;
  switch (type) {
    case "pie":
    case "rose":
      return pieOption(drawn, type);
    case "funnel":
      return funnelOption(drawn);
    case "gauge":
    case "circular_progress":
      return gaugeOption(drawn, type);
    case "linear_progress":
      return progressOption(drawn);
    case "heat_map":
      return heatMapOption(drawn);
    case "waterfall":
      return waterfallOption(drawn);
    case "range_column":
      return rangeOption(drawn);
    default:
      return radarOption(drawn);
  }
}

function dots(common: Omit<Parameters<typeof scatterOption>[0], "kept">): Built {
  const insights = dotInsights(common.plan, common.language);
  const marks = insights.flatMap(({ marks }) => marks);
  const kept = new Set(marks.flatMap((mark) => mark.form === "point" ? [mark.at.join()] : []));
  return { option: scatterOption({ ...common, kept }), insights };
}

function dotInsights({ x, y }: ChartPlan, language: Language): Insight[] {
  const across = x?.kind === "number" ? x : x?.kind === "time" ? null : y[0] ?? null;
  const up = y.find((column) => column !== across);
  if (across === null || up === undefined) return [];
  const points = across.values.flatMap((left, row): [number, number][] => {
    const height = up.values[row];
    return left === null || height === null || height === undefined ? [] : [[left, height]];
  });
  return findDotInsights({ names: [across.name, up.name], unit: up.unit, points }, language);
}
