import { safeFormula } from "./safe_html.ts";

/** Longest sources that are drawn, in letters. */
const MAX_FORMULA = 4_000;
const MAX_DIAGRAM = 20_000;

/** Draws the formulas and diagrams in a part of the page; what cannot be drawn stays as it was written. */
export async function drawIn(element: HTMLElement, isDark: boolean): Promise<void> {
  const formulas = [...element.querySelectorAll<HTMLElement>(".formula:not([data-drawn])")];
  const diagrams = [...element.querySelectorAll<HTMLElement>("pre.diagram:not([data-drawn])")];
  if (formulas.length > 0) await drawFormulas(formulas);
  if (diagrams.length > 0) await drawDiagrams(diagrams, isDark);
}

async function drawFormulas(elements: readonly HTMLElement[]): Promise<void> {
  const { default: temml } = await import("temml");
  for (const element of elements) {
    const source = element.textContent;
    if (source.length > MAX_FORMULA) continue;
    try {
      const options = {
        displayMode: element.dataset.display === "block",
        throwOnError: true,
        trust: false,
        annotate: false,
      };
      // Its styles would be refused anyway, with a word in the console.
      const markup = temml.renderToString(source, options).replace(/ style="[^"]*"/g, "");
      element.innerHTML = safeFormula(markup);
      element.dataset.drawn = "";
    } catch {
      // It is no formula, or not a whole one yet.
    }
  }
}

async function drawDiagrams(elements: readonly HTMLElement[], isDark: boolean): Promise<void> {
  const { renderMermaidSVG } = await import("beautiful-mermaid");
  const colors = isDark ? { bg: "#16181d", fg: "#e6e8ec" } : { bg: "#ffffff", fg: "#1d2129" };
  for (const element of elements) {
    const source = element.textContent;
    if (source.length > MAX_DIAGRAM) continue;
    try {
      const drawn = renderMermaidSVG(source, { ...colors, font: "system-ui", transparent: true });
      element.replaceChildren(pictureOf(drawn, source), sourceOf(element, source));
      element.dataset.drawn = "";
    } catch {
      // It is no diagram that is known, or not a whole one yet.
    }
  }
}

/** As a picture, nothing in it runs, and nothing is loaded for it. */
function pictureOf(svg: string, source: string): HTMLElement {
  const picture = document.createElement("img");
  picture.alt = `Diagram: ${source.slice(0, 300)}`;
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  return picture;
}

function sourceOf(element: HTMLElement, source: string): HTMLElement {
  const details = element.ownerDocument.createElement("details");
  const summary = element.ownerDocument.createElement("summary");
  summary.textContent = "Source";
  const code = element.ownerDocument.createElement("code");
  code.textContent = source;
  details.append(summary, code);
  return details;
}
