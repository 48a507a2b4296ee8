/** Lines of a text that was kept. */
export interface LineRange {
  text: string;
  /** First line, from 1. */
  startLine: number;
  /** Last line of the text; 0 if there is none. A line that was cut counts. */
  endLine: number;
  /** Lines of the whole. */
  totalLines: number;
  /** There is more within the lines that were asked for: the text was cut at `maxChars`. */
  isCut: boolean;
  /** Where to read on: the first line that is not whole in the text. `null` at the end of the whole. */
  nextLine: number | null;
}

/**
 * Returns a range of lines, cut at a number of characters. A line longer than that is cut within itself.
 *
 * @param range Lines from 1; `endLine` is the last one, or beyond the end. The text may be a part of a longer one: then
 * `firstLine` is its first line, `totalLines` is the length of the longer one, and all that is wanted is in the part
 */
export function lineRange(
  text: string,
  { startLine, endLine = Infinity, maxChars, firstLine = 1, totalLines }: {
    startLine: number;
    endLine?: number;
    maxChars: number;
    firstLine?: number;
    totalLines?: number;
  },
): LineRange {
  const lines = text === "" && totalLines === undefined ? [] : text.split("\n");
  const all = totalLines ?? lines.length;
  const wanted = startLine > all
    ? ""
    : lines.slice(startLine - firstLine, endLine - firstLine + 1).join("\n");
  const isCut = wanted.length > maxChars;
  const shown = isCut ? withoutHalf(wanted.slice(0, maxChars)) : wanted;
  const count = shown === "" && wanted === "" && startLine > all ? 0 : shown.split("\n").length;
  const lastLine = count === 0 ? 0 : startLine + count - 1;
  // The line that the cut is in was not read to its end.
  const whole = isCut && wanted[shown.length] !== "\n" ? lastLine - 1 : lastLine;
  const next = Math.max(whole + 1, startLine + (isCut && count === 1 ? 1 : 0));
  return {
    text: shown,
    startLine,
    endLine: lastLine,
    totalLines: all,
    isCut,
    nextLine: count === 0 || next > all ? null : next,
  };
}

/** Takes half of a character away from the end. */
function withoutHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
