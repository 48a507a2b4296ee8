/** Returns the text as an editor shows it: without a BOM, and with `\n` for every CRLF. */
export function shownText(text: string): string {
  return text.slice(bomLength(text)).replaceAll("\r\n", "\n");
}

/** Returns how many UTF-16 units a BOM takes at the start of the text: 0 or 1. */
export function bomLength(text: string): number {
  return text.startsWith("\ufeff") ? 1 : 0;
}

/** Counts the `\n` of a text. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Returns where a 1-based line starts; the text's length for a line after the last one. */
export function offsetOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  return at;
}

/** Returns the 1-based lines `first` to `last` without the line end of the last one. */
export function sliceLines(text: string, first: number, last: number): string {
  const start = offsetOfLine(text, first);
  const end = text.indexOf("\n", offsetOfLine(text, last));
  return text.slice(start, end < 0 ? text.length : end);
}

/** Puts a right-aligned number of width 6 and a tab before each line. */
export function numberLines(text: string, first: number): string {
  return text.split("\n").map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join("\n");
}

/** Keeps the first `maxCharacters` code points of a text. */
export function clipCharacters(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let at = 0;
  for (let count = 0; count < maxCharacters && at < text.length; count++) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, at);
}
