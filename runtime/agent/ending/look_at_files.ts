import { join } from "@std/path";

/** Each file below some folders, with a mark that changes when the file does. */
export type FilesSeen = ReadonlyMap<string, string>;

/** Most entries that are looked at: a larger tree is not compared. */
const MAX_ENTRIES = 20_000;
/** Folders with very many files that nobody wrote by hand. */
const LEFT_OUT = new Set([".git", "node_modules"]);

/**
 * Looks at all files below folders, so that they can be compared later. Needs `read`.
 *
 * @returns `null` if there are too many
 */
export function lookAtFiles(folders: readonly string[]): FilesSeen | null {
  const seen = new Map<string, string>();
  const open = [...folders];
  let left = MAX_ENTRIES;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const { name, isDirectory, isFile } of entriesOf(folder)) {
      if (--left < 0) return null;
      const path = join(folder, name);
      if (isDirectory && !LEFT_OUT.has(name)) open.push(path);
      if (isFile) seen.set(path, markOf(path));
    }
  }
  return seen;
}

/** A folder that cannot be read has no entries. */
function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}

function markOf(path: string): string {
  try {
    const { mtime, size, ino } = Deno.lstatSync(path);
    return `${mtime?.getTime()} ${size} ${ino}`;
  } catch {
    return "";
  }
}
