import { following, type PageElement, type PageNode } from "../dom/node.ts";
import { isGutter } from "./code.ts";
import type { Writer } from "./writer.ts";

const MAX_COLUMNS = 50;
const MAX_ROWS = 5000;
const MAX_ROW_SPAN = 500;
/** A longer cell holds a part of the page, not a value. */
const MAX_CELL = 2000;
const SECTIONS: ReadonlySet<string> = new Set(["thead", "tbody", "tfoot"]);
/** They cannot stand in a cell. */
const TOO_LARGE: ReadonlySet<string> = new Set(["table", "pre", "h1", "h2", "h3", "blockquote"]);

/** A table: its rows, without those of tables within it. */
interface Rows {
  caption: PageElement | null;
  rows: PageElement[];
  cut: boolean;
}

/** Writes a table with data as one block, and one that only arranges the page as the blocks that it holds. */
export function writeTable(table: PageElement, writer: Writer): string[] {
  const found = rowsOf(table);
  const caption = found.caption === null ? "" : writer.inline(found.caption).trim();
  const lead = caption === "" ? [] : [caption];
  const lines = isLayout(table, found.rows) ? null : gridOf(found.rows, writer);
  if (lines === null) {
    return [...lead, ...found.rows.flatMap((row) => cellsOf(row).flatMap((cell) => writer.blocks(cell)))];
  }
  const width = Math.max(...lines.map(({ length }) => length));
  const [first = [], ...rest] = lines;
  const rendered = [first, Array.from({ length: width }, () => "---"), ...rest].map((line) =>
    `| ${Array.from({ length: width }, (_, at) => line[at] ?? "").join(" | ")} |`
  );
  if (found.cut) rendered.push(`| … only the first ${MAX_ROWS} rows |`);
  return [...lead, rendered.join("\n")];
}

function rowsOf(table: PageElement): Rows {
  const found: Rows = { caption: null, rows: [], cut: false };
  for (const child of table.children) {
    if (child.localName === "caption") found.caption ??= child;
    if (child.localName === "tr") found.rows.push(child);
    if (SECTIONS.has(child.localName)) {
      for (const row of child.children) if (row.localName === "tr") found.rows.push(row);
    }
  }
  found.cut = found.rows.length > MAX_ROWS;
  found.rows.length = Math.min(found.rows.length, MAX_ROWS);
  return found;
}

function cellsOf(row: PageElement): PageElement[] {
  return row.children.filter((cell) =>
    (cell.localName === "td" || cell.localName === "th") && !isGutter(cell)
  );
}

function isLayout(table: PageElement, rows: readonly PageElement[]): boolean {
  const role = table.getAttribute("role");
  if (role === "presentation" || role === "none") return true;
  if (rows.every((row) => cellsOf(row).length < 2)) return true;
  return rows.some((row) => cellsOf(row).some(holdsLarge));
}

function holdsLarge(cell: PageElement): boolean {
  for (let node: PageNode | null = cell.firstChild; node !== null; node = following(node, cell)) {
    if (node.nodeType === 1 && TOO_LARGE.has(node.localName)) return true;
  }
  return false;
}

/** Returns the texts of all cells, those that span filled with blanks; `null` if a cell is too long. */
function gridOf(rows: readonly PageElement[], writer: Writer): string[][] | null {
  const lines: string[][] = [];
  /** How many more rows a cell above reaches down, by column. */
  const reaches: number[] = [];
  for (const row of rows) {
    const line: string[] = [];
    const skipReached = () => {
      while ((reaches[line.length] ?? 0) > 0) {
        reaches[line.length]!--;
        line.push("");
      }
    };
    for (const cell of cellsOf(row)) {
      skipReached();
      if (line.length >= MAX_COLUMNS) break;
      const text = cellText(cell, writer);
      if (text.length > MAX_CELL) return null;
      const columns = Math.min(spanOf(cell, "colspan"), MAX_COLUMNS - line.length);
      const down = Math.min(spanOf(cell, "rowspan"), MAX_ROW_SPAN) - 1;
      for (let column = 0; column < columns; column++) {
        reaches[line.length] = down;
        line.push(column === 0 ? text : "");
      }
    }
    skipReached();
    if (line.some((text) => text !== "")) lines.push(line);
  }
  return lines.length === 0 ? [] : lines;
}

function spanOf(cell: PageElement, name: string): number {
  const span = Number(cell.getAttribute(name) ?? 1);
  return Number.isInteger(span) && span > 0 ? span : 1;
}

function cellText(cell: PageElement, writer: Writer): string {
  const text = writer.isBlock(cell) && cell.children.some((child) => writer.isBlock(child))
    ? writer.blocks(cell).join("\n")
    : writer.inline(cell);
  return text.trim().replace(/\|/g, "\\|").replace(/\s*\n\s*/g, "<br>");
}
