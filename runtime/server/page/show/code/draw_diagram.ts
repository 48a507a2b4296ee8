import { renderMermaidSVG } from "beautiful-mermaid";

import { drawGantt } from "./draw_gantt.ts";
import { drawPie } from "./draw_pie.ts";
import { plainMermaid } from "./plain_mermaid.ts";

/** All are seen on white, and on a dark ground when they are turned over. */
const COLOURS = { bg: "#ffffff", fg: "#16181c", muted: "#3c4149", line: "#4a4f57", border: "#8a9099" };

/** Characters of a picture that a browser shows without a stop that is felt. */
const MOST_CHARACTERS = 1_000_000;

/** Draws a diagram as the address of a picture; `null` if it is not understood, or too large to be seen. */
export function drawDiagram(text: string): string | null {
  try {
    const plain = plainMermaid(text);
    const svg = drawPie(plain) ?? drawGantt(plain) ??
      renderMermaidSVG(plain, { ...COLOURS, font: "sans-serif", padding: 16 });
    if (svg.length > MOST_CHARACTERS) return null;
    // Pictures load nothing from outside; the fonts that it asks for would only be refused.
    return `data:image/svg+xml,${encodeURIComponent(svg.replace(/@import url\([^)]*\);/g, ""))}`;
  } catch {
    return null;
  }
}
