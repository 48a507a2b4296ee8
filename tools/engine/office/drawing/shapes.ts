import { cellText, type TextBudget } from "../text/text.ts";
import type { LeftOut } from "../text/left_out.ts";
import { linkText } from "../text/links.ts";
import { prefixedAttribute, type XmlAttributes } from "../package/xml.ts";

const MAX_INDENT = 8;
const TITLES: ReadonlySet<string> = new Set(["title", "ctrTitle"]);

interface Shape {
  /** The element that it is, such as "pic". */
  element: string;
  /** What it is for on the slide, such as "title" or "sldNum"; `null` if it stands in no place of the layout. */
  purpose: string | null;
  lines: string[];
}

/** Options of {@linkcode createShapes}. */
export interface ShapesOptions {
  budget: TextBudget;
  /** Counts pictures. */
  leftOut?: LeftOut;
  /** Addresses of links by their ids. */
  addresses?: ReadonlyMap<string, string>;
}

/** Elements that are shapes by themselves. */
const SHAPES: ReadonlySet<string> = new Set(["sp", "graphicFrame", "pt", "pic", "cxnSp"]);

/** Where the reading of a drawing stands. */
interface Drawing extends ShapesOptions {
  shapes: Shape[];
  shape: Shape;
  cells: string[] | null;
  cell: string[] | null;
  paragraph: { text: string; indent: number } | null;
  /** The open run: where in its paragraph it began, and where it leads. */
  run: { at: number; address: string } | null;
}

/** Collects the text of drawings: the paragraphs of each shape, the rows of each table, and what pictures show. */
export function createShapes(options: ShapesOptions) {
  const shapes: Shape[] = [];
  const shape = startShape(shapes, "");
  const drawing: Drawing = { ...options, shapes, shape, cells: null, cell: null, paragraph: null, run: null };
  let fallbacks = 0;
  let inText = false;
  return {
    open(name: string, attributes: XmlAttributes): void {
      if (name === "Fallback") fallbacks++;
      if (fallbacks > 0) return;
      openElement(name, attributes, drawing);
      if (name === "t") inText = true;
    },
    close(name: string): void {
      if (name === "Fallback") fallbacks--;
      if (fallbacks > 0) return;
      if (name === "t") inText = false;
      closeElement(name, drawing);
    },
    text(text: string): void {
      if (inText && fallbacks === 0) addText(text, drawing);
    },
    /**
     * Returns the titles, then all others, parted by empty lines. Shapes of the named purposes are left out, or all that
     * have a purpose.
     */
    result({ leftOut }: { leftOut: readonly string[] | "placeholders" }): string {
      const isLeftOut = (purpose: string) => leftOut === "placeholders" || leftOut.includes(purpose);
      const kept = shapes.filter(({ purpose, lines }) =>
        lines.length > 0 && !(purpose !== null && isLeftOut(purpose))
      );
      const isTitle = ({ purpose }: Shape) => TITLES.has(purpose ?? "");
      const titles = kept.filter(isTitle);
      const others = kept.filter((shape) => !isTitle(shape));
      return [...titles, ...others].map(({ lines }) => lines.join("\n")).join("\n\n");
    },
  };
}

function openElement(name: string, attributes: XmlAttributes, drawing: Drawing): void {
  if (SHAPES.has(name)) drawing.shape = startShape(drawing.shapes, name);
  if (name === "pic") drawing.leftOut?.add("picture");
  if (name === "cNvPr") addWords(attributes, drawing);
  if (name === "hlinkClick") addAddress(attributes, drawing);
  if (name === "ph") drawing.shape.purpose = attributes.type ?? "";
  if (name === "tr") drawing.cells = [];
  if (name === "tc") drawing.cell = [];
  if (name === "p") drawing.paragraph = { text: "", indent: 0 };
  if (name === "pPr" && drawing.paragraph) {
    drawing.paragraph.indent = Math.min(Math.max(Number(attributes.lvl) || 0, 0), MAX_INDENT);
  }
  if (name === "br") addText("\n", drawing);
  if (name === "r" || name === "fld") drawing.run = { at: drawing.paragraph?.text.length ?? 0, address: "" };
}

function closeElement(name: string, drawing: Drawing): void {
  const { budget, shape, cells, cell, paragraph, run } = drawing;
  if (run && (name === "r" || name === "fld")) {
    if (paragraph) {
      paragraph.text = paragraph.text.slice(0, run.at) + linkText(paragraph.text.slice(run.at), run.address);
    }
    drawing.run = null;
  }
  if (name === "p" && paragraph) {
    const text = paragraph.text.trimEnd();
    budget.spend(paragraph.indent * 2 + 1);
    if (cell) cell.push(text);
    else if (text !== "") shape.lines.push(`${"  ".repeat(paragraph.indent)}${text}`);
    drawing.paragraph = null;
  }
  if (name === "tc" && cell) {
    cells?.push(cellText(cell.join(" ")));
    drawing.cell = null;
  }
  if (name === "tr" && cells) {
    budget.spend(cells.length);
    shape.lines.push(cells.join("\t").trimEnd());
    drawing.cells = null;
  }
}

function addText(text: string, { budget, paragraph }: Drawing): void {
  budget.spend(text.length);
  if (paragraph) paragraph.text += text;
}

function addWords({ descr = "" }: XmlAttributes, { budget, shape }: Drawing): void {
  const words = cellText(descr);
  budget.spend(words.length);
  if (words !== "") shape.lines.push(`[${shape.element === "pic" ? "image" : "alt text"}: ${words}]`);
}

function addAddress(attributes: XmlAttributes, { budget, addresses, shape, run }: Drawing): void {
  const address = addresses?.get(prefixedAttribute(attributes, "id") ?? "");
  if (address === undefined) return;
  budget.spend(address.length);
  if (run) run.address = address;
  else shape.lines.push(address);
}

function startShape(shapes: Shape[], element: string): Shape {
  const shape: Shape = { element, purpose: null, lines: [] };
  shapes.push(shape);
  return shape;
}
