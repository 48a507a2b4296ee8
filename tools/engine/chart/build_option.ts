import type { ChartPlan } from "./choose/plan.ts";
import { findDotInsights, findInsights, type Insight } from "./insight/find_insights.ts";
import type { Table } from "./table/read_table.ts";
import { barOrLineOption, dualAxisOption, scatterOption } from "./option/cartesian.ts";
import { rangeOption, waterfallOption } from "./option/changes.ts";
import { boxPlotOption, heatMapOption, histogramOption } from "./option/distribution.ts";
import type { Option } from "./option/frame.ts";
import { sankeyOption, treeOption } from "./option/hierarchy.ts";
import { funnelOption, gaugeOption, pieOption, progressOption, radarOption } from "./option/parts.ts";
import { namerOf, type SeriesData, seriesOf } from "./series/series.ts";
import { wordCloudOption } from "./option/word_cloud.ts";
import type { Language } from "./series/words.ts";

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
      return { option: scatterOption(common), insights: dotInsights(plan, language) };
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
  const data = seriesOf(plan, table.rows, { language, note });
  const drawn = { ...common, data };
  switch (plan.type) {
    case "bar":
    case "line":
    case "area":
      return { option: barOrLineOption(drawn), insights: findInsights(data, language) };
    case "dual_axis":
      return { option: dualAxisOption(drawn), insights: findInsights(data, language) };
  }
  return { option: namedOption({ ...drawn, data: named(data) }), insights: [] };
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

/** Points in time and numbers become names. */
function named(data: SeriesData): SeriesData {
  if (data.axis === "category") return data;
  const places = [...new Set(data.series.flatMap(({ points }) => points.map(([x]) => x)))].sort((
    one,
    other,
  ) => one - other);
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

function dotInsights({ x, y }: ChartPlan, language: Language): Insight[] {
  const across = x?.kind === "number" ? x : x?.kind === "time" ? null : y[0] ?? null;
  const up = y.find((column) => column !== across);
  if (across === null || up === undefined) return [];
  const points = across.values.flatMap((left, row): [number, number][] => {
    const height = up.values[row];
    return left === null || height === null || height === undefined ? [] : [[left, height]];
  });
  return findDotInsights({ names: [across.name, up.name], points }, language);
}
