import type { ChartType } from "./chart_wish.ts";

/** Kinds of other programs that are not drawn here, and what shows the same numbers. */
const STAND_INS: readonly [wanted: string, words: RegExp, type: ChartType][] = [
  ["liquid", /\bliquid\b|水波图|水球图/i, "circular_progress"],
  ["circle packing", /circle[ _-]?packing|packed circles?|圆形?填充|气泡填充/i, "treemap"],
  ["Venn diagram", /\bvenn\b|维恩图|韦恩图|文氏图/i, "bar"],
  ["map", /\b(?:choropleth|map chart|world map|geo ?map)\b|地图/i, "bar"],
  ["moving bars", /dynamic[ _-]?bar|bar[ _-]?race|动态条形|动态柱状/i, "bar"],
];

/**
 * The kind that is drawn in place of one that is not drawn here.
 *
 * @param options `named` says that the text is the name of a kind, not a title
 */
export function inPlaceOf(
  text: string,
  { named }: { named: boolean },
): { wanted: string; type: ChartType } | null {
  const [wanted, , type] =
    STAND_INS.find(([name, words]) =>
      words.test(text) || named && name === "map" && /^\s*map\s*$/i.test(text)
    ) ??
      [];
  return wanted === undefined || type === undefined ? null : { wanted, type };
}
