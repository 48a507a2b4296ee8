import { offsetAfter } from "../../file/characters.ts";

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
  /** Characters of that line to pass over: it is longer than a text may be. */
  nextChar: number;
}

/**
 * Returns a range of lines, cut at a number of characters. A line longer than that is cut within itself. Characters are
 * code points.
 *
 * @param range Lines from 1; `startChar` is how much of the first line is passed over; `endLine` is the last one, or beyond the end. The text may be a part of a longer one: then
 * `firstLine` is its first line, `totalLines` is the length of the longer one, and all that is wanted is in the part
 */
export function lineRange(
  text: string,
  { startLine, startChar = 0, endLine = Infinity, maxChars, firstLine = 1, totalLines }: {
    startLine: number;
    startChar?: number;
    endLine?: number;
    maxChars: number;
    firstLine?: number;
    totalLines?: number;
  },
): LineRange {
  const lines = text === "" && totalLines === undefined ? [] : text.split("\n");
  const all = totalLines ?? lines.length;
  const whole = startLine > all ? "" : lines.slice(startLine - firstLine, endLine - firstLine + 1).join("\n");
  const feed = whole.indexOf("\n");
  const lineEnd = feed < 0 ? whole.length : feed;
  const wanted = whole.slice(Math.min(lineEnd, offsetAfter(whole, startChar)));
  const cutAt = offsetAfter(wanted, maxChars);
  const isCut = cutAt < wanted.length;
  const shown = wanted.slice(0, cutAt);
  const count = startLine > all ? 0 : shown.split("\n").length;
  const lastLine = count === 0 ? 0 : startLine + count - 1;
  const isInLine = isCut && wanted[cutAt] !== "\n";
  const next = isInLine ? lastLine : lastLine + 1;
  return {
    text: shown,
    startLine,
    endLine: lastLine,
    totalLines: all,
    isCut,
    nextLine: count === 0 || next > all ? null : next,
    // A line that began in the text is read again as a whole.
    nextChar: isInLine && count === 1 ? startChar + maxChars : 0,
  };
}
