import { isAbsolute, relative } from "@std/path";

import type { Location, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";

/**
 * Accepts a path as the par document asks: relative to the workspace and without a colon. The path guard
 * checks first, so a path outside the granted folders is `permission_denied` in any spelling.
 *
 * @throws {ToolError} `invalid_input` for a colon, and for an absolute path that leads into the workspace
 */
export async function admitParPath(
  context: ToolContext,
  path: string,
  access: "read" | "write",
): Promise<Location> {
  const location = await context.files.locate(path, access);
  if (path.includes(":")) {
    throw refuse(path, "paths with a colon are refused, use a relative path without one");
  }
  if (isAbsolute(path)) {
    const inside = insideWorkspace(location.path, context) ?? insideWorkspace(location.real, context);
    if (inside !== null) throw refuse(path, `absolute paths are refused, use the relative path "${inside}"`);
  }
  return location;
}

/** Returns how par shows a path: relative to the workspace, or absolute where it lies outside. */
export function showParPath(context: ToolContext, path: string): string {
  return insideWorkspace(path, context) ?? path;
}

function insideWorkspace(path: string, context: ToolContext): string | null {
  const inside = relative(context.workspace, path);
  if (inside === "") return ".";
  return inside === ".." || inside.startsWith("../") ? null : inside;
}

function refuse(path: string, reason: string): ToolError {
  return new ToolError("invalid_input", `Cannot use path "${path}": ${reason}`, { details: { path } });
}
