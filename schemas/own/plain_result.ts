import { ToolError } from "../error.ts";
import { isTooDeep } from "../json/json_text.ts";
import { jsonProblem } from "../json/json_problem.ts";
import { sayThrown } from "./thrown_error.ts";

/** Longest result as JSON, and longest text for a model, in characters. */
const MAX_CHARS = 32 * 1024 * 1024;

/**
 * Returns what a tool gave as what every caller gets: JSON, and `null` for nothing.
 *
 * @param name The tool, for messages
 * @throws {ToolError} `output_invalid` for what JSON cannot hold, and for more than 500 levels; `limit_exceeded` for a very large
 *   one
 */
export function plainResult(value: unknown, name: string): unknown {
  const problem = jsonProblem(value);
  if (problem !== null) {
    throw new ToolError("output_invalid", `${name} gave a result that JSON cannot hold, ${problem}`);
  }
  let json: string;
  try {
    json = JSON.stringify(value) ?? "null";
  } catch (cause) {
    const why = sayThrown(cause).split("\n", 1)[0];
    throw new ToolError("output_invalid", `${name} gave a result that JSON cannot hold: ${why}`, { cause });
  }
  if (json.length > MAX_CHARS) throw tooLong(`${name} gave a result`, json.length);
  const plain: unknown = JSON.parse(json);
  if (!isTooDeep(plain)) return plain;
  throw new ToolError("output_invalid", `${name} gave a result that is nested too deeply`);
}

/**
 * Returns what a tool made for a model to read.
 *
 * @throws {ToolError} `output_invalid` if it is no text, `limit_exceeded` for a very long one
 */
export function requireText(said: unknown): string {
  if (typeof said === "string") {
    if (said.length > MAX_CHARS) throw tooLong("text returned a text", said.length);
    return said;
  }
  throw new ToolError("output_invalid", `text returned ${wordFor(said)}: it must return a text`);
}

/** Says what kind of value it is. */
function wordFor(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? "a list" : `${/^[aeiou]/.test(typeof value) ? "an" : "a"} ${typeof value}`;
}

function tooLong(what: string, chars: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `${what} of ${chars} characters: at most ${MAX_CHARS} are taken, write it to a file`,
    { details: { chars, max_chars: MAX_CHARS } },
  );
}
