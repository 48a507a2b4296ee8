import { wrap } from "./wrap.ts";

const WIDTH = 80;
/** A last column that is narrower cannot be read: the table becomes a list. */
const MIN_COLUMN = 24;
const GAP = "  ";

/**
 * Returns Markdown as plain text in lines of at most 80 columns: headings, paragraphs, lists and tables. Code is
 * indented, and its lines stay as they are.
 */
export function renderMarkdown(text: string): string {
  return `${blocksOf(text).map(renderBlock).join("\n\n")}\n`;
}

/** Splits a text at blank lines outside of code; a heading and an item of a list are blocks of their own. */
function blocksOf(text: string): string[][] {
  const blocks: string[][] = [[]];
  let isCode = false;
  for (const line of text.split("\n")) {
    const isFence = line.startsWith("```");
    if (isCode || isFence) {
      if (isFence && !isCode) blocks.push([]);
      blocks.at(-1)!.push(line);
      if (isFence && isCode) blocks.push([]);
      isCode = isFence ? !isCode : isCode;
    } else if (line === "") blocks.push([]);
    else blocks.at(-1)!.push(line);
  }
  return blocks.filter((block) => block.length > 0);
}

function renderBlock(lines: readonly string[]): string {
  const [first = ""] = lines;
  if (first.startsWith("```")) return lines.slice(1, -1).map(indented).join("\n");
  if (first.startsWith("#")) return renderHeading(first);
  if (first.startsWith("|")) return renderTable(lines);
  if (first.startsWith("    ")) return lines.join("\n");
  return itemsOf(lines).map(renderItem).join("\n");
}

function indented(line: string): string {
  return line === "" ? "" : `    ${line}`;
}

function renderHeading(line: string): string {
  const [marks = "", ...words] = line.split(" ");
  const title = words.join(" ");
  return `${title}\n${(marks.length === 1 ? "=" : "-").repeat(title.length)}`;
}

/** The items of a list, or the one paragraph, each on one line. */
function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (items.length === 0 || /^(-|\d+\.) /.test(line)) items.push(line);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items;
}

function renderItem(item: string): string {
  const indent = " ".repeat(/^(-|\d+\.) /.exec(item)?.[0].length ?? 0);
  return wrap(item, WIDTH - indent.length, indent);
}

function renderTable(lines: readonly string[]): string {
  const [head = [], , ...rows] = lines.map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  return layOutTable(head, rows);
}

/** Returns a table in lines of at most 80 columns: the last column is wrapped, or a wide table becomes a list. */
export function layOutTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]!.length)));
  const left = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const last = Math.min(widths.at(-1)!, WIDTH - left);
  if (last < Math.min(widths.at(-1)!, MIN_COLUMN)) {
    return rows.map((row) => renderRecord(head, row)).join("\n");
  }
  const line = (row: readonly string[]) =>
    row.map((cell, at) => at < row.length - 1 ? cell.padEnd(widths[at]!) : wrap(cell, last, " ".repeat(left)))
      .join(GAP).trimEnd();
  const rule = widths.map((width, at) => "-".repeat(at < widths.length - 1 ? width : last));
  return [head, rule, ...rows].map(line).join("\n");
}

/** A row of a wide table: a line for each cell with the head of its column, all but the first one indented. */
function renderRecord(head: readonly string[], row: readonly string[]): string {
  const lines = row.map((cell, at) => cell === "" ? "" : wrap(`${head[at]}: ${cell}`, WIDTH - 4, "    "));
  return lines.filter((line) => line !== "").join("\n  ");
}
