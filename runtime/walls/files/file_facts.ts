import { dirname } from "@std/path";

/** Returns the facts about the entry itself, or `null` if it cannot be read. Needs `read`. */
export function lstat(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch {
    return null;
  }
}

/** Returns the facts about a path's target, `null` if it is missing. Needs `read`. Throws other errors. */
export function statOrNull(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Says whether a path exists; a broken link does. Needs `read`. Throws Deno's error if this is unclear. */
export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Returns the names in a folder; empty if it cannot be read. Needs `read`. */
export function namesIn(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name);
  } catch {
    return [];
  }
}

/** Returns the path behind all links, or `null` if nothing is there. Needs `read`. */
export function realOrNull(path: string): string | null {
  try {
    return Deno.realPathSync(path);
  } catch {
    return null;
  }
}

/** Returns the real path of the deepest existing folder above a path, or of the path itself. Needs `read`. */
export function deepestReal(path: string): string {
  return realOrNull(path) ?? deepestReal(dirname(path));
}
