import { LARGE, shortText, textWidth } from "../series/words.ts";

/** Options of the library of charts, as JSON. */
export type Option = Record<string, unknown> & { series: Record<string, unknown>[] };

/** Width and height of charts, in pixels. */
export const SIZE = { width: 1000, height: 600 } as const;

/** Stands for labels that are written with words for their size: options are JSON, and hold no functions. */
export const SIZED = "{sized}";

const INK = "#333";
/** Names beside each other that all have room. */
const MOST_STANDING = 16;
const LABELS_WIDTH = 800;
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

/** Labels of an axis of values: short ones for large numbers. */
export function valueLabels(values: readonly (number | null)[]): Record<string, unknown> {
  const isLarge = values.some((value) => value !== null && Math.abs(value) >= LARGE);
  return isLarge ? { axisLabel: { formatter: SIZED } } : {};
}

/** Labels of standing bars: few names are all written, in lines; of many, those that have room. */
export function nameLabels(names: readonly string[]): Record<string, unknown> {
  if (names.length > MOST_STANDING) {
    return { width: 200, overflow: "truncate", hideOverlap: true, lineHeight: 14 };
  }
  const width = Math.max(48, Math.min(220, Math.floor(LABELS_WIDTH / Math.max(names.length, 1))));
  return { width, overflow: "break", interval: 0, lineHeight: 14 };
}

/** The name of an axis with its unit. */
export function withUnit(name: string, unit: string | null): string {
  return unit === null ? name : name === "" ? unit : `${name} (${unit})`;
}
