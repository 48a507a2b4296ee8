import { isAbsolute, join } from "@std/path";

import type { Grants } from "../../schemas/grants.ts";
import { deepestReal, realOrNull } from "../walls/files/file_facts.ts";
import { systemError } from "../walls/files/system_error.ts";
import { covers } from "../walls/grants/path_access.ts";

/** Returns where bulkhead keeps what outlives a run. Ignores a relative folder, as XDG specifies. */
export function stateFolder(xdg: string | undefined, home: string): string | null {
  const folder = xdg !== undefined && isAbsolute(xdg)
    ? xdg
    : isAbsolute(home)
    ? `${home}/.local/state`
    : null;
  return folder && join(folder, "bulkhead");
}

/**
 * Says why nothing can be kept in bulkhead's own folder; `null` if it can. Makes the folder. Needs `read` and `write`.
 *
 * @param folder `null` if the environment names no place
 */
export function stateProblem(folder: string | null): string | null {
  if (folder === null) return "neither HOME nor XDG_STATE_HOME names a folder";
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    Deno.removeSync(Deno.makeTempFileSync({ dir: folder, prefix: ".trial-" }));
    return null;
  } catch (error) {
    return systemError(error, "write", folder).message;
  }
}

/**
 * Returns bulkhead's own paths that programs of a run must not see. A box can hide only existing paths. So its folders are
 * made at once where programs would see them, before a program can make them. Needs `read` and `write`.
 *
 * @param folders The folders among bulkhead's own paths
 */
export function hiddenOwn(
  { allow, own }: Pick<Grants, "allow" | "own">,
  folders: readonly (string | null)[],
): string[] {
  for (const folder of folders) {
    const seen = folder && deepestReal(folder);
    if (folder && seen && (covers(allow.read, seen) || covers(allow.write, seen))) makeFolder(folder);
  }
  return [...new Set([...own, ...folders].flatMap((path) => path === null ? [] : realOrNull(path) ?? path))];
}

/** If the folder cannot be made, nothing is kept in it. */
function makeFolder(path: string): void {
  try {
    Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
  }
}
