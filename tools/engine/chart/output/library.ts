import bytes from "echarts/dist/echarts.min.js" with { type: "bytes" };

import type { Option } from "../option/frame.ts";
import { SIZE } from "../option/frame.ts";
import { withSizedLabels } from "./sized_labels.ts";
import type { Language } from "../series/words.ts";

/** The used part of the library of charts. */
interface Library {
  init(
    element: null,
    theme: null,
    options: { renderer: "svg"; ssr: true; width: number; height: number; locale: "EN" | "ZH" },
  ): { setOption(option: Option): void; renderToSVGString(): string; dispose(): void };
}

/** The code of the library, for pages. */
export const libraryCode: string = new TextDecoder().decode(bytes);

/** One copy of the code serves pages and this room. */
function load(): Library {
  const exports = {} as Library;
  // Without `window` and `document`, as in a room, it draws into a text. A picture does not move: no timer is left behind.
  new Function("exports", "module", "setTimeout", libraryCode)(exports, { exports }, () => 0);
  return exports;
}

let library: Library | undefined;

/**
 * Draws a chart as SVG. Lines stand in a frame that cuts off what lies beyond their axes. Nothing does, and a picture with
 * such a frame takes ten times as long, so it is left out; only the names in a treemap need theirs.
 */
export function renderChart(option: Option, language: Language): string {
  library ??= load();
  const locale = language === "zh" ? "ZH" : "EN";
  const chart = library.init(null, null, { renderer: "svg", ssr: true, ...SIZE, locale });
  try {
    chart.setOption(withSizedLabels(option, language));
    const svg = chart.renderToSVGString();
    const isCut = option.series.some(({ type }) => type === "treemap");
    return isCut ? svg : svg.replaceAll(/ clip-path="[^"]*"/g, "");
  } finally {
    chart.dispose();
  }
}
