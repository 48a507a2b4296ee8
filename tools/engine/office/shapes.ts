import { cellText, type TextBudget } from "./text.ts";
import type { XmlAttributes } from "./package/xml.ts";

const MAX_INDENT = 8;
const TITLES: ReadonlySet<string> = new Set(["title", "ctrTitle"]);

interface Shape {
  /** What it is for on the slide, such as "title" or "sldNum". */
  purpose: string;
  lines: string[];
}

/** Collects the text of drawings: the paragraphs of each shape, and the rows of each table. */
export function createShapes(budget: TextBudget) {
  const shapes: Shape[] = [];
  let shape: Shape = startShape(shapes);
  let cells: string[] | null = null;
  let cell: string[] | null = null;
  let paragraph: string | null = null;
  let indent = 0;
  let fallbacks = 0;
  let inText = false;
  const closeParagraph = () => {
    const text = (paragraph ?? "").trimEnd();
    budget.spend(indent * 2 + 1);
    if (cell) cell.push(text);
    else if (text !== "") shape.lines.push(`${"  ".repeat(indent)}${text}`);
    paragraph = null;
  };
  const add = (text: string) => {
    budget.spend(text.length);
    if (paragraph !== null) paragraph += text;
  };
  return {
    open(name: string, attributes: XmlAttributes): void {
      if (name === "Fallback") fallbacks++;
      if (fallbacks > 0) return;
      if (name === "sp" || name === "graphicFrame" || name === "pt") shape = startShape(shapes);
      if (name === "ph") shape.purpose = attributes.type ?? "";
      if (name === "tr") cells = [];
      if (name === "tc") cell = [];
      if (name === "p") [paragraph, indent] = ["", 0];
      if (name === "pPr") indent = Math.min(Math.max(Number(attributes.lvl) || 0, 0), MAX_INDENT);
      if (name === "br") add("\n");
      if (name === "t") inText = true;
    },
    close(name: string): void {
      if (name === "Fallback") fallbacks--;
      if (fallbacks > 0) return;
      if (name === "t") inText = false;
      if (name === "p") closeParagraph();
      if (name === "tc" && cell) {
        cells?.push(cellText(cell.join(" ")));
        cell = null;
      }
      if (name === "tr" && cells) {
        budget.spend(cells.length);
        shape.lines.push(cells.join("\t").trimEnd());
        cells = null;
      }
    },
    text(text: string): void {
      if (inText && fallbacks === 0) add(text);
    },
    /** Returns the titles, then all others, parted by empty lines; shapes of the named purposes are left out. */
    result({ leftOut }: { leftOut: readonly string[] }): string {
      const kept = shapes.filter(({ purpose, lines }) => lines.length > 0 && !leftOut.includes(purpose));
      const titles = kept.filter(({ purpose }) => TITLES.has(purpose));
      const others = kept.filter(({ purpose }) => !TITLES.has(purpose));
      return [...titles, ...others].map(({ lines }) => lines.join("\n")).join("\n\n");
    },
  };
}

function startShape(shapes: Shape[]): Shape {
  const shape = { purpose: "", lines: [] };
  shapes.push(shape);
  return shape;
}
