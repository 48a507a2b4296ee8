import { join } from "@std/path";

import { isInside } from "../../walls/grants/inside.ts";
import { type EntryFacts, isSameEntry, isUntouched } from "../trees/entry_facts.ts";
import { walkTree } from "../trees/walk_tree.ts";

/** Returns all that is below some folders, by absolute path. Needs `read`. */
export async function lookBelow(roots: readonly string[]): Promise<Map<string, EntryFacts>> {
  const now = new Map<string, EntryFacts>();
  for (const root of roots) {
    const tree = await walkTree(root);
    for (const [path, facts] of tree?.entries ?? []) now.set(join(root, path), facts);
  }
  return now;
}

/** Returns the paths below some folders where something is not as it was the last time. */
export function differences(
  last: ReadonlyMap<string, EntryFacts | null>,
  now: ReadonlyMap<string, EntryFacts>,
  roots: readonly string[],
): string[] {
  const isHere = (path: string) => roots.some((root) => path !== root && isInside(root, path));
  const gone = [...last].filter(([path, facts]) => facts !== null && !now.has(path) && isHere(path));
  const other = [...now].filter(([path, facts]) => isChanged(last.get(path) ?? null, facts));
  return [...gone, ...other].map(([path]) => path);
}

/** What is done in a folder touches it. A file can be changed and look the same. */
function isChanged(last: EntryFacts | null, now: EntryFacts): boolean {
  return now.kind === "folder" ? !isSameEntry(last, now) : !isUntouched(last, now);
}
