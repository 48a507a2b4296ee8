import type { Location, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { expandHome } from "./locate_file.ts";

/** A located place where something is. */
export type SearchRoot = Location & { info: Deno.FileInfo };

/**
 * Finds where a search starts.
 *
 * @throws {ToolError} `not_found` if nothing is there, and what the guard throws for paths outside the grants
 */
export async function locateSearchRoot(context: ToolContext, path: string): Promise<SearchRoot> {
  const { info, ...location } = await context.files.locate(expandHome(path, context.home), "read");
  if (!info) throw new ToolError("not_found", `Search root not found: ${location.path}`);
  return { ...location, info };
}

/** Refuses a number that is not above zero. */
export function requirePositive(name: string, value: number): void {
  if (value <= 0) {
    throw new ToolError("invalid_input", `${name} must be > 0.`, { details: { [name]: value } });
  }
}

/** Refuses an empty pattern. */
export function requirePattern(pattern: string): void {
  if (pattern === "") throw new ToolError("invalid_input", "pattern must be a non-empty string.");
}

/** The document's words in front of what is wrong with a glob. */
export const GLOB_LEAD = "Invalid glob pattern or filesystem error";
