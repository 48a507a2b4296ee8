import { shortText, textWidth } from "../series/words.ts";

/** Options of the library of charts, as JSON. */
export type Option = Record<string, unknown> & { series: Record<string, unknown>[] };

/** Width and height of charts, in pixels. */
export const SIZE = { width: 1000, height: 600 } as const;

const INK = "#333";
const TITLE_SIZE = 18;
const LONGEST_TITLE = 240;
const TEXT_WIDTH = SIZE.width - 80;
/** Colours of series, slices and names. */
export const COLORS = [
  "#3b6fd4",
  "#f2913d",
  "#35a773",
  "#d9534f",
  "#8661c1",
  "#8c6d4f",
  "#e07bb5",
  "#6b7280",
  "#b5a72a",
  "#2aa9bf",
  "#1f3b73",
  "#a33b3b",
];

/** What all charts have: a title, a legend if there is something to tell apart, colours. */
export function frame(
  title: string,
  { legend, trigger = "item" }: { legend: boolean; trigger?: "item" | "axis" },
): Record<string, unknown> {
  return {
    useUTC: true,
    animation: false,
    color: COLORS,
    backgroundColor: "#fff",
    textStyle: { fontFamily: "sans-serif", color: INK },
    title: {
      text: shortText(title, LONGEST_TITLE),
      left: "center",
      top: 12,
      textStyle: {
        fontSize: TITLE_SIZE,
        lineHeight: 24,
        fontWeight: "normal",
        color: INK,
        width: TEXT_WIDTH,
        overflow: "break",
      },
      subtextStyle: {
        fontSize: 12,
        lineHeight: 17,
        color: "#666",
        width: TEXT_WIDTH,
        overflow: "break",
      },
    },
    // As text: names are never read as HTML.
    tooltip: { trigger, confine: true, renderMode: "richText" },
    ...(legend ? { legend: { bottom: 8, left: "center", width: TEXT_WIDTH, type: "plain" } } : {}),
  };
}

/**
 * Where the axes lie: between the title and the legend.
 *
 * @param names What the legend tells apart; empty without one
 */
export function grid(title: string, names: readonly string[]): Record<string, unknown> {
  const titleLines = Math.ceil(textWidth(shortText(title, LONGEST_TITLE)) * TITLE_SIZE / TEXT_WIDTH);
  const legendWidth = names.reduce((sum, name) => sum + textWidth(name) * 12 + 45, 0);
  const legendLines = Math.ceil(legendWidth / TEXT_WIDTH);
  const top = 64 + 24 * Math.max(1, titleLines);
  return {
    left: 40,
    right: 48,
    top,
    bottom: legendLines === 0 ? 36 : 42 + 22 * legendLines,
    containLabel: true,
  };
}

/** The name of an axis with its unit. */
export function withUnit(name: string, unit: string | null): string {
  return unit === null ? name : name === "" ? unit : `${name} (${unit})`;
}
