import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { expandHome } from "./locate_file.ts";

/**
 * Finds the folder in which a program starts and returns its real path; the workspace if no folder is named.
 *
 * @throws {ToolError} `not_found` and `invalid_input` in the document's words, and what the guard throws
 */
export async function locateFolder(context: ToolContext, path: string | undefined): Promise<string> {
  if (path === undefined) return context.workspace;
  const { real, info } = await context.files.locate(expandHome(path, context.home), "read");
  if (!info) throw new ToolError("not_found", `Working directory does not exist: ${real}`);
  if (!info.isDirectory) {
    throw new ToolError("invalid_input", `Working directory is not a directory: ${real}`);
  }
  return real;
}
