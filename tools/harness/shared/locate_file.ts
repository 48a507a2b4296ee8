import type { Location, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";

/** Puts the user's home folder in place of a leading `~`; a path without it, or a user without a home, stays as it is. */
export function expandHome(path: string, home: string): string {
  return home === "" ? path : path.replace(/^~(?=\/|$)/, () => home);
}

/**
 * Finds an existing regular file.
 *
 * @throws {ToolError} `not_found` if nothing is there, `invalid_input` if it is a folder or a device, and what the guard
 * throws for paths outside the grants
 */
export async function locateFile(
  context: ToolContext,
  path: string,
  options: { access: "read" | "write" },
): Promise<Location> {
  const location = await context.files.locate(expandHome(path, context.home), options.access);
  const { real, info } = location;
  if (!info) throw new ToolError("not_found", `File not found: ${real}`);
  if (!info.isFile) throw new ToolError("invalid_input", `Path is not a file: ${real}`);
  return location;
}
