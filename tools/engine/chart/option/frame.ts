/** Options of the library of charts, as JSON. */
export type Option = Record<string, unknown> & { series: Record<string, unknown>[] };

/** Width and height of charts, in pixels. */
export const SIZE = { width: 1000, height: 600 } as const;

const INK = "#333";
const COLORS = [
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
      text: title,
      left: "center",
      top: 12,
      textStyle: {
        fontSize: 18,
        fontWeight: "normal",
        color: INK,
        width: SIZE.width - 80,
        overflow: "break",
      },
      subtextStyle: {
        fontSize: 12,
        lineHeight: 17,
        color: "#666",
        width: SIZE.width - 80,
        overflow: "break",
      },
    },
    tooltip: { trigger, confine: true },
    ...(legend ? { legend: { bottom: 8, left: "center", width: SIZE.width - 80, type: "plain" } } : {}),
  };
}

/** Where the axes lie: between the title and the legend. */
export function grid({ legend }: { legend: boolean }): Record<string, unknown> {
  return { left: 40, right: 48, top: 88, bottom: legend ? 64 : 36, containLabel: true };
}

/** The name of an axis with its unit. */
export function withUnit(name: string, unit: string | null): string {
  return unit === null ? name : name === "" ? unit : `${name} (${unit})`;
}
