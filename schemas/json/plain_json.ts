import { ToolError } from "../error.ts";
import { jsonProblem } from "./json_problem.ts";

/**
 * Returns the input of a call as what crosses into a room: JSON, and an empty object for nothing.
 *
 * @throws {ToolError} `invalid_input` for what JSON cannot hold
 */
export function plainJson(input: unknown): unknown {
  const problem = jsonProblem(input);
  if (problem !== null) {
    throw new ToolError("invalid_input", `The input cannot be written as JSON, ${problem}`);
  }
  try {
    return JSON.parse(JSON.stringify(input) ?? "{}");
  } catch (cause) {
    throw new ToolError("invalid_input", `The input cannot be written as JSON: ${cause}`, { cause });
  }
}
