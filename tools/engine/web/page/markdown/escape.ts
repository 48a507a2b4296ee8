/** Characters that Markdown reads as marks, where they stand. Single ones between blanks, or inside words, are text. */
const MARKS =
  /\\(?=[!-/:-@[-`{-~])|`|\*(?!\s)|(?<=\S)\*|(?<!\w)_(?!\s)|(?<=\S)_(?!\w)|\](?=[([:])|<(?=[a-z/!?])|~(?=~)/gi;
const LINE_START = /^(\s*)([#>+-]|#{2,6}|={2,}|-{2,}|\d{1,9}[.)])(?=\s|$)|^(\s*)(>|```|~~~)/gm;

/** Most texts have none of them. */
const ANY_MARK = /[\\`*_\]<~]/;

/** Writes text so that Markdown shows it as it is. */
export function escapeText(text: string): string {
  return ANY_MARK.test(text) ? text.replace(MARKS, "\\$&") : text;
}

/** Writes the lines of a paragraph so that none begins a list, a heading or a quote. */
export function escapeStart(text: string): string {
  return text.replace(LINE_START, (_, blanks = "", mark = "", blanks2 = "", mark2 = "") => {
    const word = `${mark}${mark2}`;
    const isNumber = /^\d/.test(word);
    return blanks + blanks2 + (isNumber ? `${word.slice(0, -1)}\\${word.slice(-1)}` : `\\${word}`);
  });
}

/** Returns a fence of backticks that is longer than any in the text. */
export function fenceFor(text: string, least: number): string {
  let length = least;
  for (const [run] of text.matchAll(/`+/g)) length = Math.max(length, run.length + 1);
  return "`".repeat(length);
}

/** Writes text as a span of code. */
export function codeSpan(text: string): string {
  const fence = fenceFor(text, 1);
  const pad = /^`|`$/.test(text) ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}
