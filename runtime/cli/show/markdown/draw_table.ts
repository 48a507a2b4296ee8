import { type Canvas, longestWord, paint, spansWidth, type Styled, wrapSpans } from "./spans.ts";

/** A cell that is narrower, and has more to say, cannot be read. */
const LEAST_CELL = 12;
const GAP = "  ";
const INDENT = "    ";

/** A table of cells, each of pieces of text. */
export interface CellTable {
  head: readonly (readonly Styled[])[];
  rows: readonly (readonly (readonly Styled[])[])[];
  align?: readonly (string | null)[];
}

/**
 * Returns a table as lines: columns as wide as their cells, which are wrapped where the table is too wide; where even that
 * does not fit, the first cell of each row with the others below it.
 */
export function drawTable({ head, rows, align = [] }: CellTable, canvas: Canvas): string[] {
  const all = [head, ...rows];
  const natural = head.map((_, at) => Math.max(1, ...all.map((row) => spansWidth(row[at] ?? []))));
  const room = canvas.columns - GAP.length * (head.length - 1);
  const widths = fit(natural, least(all), room);
  if (widths === null) return rows.flatMap((row) => drawRecord(head, row, canvas));
  const line = (row: CellTable["head"]) => drawRow(row, { widths, align }, canvas);
  const rule = widths.map((width) => "-".repeat(width)).join(GAP);
  const bold = head.map((cell) => cell.map(({ text }) => ({ text, style: "1" })));
  return [
    ...line(bold),
    paint([{ text: canvas.colors ? rule.replaceAll("-", "─") : rule, style: "2" }], canvas),
    ...rows.flatMap(line),
  ];
}

/** The least width of each column: that of its longest word. */
function least(rows: CellTable["rows"]): number[] {
  return rows[0]!.map((_, at) => Math.max(LEAST_CELL, ...rows.map((row) => longestWord(row[at] ?? []))));
}

/** Takes from the widest columns until all fit; `null` if they cannot. */
function fit(natural: readonly number[], floor: readonly number[], columns: number): number[] | null {
  const widths = natural.map((width) => Math.min(width, columns));
  if (widths.length > columns) return null;
  const sum = () => widths.reduce((all, width) => all + width, 0);
  const bound = floor.map((one, at) => Math.min(natural[at]!, one));
  while (sum() > columns) {
    const widest = widths.map((width, at) => [width - bound[at]!, width, at] as const)
      .filter(([spare]) => spare > 0).toSorted((one, other) => other[1] - one[1])[0];
    if (!widest) return null;
    widths[widest[2]]!--;
  }
  return widths;
}

function drawRow(
  row: CellTable["head"],
  { widths, align }: { widths: readonly number[]; align: readonly (string | null)[] },
  canvas: Canvas,
): string[] {
  const cells = widths.map((width, at) => wrapSpans(row[at] ?? [], width));
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    widths.map((width, at) => {
      const spans = cells[at]![line] ?? [];
      const left = Math.max(0, width - spansWidth(spans));
      const before = align[at] === "right" ? left : align[at] === "center" ? Math.floor(left / 2) : 0;
      return " ".repeat(before) + paint(spans, canvas) + " ".repeat(left - before);
    }).join(GAP).trimEnd());
}

/** A row of a table that is too wide: its first cell, and the others indented, the later ones with their heads. */
function drawRecord(head: CellTable["head"], row: CellTable["head"], canvas: Canvas): string[] {
  const [name = [], ...others] = row;
  const told = others.flatMap((cell, at) => {
    if (spansWidth(cell) === 0) return [];
    const lead: Styled[] = at === 0
      ? []
      : [...head[at + 1]!.map(({ text }) => ({ text, style: "2" })), { text: ": ", style: "2" }];
    return wrapSpans([...lead, ...cell], canvas.columns - INDENT.length)
      .map((line) => `${INDENT}${paint(line, canvas)}`);
  });
  return [...wrapSpans(name, canvas.columns).map((line) => paint(line, canvas)), ...told];
}
