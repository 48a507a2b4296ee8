import { renderMermaidSVG } from "beautiful-mermaid";

/** Draws a diagram as the address of a picture; `null` if it is not understood. */
export function drawDiagram(text: string): string | null {
  try {
    const svg = renderMermaidSVG(text, { bg: "#ffffff", fg: "#23262b", font: "sans-serif", padding: 16 });
    // Pictures load nothing from outside; the fonts that it asks for would only be refused.
    return `data:image/svg+xml,${encodeURIComponent(svg.replace(/@import url\([^)]*\);/g, ""))}`;
  } catch {
    return null;
  }
}
