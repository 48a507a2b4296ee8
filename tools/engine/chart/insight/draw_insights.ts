import type { Option } from "../option/frame.ts";
import type { Insight, Mark } from "./find_insights.ts";

const INK = "#b4232c";
const LABEL = { color: INK, backgroundColor: "rgba(255,255,255,0.75)", padding: [1, 3] };
const MOST_LINES = 3;
const LONGEST_LINE = 130;

/** Draws insights onto the options of a chart: their marks, and their sentences below the title. */
export function drawInsights(option: Option, insights: readonly Insight[]): Option {
  const title = option.title as Record<string, unknown>;
  const subtext = insights.slice(0, MOST_LINES).map(({ text }) => text.slice(0, LONGEST_LINE)).join("\n");
  const lying = (option.yAxis as { type?: string } | undefined)?.type === "category";
  const lines = Math.min(insights.length, MOST_LINES);
  const moved = option.grid as { top?: number } | undefined;
  return {
    ...option,
    title: { ...title, subtext },
    ...(moved?.top === undefined ? {} : { grid: { ...moved, top: moved.top + 17 * lines } }),
    series: option.series.map((series, at) => {
      const marks = ofSeries(insights, at);
      if (marks.length === 0 || !hasAxes(option)) return series;
      // The values of marked points are said by their marks.
      const quiet = marks.some(({ form }) => form === "point") ? { label: { show: false } } : {};
      return { ...series, ...quiet, ...marked(marks, { lying, bars: series.type === "bar" }) };
    }),
  };
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
        label: { ...LABEL, formatter: mark.text, position: "insideEndTop" },
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
