import { join } from "@std/path";

import { lstat, namesIn } from "../files/file_facts.ts";
import { isInside } from "../grants/inside.ts";
import type { LandlockRule } from "./plan.ts";

/** Most entries that are opened one by one in place of their folders. */
const MAX_ENTRIES = 4_000;

/**
 * Leaves paths out of what rules open: a folder with one of them shows its names, and its other entries are opened one by
 * one. What is made there later stays closed. Needs `read`.
 *
 * @param closed Real paths
 * @returns `null` if that takes more than 4,000 entries
 */
export function cutOut(rules: readonly LandlockRule[], closed: readonly string[]): LandlockRule[] | null {
  const identities = new Set(closed.flatMap((path) => identityOf(path) ?? []));
  let left = MAX_ENTRIES;
  const open = ([path, kind]: LandlockRule): LandlockRule[] => {
    if (closed.some((one) => isInside(one, path))) return [];
    if (!closed.some((one) => isInside(path, one))) {
      // Another name of a closed file would open it.
      const identity = identityOf(path);
      return identity !== null && identities.has(identity) ? [] : [[path, kind]];
    }
    const inside: LandlockRule[] = [];
    for (const name of namesIn(path)) {
      if (--left < 0) break;
      const entry = join(path, name);
      // A link needs no rule: what it leads to does.
      if (lstat(entry)?.isSymlink) continue;
      inside.push(...open([entry, kind]));
    }
    return [[path, "list"], ...inside];
  };
  const opened = rules.flatMap(open);
  return left < 0 ? null : opened;
}

/** Of a file, not of a folder: those have one name. */
function identityOf(path: string): string | null {
  const info = lstat(path);
  return info?.isFile ? `${info.dev}:${info.ino}` : null;
}
