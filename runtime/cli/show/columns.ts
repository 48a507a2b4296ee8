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

/** Returns a line for each row, with two spaces between columns that are as wide as their widest cell. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    }
  }
  const pad = (cell: string, column: number) => cell + " ".repeat(widths[column]! - widthOf(cell));
  return rows.map((row) => `${row.map(pad).join("  ").trimEnd()}\n`).join("");
}
