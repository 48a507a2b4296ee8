import type { Option } from "../option/frame.ts";
import { shortText } from "../series/words.ts";
import type { Insight, Mark } from "./find_insights.ts";

const INK = "#b4232c";
const LABEL = { color: INK, backgroundColor: "rgba(255,255,255,0.75)", padding: [1, 3] };
const MOST_LINES = 3;
const LONGEST_LINE = 130;

/** Draws insights onto the options of a chart: their marks, and their sentences below the title. */
export function drawInsights(option: Option, insights: readonly Insight[]): Option {
  const title = option.title as Record<string, unknown>;
  const subtext = insights.slice(0, MOST_LINES).map(({ text }) => shortText(text, LONGEST_LINE)).join("\n");
  const lying = (option.yAxis as { type?: string } | undefined)?.type === "category";
  const lines = Math.min(insights.length, MOST_LINES);
  const moved = option.grid as { top?: number } | undefined;
  return {
    ...option,
    title: { ...title, subtext },
    ...(hasAxes(option) ? { yAxis: widened(option, insights) } : {}),
    ...(moved?.top === undefined ? {} : { grid: { ...moved, top: moved.top + 17 * lines } }),
    series: option.series.map((series, at) => {
      const marks = ofSeries(insights, at);
      // In a stack, a value stands elsewhere than at its height.
      if (marks.length === 0 || !hasAxes(option) || series.stack !== undefined) return series;
      // The values of marked points are said by their marks.
      const quiet = series.type === "bar" && marks.some(({ form }) => form === "point")
        ? { label: { show: false } }
        : {};
      return { ...series, ...quiet, ...marked(marks, { lying, bars: series.type === "bar" }) };
    }),
  };
}

type Axis = Record<string, unknown>;

/** The library leaves lines out that end beyond an axis: it grows to hold them. */
function widened({ yAxis, series }: Option, insights: readonly Insight[]): unknown {
  const lines = insights.flatMap(({ marks }) => marks).filter((mark) => mark.form === "line");
  const grown = (axis: Axis, at: number): Axis => {
    const own = (index: number) => (series[index]?.yAxisIndex ?? 0) === at;
    const ends = lines.filter((line) => own(line.series) && series[line.series]?.stack === undefined).flatMap(
      ({ from, to }) => [from[1], to[1]],
    );
    const values = series.flatMap(({ data }, index) =>
      own(index) ? (data as unknown[]).flatMap(heightOf) : []
    );
    if (axis.type !== "value" || ends.length === 0 || values.length === 0) return axis;
    const [low, high] = rangeOf(values);
    const [least, most] = rangeOf(ends);
    const span = high - low || Math.abs(low) || 1;
    const gap = (beyond: number) => beyond > 0 ? `${(100 * beyond / span + 1).toFixed(1)}%` : "0%";
    return { ...axis, boundaryGap: [gap(low - least), gap(most - high)] };
  };
  return Array.isArray(yAxis) ? yAxis.map(grown) : grown(yAxis as Axis, 0);
}

/** The value of a point, as the options of charts write it. */
function heightOf(point: unknown): number[] {
  if (typeof point === "number") return [point];
  const value = Array.isArray(point) ? point[1] : (point as { value?: unknown } | null)?.value;
  return typeof value === "number" ? [value] : Array.isArray(value) ? heightOf(value) : [];
}

function rangeOf(values: readonly number[]): [number, number] {
  return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ]);
}

/** The marks of one series; of several at one point, the first. */
function ofSeries(insights: readonly Insight[], series: number): Mark[] {
  const taken = new Set<string>();
  return insights.flatMap(({ marks }) => marks).filter((mark) => {
    if (mark.series !== series) return false;
    if (mark.form !== "point") return true;
    const place = mark.at.join();
    const isFree = !taken.has(place);
    taken.add(place);
    return isFree;
  });
}

function hasAxes(option: Option): boolean {
  return option.xAxis !== undefined;
}

function marked(
  marks: readonly Mark[],
  { lying, bars }: { lying: boolean; bars: boolean },
): Record<string, unknown> {
  const place = ([x, y]: [number, number]) => lying ? [y, x] : [x, y];
  const points = marks.filter((mark) => mark.form === "point").map(({ at, text, lower = false }) => ({
    coord: place(at),
    value: text,
    symbol: "circle",
    symbolSize: 12,
    label: { ...LABEL, show: true, position: lying || lower && !bars ? "right" : "top", formatter: text },
  }));
  const lines = marks.flatMap((mark): unknown[] => {
    if (mark.form === "level") {
      return [{
        [lying ? "xAxis" : "yAxis"]: mark.value,
        // The line of lying bars stands: its words lie above it.
        label: { ...LABEL, formatter: mark.text, position: lying ? "start" : "insideEndTop" },
        symbol: "none",
      }];
    }
    if (mark.form === "line") {
      return [[{ coord: place(mark.from), symbol: "none" }, {
        coord: place(mark.to),
        symbol: "arrow",
        label: { ...LABEL, formatter: mark.text, position: "insideMiddleTop" },
      }]];
    }
    return [];
  });
  return {
    ...(points.length > 0
      ? {
        markPoint: {
          silent: true,
          itemStyle: { color: "transparent", borderColor: INK, borderWidth: 2 },
          data: points,
        },
      }
      : {}),
    ...(lines.length > 0
      ? {
        markLine: {
          silent: true,
          symbol: ["none", "none"],
          lineStyle: { color: INK, type: "dashed", width: 1.5 },
          label: { show: true },
          data: lines,
        },
      }
      : {}),
  };
}
