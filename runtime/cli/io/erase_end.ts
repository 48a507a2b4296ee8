/** A line that is being typed behind a prompt. */
export interface TypedLine {
  prompt: string;
  line: string;
  /** Columns of the terminal, `null` if its cursor cannot go up. */
  columns: number | null;
}

type Measure = (text: string) => number;

const CLEAR_BELOW = "\x1b[J";
/** It takes milliseconds to make, and few calls ask a person. */
let made: Intl.Segmenter | undefined;
const segments = (text: string) => (made ??= new Intl.Segmenter()).segment(text);

/** Length of the last character as a reader sees it. */
export function lastLength(line: string): number {
  let length = 0;
  for (const { segment } of segments(line.slice(-64))) length = segment.length;
  return length;
}

/** Returns what takes the end of a typed line off a terminal, so that `left` of it stays. */
export async function eraseEnd({ prompt, line, columns }: TypedLine, left: string): Promise<string> {
  const { default: measure } = await import("fast-string-truncated-width");
  const widthOf: Measure = (text) => measure(text).width;
  const back = "\b \b".repeat(widthOf(line.slice(left.length)));
  if (columns === null) return back;
  const { row, column } = endOf(`${prompt}${line}`, columns, widthOf);
  // Behind a full row, terminals differ in where the cursor stands.
  if (row === 0 && column < columns) return back;
  return `${row > 0 ? `\x1b[${row}A` : ""}\r${CLEAR_BELOW}${prompt}${left}`;
}

/** Where a text ends that a terminal folds: its row from 0, and the columns before it. */
function endOf(text: string, columns: number, widthOf: Measure): { row: number; column: number } {
  let row = 0;
  let column = 0;
  for (const { segment } of segments(text)) {
    const width = widthOf(segment);
    if (column + width > columns) {
      row += 1;
      column = 0;
    }
    column += width;
  }
  return { row, column };
}
