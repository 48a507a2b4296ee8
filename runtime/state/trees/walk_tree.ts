import { join } from "@std/path";

import { LongWork } from "../../wait/long_work.ts";
import { type EntryFacts, factsOf } from "./entry_facts.ts";

/** All that is below a folder. */
export interface Tree {
  /** By path, relative to the folder; the folder itself is not among them. */
  entries: Map<string, EntryFacts>;
  /** What cannot be looked at: names that are no UTF-8, closed folders, paths that are too long. */
  unseen: string[];
}

/** Options of {@linkcode walkTree}. */
export interface WalkOptions {
  /** Relative paths that are left out with all below. @default none */
  skip?: readonly string[];
  /** The walk ends when there are more entries or bytes. @default no bound */
  most?: { entries: number; bytes: number };
}

/**
 * Looks at all that is below a folder. Links are not followed. Needs `read`.
 *
 * @returns `null` if there is more than the bound
 */
export async function walkTree(root: string, options: WalkOptions = {}): Promise<Tree | null> {
  const skip = new Set(options.skip);
  const { entries: maxEntries = Infinity, bytes: maxBytes = Infinity } = options.most ?? {};
  const tree: Tree = { entries: new Map(), unseen: [] };
  let bytes = 0;
  const work = new LongWork();
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const name of namesOf(join(root, folder), folder, tree)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (skip.has(path)) continue;
      const facts = factsOf(`${root}/${path}`);
      if (facts === null) {
        tree.unseen.push(path);
        continue;
      }
      tree.entries.set(path, facts);
      bytes += facts.size;
      if (facts.kind === "folder") pending.push(path);
      if (tree.entries.size > maxEntries || bytes > maxBytes) return null;
    }
    if (work.isDue) await work.pause();
  }
  return tree;
}

function namesOf(path: string, folder: string, { unseen }: Tree): string[] {
  try {
    return Array.from(Deno.readDirSync(path), ({ name }) => name);
  } catch (error) {
    // It has gone meanwhile.
    if (!(error instanceof Deno.errors.NotFound)) unseen.push(folder === "" ? "." : folder);
    return [];
  }
}
