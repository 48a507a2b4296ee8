import { dirname, join } from "@std/path";

import { lstat } from "../../walls/files/file_facts.ts";
import { holdsRepository } from "../../walls/git/git_folder.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { isProtected } from "../../walls/grants/protected_paths.ts";
import { isKernelFolder, isSecretEntry } from "../../walls/grants/secret_paths.ts";
import type { FoundPlaces } from "./executed_files.ts";

/** Most folders that are looked into for tools that write files: the upper ones first. */
export const MAX_FOLDERS = 10_000;
/** Longest time before other events get a turn, in milliseconds. */
const TURN_MS = 10;

/** Returns the `.git` of the repositories around folders: git looks upwards. Needs `read`. */
export function placesAbove(folders: readonly string[]): string[] {
  const found = new Set<string>();
  for (const folder of folders) {
    for (let at = folder; at !== dirname(at); at = dirname(at)) {
      const path = join(at, ".git");
      if (lstat(path) !== null) found.add(path);
      if (holdsRepository((name) => lstat(join(at, name)) !== null)) found.add(at);
    }
  }
  return [...found];
}

/**
 * Looks through folders for repositories and for links with protected names, the upper folders first. Needs `read`.
 *
 * @param tops Real paths
 */
export async function findPlaces(
  tops: readonly string[],
  { maxFolders = MAX_FOLDERS }: { maxFolders?: number } = {},
): Promise<FoundPlaces> {
  const repositories: string[] = [];
  const links: string[] = [];
  const pending = tops.filter((top) => !tops.some((other) => other !== top && isInside(other, top)));
  let turnEnds = performance.now() + TURN_MS;
  for (let next = 0; next < pending.length && next < maxFolders; next++) {
    const path = pending[next]!;
    const entries = entriesOf(path);
    const names = new Set(entries.map(({ name }) => name));
    if (holdsRepository((name) => names.has(name))) repositories.push(path);
    for (const { name, isDirectory, isSymlink } of entries) {
      const at = join(path, name);
      if (name.toLowerCase() === ".git") repositories.push(at);
      // git's own folders hold many others; repositories in them have a file or a folder outside that leads there.
      else if (isDirectory && !isKernelFolder(at) && !isSecretEntry(at)) pending.push(at);
      else if (isSymlink && isProtected(at)) links.push(at);
    }
    if (performance.now() < turnEnds) continue;
    await new Promise((resolve) => setTimeout(resolve));
    turnEnds = performance.now() + TURN_MS;
  }
  return { repositories, links };
}

function entriesOf(path: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(path)];
  } catch {
    return [];
  }
}
