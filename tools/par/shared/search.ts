import type { Location, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { compileGlob, type Glob } from "../../engine/walk/glob.ts";
import { admitParPath } from "./path.ts";

/** Folders that find and grep never enter, beside `.git`. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(["node_modules", "_build", "_opam"]);

/**
 * Compiles a file pattern: without a slash it is compared with the base name at any depth, else with the
 * relative path.
 */
export function compileFilePattern(pattern: string): Glob {
  return compileGlob(pattern.includes("/") ? pattern : `**/${pattern}`, { doubleStar: "anywhere" });
}

/** Refuses an empty argument. */
export function requireText(name: string, value: string): void {
  if (value === "") {
    throw new ToolError("invalid_input", `Cannot search: ${name} is empty, give a non-empty ${name}`);
  }
}

/** A located place where something is. */
export type Existing = Location & { info: Deno.FileInfo };

/**
 * Finds an existing file or folder.
 *
 * @throws {ToolError} `not_found` if nothing is there, and what {@linkcode admitParPath} throws
 */
export async function locateExisting(context: ToolContext, path: string): Promise<Existing> {
  const { info, ...location } = await admitParPath(context, path, "read");
  if (!info) throw new ToolError("not_found", `No such file or directory: "${path}"`, { details: { path } });
  return { ...location, info };
}

/** Returns the error for a path that must be a folder. */
export function notADirectory(path: string): ToolError {
  return new ToolError("invalid_input", `Not a directory: "${path}"`, { details: { path } });
}

/** Says how much ignore files left out, and how to get it. */
export function warnAboutIgnored(ignored: number, context: ToolContext): void {
  if (ignored === 0) return;
  context.warn(
    `${ignored} path(s) were left out because .gitignore files name them; pass respect_gitignore: false to get them`,
  );
}
