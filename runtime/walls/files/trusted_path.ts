import { dirname, isAbsolute, join } from "@std/path";

import type { Grants, Scope } from "../../../schemas/grants.ts";
import { covers } from "../grants/path_access.ts";
import { isInside } from "../grants/inside.ts";
import { lstat, realOrNull } from "./file_facts.ts";
import { findProgram } from "./find_program.ts";

/** Where the programs come from that bulkhead itself starts: bubblewrap, hooks, what bounds others. */
export interface TrustedPrograms {
  /** The user's `PATH` for programs without a box, as {@linkcode trustedPath} gives it. */
  path: string;
  /** Returns the absolute path of a program, or `null`. */
  find(name: string): string | null;
  /** The programs of this name on the user's `PATH` that are not taken, and why. */
  passedOver(name: string): { path: string; why: string }[];
}

/** Where the system's own programs are. */
export const SYSTEM_PATH = "/usr/bin:/bin";
/** A run that may write everything takes programs from these alone. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/opt", "/nix/store", "/run/current-system", "/snap"];
const EVERYBODY_WRITES = 0o002;
const STICKY = 0o1000;

/**
 * Says which programs of a search path may run without a box: none that a call of the run, or everybody, could have put
 * there, and none that leads to such a place. Needs `read`.
 *
 * @param searchPath As in `PATH`
 */
export function trustedPrograms(
  searchPath: string,
  { workspace, allow: { write } }: { workspace: string | null; allow: { write: Scope } },
): TrustedPrograms {
  const closed = write === true ? true : [...workspace === null ? [] : [workspace], ...write];
  const refuse = (path: string) => refusalOf(path, closed, workspace);
  const folders = searchPath.split(":").filter(isAbsolute);
  const isTaken = (path: string) => refuse(dirname(path)) === null && refuse(path) === null;
  return {
    path: pathOutside(searchPath, [
      ...workspace === null ? [] : [workspace],
      ...write === true ? [] : write,
    ]),
    find: (name) => findProgram(name, searchPath, isTaken),
    passedOver: (name) =>
      folders.flatMap((folder) => {
        const found = findProgram(name, folder);
        const why = found === null ? null : refuse(folder) ?? refuse(found);
        return found === null || why === null ? [] : [{ path: found, why }];
      }),
  };
}

/**
 * Returns a search path without the folders of a workspace and those that tools of the run may write: programs that run
 * without a box must not come from there. Needs `read`.
 *
 * @param searchPath As in `PATH`
 */
export function trustedPath(searchPath: string, grants: Pick<Grants, "workspace" | "allow">): string {
  return trustedPrograms(searchPath, grants).path;
}

/** Returns a search path without what lies in some folders, or starts at the current one. Needs `read`. */
function pathOutside(searchPath: string, folders: readonly string[]): string {
  const isOutside = (path: string) => !covers(folders, path);
  return searchPath.split(":")
    .filter((path) => isAbsolute(path) && isOutside(path) && isOutside(realOrNull(path) ?? path))
    .join(":");
}

/** Why nothing is started from a path, `null` if it may be. */
function refusalOf(path: string, closed: Scope, workspace: string | null): string | null {
  const real = realOrNull(path) ?? path;
  for (const at of path === real ? [path] : [path, real]) {
    const led = at === path ? "" : `it leads to ${at}, and `;
    if (isOpen(at, closed, workspace)) return `${led}calls can write there`;
    if (isOpenToAll(at)) return `${led}everybody can write there`;
  }
  return null;
}

function isOpen(path: string, closed: Scope, workspace: string | null): boolean {
  if (workspace !== null && isInside(workspace, path)) return true;
  return closed === true ? !covers(SYSTEM, path) : covers(closed, path);
}

/** Also by renaming a folder above; in a folder with the sticky bit only what is there already is safe. */
function isOpenToAll(path: string): boolean {
  const own = lstat(path);
  if (own !== null && !own.isSymlink && ((own.mode ?? 0) & EVERYBODY_WRITES) !== 0) return true;
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const { mode, isSymlink } = lstat(at) ?? { mode: 0, isSymlink: false };
    // The mode of a link means nothing; what it leads to is looked at by its own path.
    if (!isSymlink && ((mode ?? 0) & EVERYBODY_WRITES) !== 0 && ((mode ?? 0) & STICKY) === 0) return true;
  }
  return false;
}

/** Returns the files that a command names by absolute paths, and what they lead to. Needs `read`. */
export function filesOfCommand(argv: readonly string[]): string[] {
  return argv.filter(isAbsolute).flatMap((path) => {
    const real = realOrNull(join(path));
    return real === null ? [] : [...new Set([join(path), real])];
  });
}
