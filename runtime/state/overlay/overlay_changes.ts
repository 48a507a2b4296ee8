import { join } from "@std/path";

import { type EntryFacts, factsWithin, isSameEntry, isUntouched } from "../trees/entry_facts.ts";
import { sameContent } from "../trees/same_content.ts";
import { walkTree } from "../trees/walk_tree.ts";
import { type CopiedEntry, type Overlay, readManifest } from "./overlay_store.ts";

/** A difference between an overlay and its workspace. */
export interface OverlayChange {
  /** Relative to the workspace. */
  path: string;
  /** As in git: added, modified, deleted. */
  status: "A" | "M" | "D";
  /** What was in the workspace when the copy was made. */
  before: EntryFacts | null;
  /** What is in the overlay. */
  after: EntryFacts | null;
  /** The workspace has changed there since the copy was made. */
  isOutdated: boolean;
}

/** All differences, by path, and what of the overlay cannot be looked at or brought in. */
export interface OverlayChanges {
  changes: OverlayChange[];
  /** Names that are no UTF-8, sockets, devices. */
  unseen: string[];
}

/** Looks for all that is other in an overlay than it was in the workspace. Needs `read`. */
export async function changesOf(overlay: Overlay): Promise<OverlayChanges> {
  const manifest = readManifest(overlay);
  const tree = await walkTree(overlay.tree) ?? { entries: new Map<string, EntryFacts>(), unseen: [] };
  const paths = new Set([...manifest.keys(), ...tree.entries.keys()]);
  const unseen = [...tree.unseen];
  const changes: OverlayChange[] = [];
  for (const path of [...paths].sort()) {
    const entry = manifest.get(path);
    const now = tree.entries.get(path) ?? null;
    if (now?.kind === "other") {
      if (entry?.copy.kind !== "other") unseen.push(path);
      continue;
    }
    // A folder that cannot be looked into has not lost its files.
    if (now === null && tree.unseen.some((folder) => path.startsWith(`${folder}/`))) continue;
    const change = await changeOf(path, { entry, now, overlay });
    if (change !== null) changes.push(change);
  }
  return { changes, unseen };
}

interface Compared {
  entry: CopiedEntry | undefined;
  now: EntryFacts | null;
  overlay: Overlay;
}

async function changeOf(
  path: string,
  { entry, now, overlay }: Compared,
): Promise<OverlayChange | null> {
  const { tree, workspace, copied } = overlay;
  if (entry && now && isCertainlySame(entry.copy, now, copied)) return null;
  const here = factsWithin(workspace, path);
  // The workspace has it already.
  if (
    isSameState(here, now) &&
    (now?.kind !== "file" || await sameContent(join(tree, path), join(workspace, path)))
  ) {
    return null;
  }
  const before = entry?.original ?? null;
  return {
    path,
    status: before === null ? "A" : now === null ? "D" : "M",
    before,
    after: now,
    isOutdated: !isSameEntry(here, before),
  };
}

/** The time of a change of the inode is told in whole seconds, so what changed in that second may have changed after it. */
function isCertainlySame(copy: EntryFacts, now: EntryFacts, copied: number): boolean {
  if (now.kind === "folder" || now.kind === "link") return isSameEntry(copy, now);
  return isUntouched(copy, now) && now.ctime + 1_000 <= copied;
}

/** Alike apart from times. */
function isSameState(here: EntryFacts | null, now: EntryFacts | null): boolean {
  if (here === null || now === null) return here === now;
  if (here.kind !== now.kind) return false;
  if (here.kind === "link") return here.target === now.target;
  return here.mode === now.mode && here.size === now.size;
}
