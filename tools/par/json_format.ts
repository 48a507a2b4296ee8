import * as z from "zod";

import { ToolError } from "../../schemas/error.ts";
import { defineTool } from "../../schemas/tool.ts";

/** Deep nesting makes the indentation grow with the square of the input. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const SPACE = " \t\n\r";
const PUNCTUATION = "{}[],:";

export default defineTool({
  name: "json_format",
  description:
    "Checks a JSON text and returns it indented by 2 spaces; numbers, order and repetition of keys, and " +
    'escapes stay as written. Example: {"json": "{\\"a\\":1,\\"b\\":2}"}.',
  input: z.object({ json: z.string().describe("JSON text to check and format.") }),
  output: z.string(),
  needs: {},
  readOnly: true,
  parallel: false,
  examples: [
    { line: 'json=\'{"b":1,"a":[2,3]}\'', meaning: "Format a JSON text" },
  ],
  limits: { timeoutMs: 2_000 },
  run({ json }) {
    try {
      JSON.parse(json);
    } catch (cause) {
      throw new ToolError("invalid_input", `Invalid JSON: ${(cause as Error).message}`, { cause });
    }
    return indentTokens(json);
  },
});

/** Lays out the tokens of a valid JSON text anew: parsing and writing it would lose digits and repeated keys. */
function indentTokens(json: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let length = 0;
  let previous = "";
  for (const token of tokensOf(json)) {
    const closes = token === "}" || token === "]";
    if (closes) depth--;
    const piece = separator(previous, token, depth) + token;
    if (token === "{" || token === "[") depth++;
    length += piece.length;
    if (length > MAX_CHARACTERS) {
      throw new ToolError(
        "limit_exceeded",
        `Cannot format the JSON: indented it has more than ${MAX_CHARACTERS} characters`,
      );
    }
    pieces.push(piece);
    previous = token;
  }
  return pieces.join("");
}

/** Walks by hand: a regular expression runs out of stack on strings of some megabytes. */
function* tokensOf(json: string): Generator<string> {
  for (let at = 0; at < json.length;) {
    const first = json.charAt(at);
    const end = first === '"'
      ? stringEnd(json, at)
      : PUNCTUATION.includes(first)
      ? at + 1
      : wordEnd(json, at);
    if (end > at) yield json.slice(at, end);
    at = Math.max(end, at + 1);
  }
}

function stringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - backslashes - 1] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

/** Returns where a number or a literal ends; its start if there is white space. */
function wordEnd(json: string, start: number): number {
  let end = start;
  while (end < json.length && !SPACE.includes(json.charAt(end)) && !PUNCTUATION.includes(json.charAt(end))) {
    end++;
  }
  return end;
}

function separator(previous: string, token: string, depth: number): string {
  if (previous === ":") return " ";
  const opened = previous === "{" || previous === "[";
  const closes = token === "}" || token === "]";
  const breaks = opened !== closes || previous === ",";
  return breaks ? `\n${"  ".repeat(depth)}` : "";
}
