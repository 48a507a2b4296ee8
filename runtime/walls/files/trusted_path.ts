import { isAbsolute } from "@std/path";

import type { Grants } from "../../../schemas/grants.ts";
import { isInside } from "../grants/inside.ts";
import { realOrNull } from "./file_facts.ts";

/**
 * Returns a search path without the folders of a workspace and those that tools of the run may write:
 * programs that run without a box must not come from there. Needs `read`.
 *
 * @param searchPath As in `PATH`
 */
export function trustedPath(searchPath: string, grants: Pick<Grants, "workspace" | "allow">): string {
  const { workspace, allow: { write } } = grants;
  return pathOutside(searchPath, [workspace, ...(write === true ? [] : write)]);
}

/** Returns a search path without what lies in some folders, or starts at the current one. Needs `read`. */
export function pathOutside(searchPath: string, folders: readonly string[]): string {
  const isOutside = (path: string) => !folders.some((folder) => isInside(folder, path));
  return searchPath.split(":")
    .filter((path) => isAbsolute(path) && isOutside(path) && isOutside(realOrNull(path) ?? path))
    .join(":");
}
