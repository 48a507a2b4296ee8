import type { Needs } from "../access.ts";
import type { HereTool } from "./here_tool.ts";
import type { OwnTool } from "./own_tool.ts";

/**
 * Returns its argument, typed: `run` gets what `input` parses to, and a context. The context of a tool in a file that says
 * what it needs has the ways to it, such as `files` and `web`; a tool without needs, and a function of an embedding
 * program, gets the rest.
 *
 * @example
 * ```ts
 * import { defineTool } from "bulkhead";
 * import * as z from "zod";
 *
 * export default defineTool({
 *   name: "add",
 *   description: "Add two numbers.",
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ a, b }) => a + b,
 * });
 * ```
 */
export function defineTool<Input = unknown, Output = unknown>(
  tool: OwnTool<Input, Output> & { needs: Needs },
): OwnTool<Input, Output>;
/** Returns its argument, typed: `run` gets what `input` parses to. */
export function defineTool<Input = unknown, Output = unknown>(
  tool: HereTool<Input, Output>,
): HereTool<Input, Output>;
export function defineTool(tool: unknown): unknown {
  return tool;
}
