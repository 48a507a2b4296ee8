/** Returns the facts about the entry itself, or `null` if it cannot be seen. Needs `read`. */
export function lstat(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch {
    return null;
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
export function realPathOf(path: string): string | null {
  try {
    return Deno.realPathSync(path);
  } catch {
    return null;
  }
}
