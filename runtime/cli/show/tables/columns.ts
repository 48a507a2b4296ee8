// The npm build of @std/cli lacks the table that its `unicodeWidth` reads.
import measure from "fast-string-truncated-width";

/** Returns how many columns of a terminal a text on one line takes: a Chinese character or an emoji takes two. */
export function widthOf(text: string): number {
  return measure(text).width;
}

/** Returns a text that takes at most so many columns, with `…` in place of its end if it is longer. */
export function cutEnd(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = "";
  let left = columns - widthOf("…");
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= widthOf(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Returns the end of a text that takes at most so many columns. */
export function cutStart(text: string, columns: number): string {
  // An emoji is up to eleven units of UTF-16, and what stands before is not looked at: the text may be long.
  const end = new Intl.Segmenter().segment(text.slice(-11 * columns));
  let kept = "";
  let left = columns;
  for (const { segment } of [...end].reverse()) {
    left -= widthOf(segment);
    if (left < 0) break;
    kept = segment + kept;
  }
  return kept;
}

/** How a table becomes narrow enough. */
export interface TableFit {
  /** Columns of the terminal; `null` for no bound. */
  width: number | null;
  /** Which columns may be cut and to how much, the first one first. */
  narrow: readonly (readonly [column: number, width: number])[];
}

const GAP = "  ";

/** Returns a line for each row, with two spaces between columns that are as wide as their widest cell, or cut to fit. */
export function renderTable(
  rows: readonly (readonly string[])[],
  { width, narrow }: TableFit = { width: null, narrow: [] },
): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    }
  }
  let over = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - (width ?? Infinity);
  for (const [column, least] of narrow) {
    const cut = Math.max(0, Math.min(over, widths[column]! - least));
    widths[column]! -= cut;
    over -= cut;
  }
  const pad = (cell: string, column: number) => {
    const shown = cutEnd(cell, widths[column]!);
    return shown + " ".repeat(widths[column]! - widthOf(shown));
  };
  return rows.map((row) => `${row.map(pad).join(GAP).trimEnd()}\n`).join("");
}
