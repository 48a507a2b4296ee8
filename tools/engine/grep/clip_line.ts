import { countCharacters } from "../file/characters.ts";

/** A line as it is shown; of a long line, the part around its match. */
export interface ClippedLine {
  shown: string;
  /** Characters (code points) left out before and after. */
  before: number;
  after: number;
}

/** Longest line that is shown whole, in characters. */
export const MAX_LINE_CHARS = 500;

/** How much of a clipped line is shown before its match, if the match lies far inside. */
const LEAD_CHARS = 100;

/**
 * Clips a line to 500 characters.
 *
 * @param matchAt Index of the match in the line, which is kept in view
 */
export function clipLine(line: string, matchAt: number): ClippedLine {
  if (line.length <= MAX_LINE_CHARS || countCharacters(line) <= MAX_LINE_CHARS) {
    return { shown: line, before: 0, after: 0 };
  }
  const farInside = matchAt > MAX_LINE_CHARS - LEAD_CHARS;
  const start = farInside ? Math.min(matchAt - LEAD_CHARS, line.length - MAX_LINE_CHARS) : 0;
  const from = wholeCharacter(line, start);
  const to = wholeCharacter(line, start + MAX_LINE_CHARS);
  return {
    shown: line.slice(from, to),
    before: countCharacters(line.slice(0, from)),
    after: countCharacters(line.slice(to)),
  };
}

/** Moves an index that lies inside a surrogate pair in front of it. */
function wholeCharacter(text: string, index: number): number {
  const inside = /^[\udc00-\udfff]/.test(text[index] ?? "") && /[\ud800-\udbff]$/.test(text[index - 1] ?? "");
  return inside ? index - 1 : index;
}

/** Counts code points in UTF-8, including one that is cut off at the end. */
export function countUtf8Characters(bytes: Uint8Array, from: number, end: number): number {
  let count = 0;
  for (let at = from; at < end; at++) {
    if (!isInsideCharacter(bytes[at]!)) count++;
  }
  return count;
}

/** Says whether a byte of UTF-8 continues a character that began before it. */
export function isInsideCharacter(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Returns a clipped line with markers that say how much is missing. */
export function formatClipped({ shown, before, after }: ClippedLine): string {
  const lead = before > 0 ? `[${before} characters cut] ` : "";
  return lead + shown + (after > 0 ? ` [${after} characters cut]` : "");
}
