import { dirname } from "@std/path";

/** Returns the facts about the entry itself, or `null` if it cannot be seen. Needs `read`. */
export function lstat(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch {
    return null;
  }
}

/** Returns the facts about what is behind a path, or `null` if nothing is there. Needs `read`. Throws what else Deno does. */
export function statOrNull(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Says whether there is something at a path, be it a broken link. Needs `read`. Throws what Deno does if that cannot be told. */
export function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Returns the names in a folder; none if it cannot be read. Needs `read`. */
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

/** Returns the path behind all links of the deepest folder above a path, or of the path itself, that is there. Needs `read`. */
export function deepestReal(path: string): string {
  return realOrNull(path) ?? deepestReal(dirname(path));
}
