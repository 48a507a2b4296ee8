import { isJson } from "../../../../schemas/json/json_text.ts";

/** JSON with longer lines is written anew, so that it can be read line by line. */
const LONG_LINE = 400;
/** Deeper values are left as they came: indents would be most of the text. */
const MAX_DEPTH = 200;
/** So many times as long as its source a text may become. */
const MAX_GROWTH = 8;

/**
 * Writes JSON of few long lines with one value a line. Only blanks change: numbers, escapes, the order of fields and fields
 * that are there twice stay as they came. What is not JSON, or too deep, stays as it is.
 */
export function readableJson(source: string): string {
  if (source.split("\n").every((line) => line.length < LONG_LINE) || !isJson(source)) return source;
  const pieces: string[] = [];
  let [depth, length, last] = [0, 0, ""];
  for (let at = 0; at < source.length;) {
    const end = endOfToken(source, at);
    const token = source.slice(at, end).trim();
    at = end;
    if (token === "") continue;
    const isEnd = token === "}" || token === "]";
    const wasStart = last === "{" || last === "[";
    if (isEnd) depth--;
    if (isEnd ? !wasStart : wasStart || last === ",") pieces.push(`\n${"  ".repeat(depth)}`);
    if (token === "{" || token === "[") depth++;
    pieces.push(token === ":" ? ": " : token);
    length += token.length + 2 * depth;
    if (depth > MAX_DEPTH || length > MAX_GROWTH * source.length) return source;
    last = token;
  }
  return pieces.join("");
}

/** Where the token ends that begins here: a string, a sign, or a number or word with the blanks around it. */
function endOfToken(source: string, start: number): number {
  const isSign = (at: number) => '{}[],:"'.includes(source[at]!);
  if (source[start] === '"') {
    let at = start + 1;
    while (source[at] !== '"') at += source[at] === "\\" ? 2 : 1;
    return at + 1;
  }
  if (isSign(start)) return start + 1;
  let at = start + 1;
  while (at < source.length && !isSign(at)) at++;
  return at;
}
