import { join } from "@std/path";

import { type EntryFacts, factsWithin, isSameEntry, isUntouched } from "../trees/entry_facts.ts";
import { sameContent } from "../trees/same_content.ts";
import { walkTree } from "../trees/walk_tree.ts";
import { mountedChanges } from "./mounted_changes.ts";
import { type CopiedEntry, type Overlay, readManifest } from "./overlay_store.ts";
import { isSameState, type OverlayChange, type OverlayChanges } from "./overlay_change.ts";

/** Looks for all that is other in an overlay than it was in the workspace. Needs `read`, and `run` for one of the kernel. */
export async function changesOf(overlay: Overlay): Promise<OverlayChanges> {
  if (overlay.mounted) return await mountedChanges(overlay);
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
