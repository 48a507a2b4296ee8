import { countCharacters, offsetAfter } from "../../file/characters.ts";

/** Longest line of a page: the next one can always be read by its number. */
const MAX_LINE = 4000;

/**
 * Cleans the text of a page: one kind of line end, no NUL, no blanks at the end of lines, at most two empty lines on end.
 * Lines above 4,000 characters are parted, at blanks where there are some, so that every part can be read by its number.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replaceAll("\0", "")
    .split("\n")
    .map((line) => line.trimEnd())
    .flatMap((line) => line.length <= MAX_LINE ? [line] : partLine(line))
    .join("\n")
    .replace(/\n{4,}/g, "\n\n\n")
    .trim();
}

function partLine(line: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < line.length;) {
    let end = Math.min(line.length, at + MAX_LINE);
    const blank = end < line.length ? line.lastIndexOf(" ", end) : -1;
    if (blank > at + MAX_LINE / 2) end = blank + 1;
    else if (end < line.length && isHalf(line.charCodeAt(end - 1))) end--;
    parts.push(line.slice(at, end).trimEnd());
    at = end;
  }
  return parts;
}

/** Takes a part of a text, counted in code points. `next` is where it ends. */
export function takeChars(
  text: string,
  { start, count }: { start: number; count: number },
): { text: string; next: number } {
  const from = offsetAfter(text, start);
  const part = text.slice(from, from + offsetAfter(text.slice(from, from + 2 * count), count));
  return { text: part, next: start + countCharacters(part) };
}

/** Says whether a unit is the first half of a character. */
function isHalf(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
