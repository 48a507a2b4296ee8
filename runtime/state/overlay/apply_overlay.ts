import { dirname, join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { plural } from "../../text/plural.ts";
import { type EntryFacts, factsOf, factsWithin, isUntouched } from "../trees/entry_facts.ts";
import { inodeOf, placeEntries } from "../trees/place_entries.ts";
import { sameContent } from "../trees/same_content.ts";
import { walkTree } from "../trees/walk_tree.ts";
import type { ReadRecord } from "../undo/read_record.ts";
import { beginRecord, holdRecords, listRecords, placerOf, takeBack } from "../undo/undo_store.ts";
import type { OverlayChange } from "./overlay_change.ts";
import { mountWords } from "./mounted_overlay.ts";
import { type CopiedEntry, type Overlay, readManifest, writeManifest } from "./overlay_store.ts";

/** How many paths a message names. */
const SHOWN = 5;

/**
 * Takes back what an interrupted {@linkcode applyChanges} left half done in a workspace. Needs `read`, `write` and `run`.
 *
 * @param options `force` also takes back what somebody changed since
 * @returns How many such there were
 * @throws {ToolError} `conflict` if something has changed since, or an apply is at work
 */
export async function takeBackUnfinished(
  state: string,
  workspace: string,
  options: { force?: boolean } = {},
): Promise<number> {
  const isUnfinished = ({ head, isClosed, isUndone }: ReadRecord) =>
    head.by === "apply" && head.workspace === workspace && !isClosed && !isUndone;
  let count = 0;
  for (const record of listRecords(state).filter(isUnfinished)) {
    using held = await holdRecords([record]);
    // It may have ended just now.
    if (!held.records.some(isUnfinished)) continue;
    const { refused } = await takeBack(held, options);
    if (refused.length > 0) {
      throw changedSince("take back an interrupted apply", refused.map(({ path }) => path), {
        then: `take it back as it was with: bulkhead undo --force ${record.head.session}`,
      });
    }
    count++;
  }
  return count;
}

/**
 * Chooses the changes at or below some paths, with the folders that they need.
 *
 * @param paths Relative to the workspace; none of them stands for all changes
 * @throws {ToolError} `invalid_input` for a path without a change
 */
export function chooseChanges(changes: readonly OverlayChange[], paths: readonly string[]): OverlayChange[] {
  if (paths.length === 0) return [...changes];
  const isAt = (path: string, wanted: string) =>
    wanted === "" || path === wanted || path.startsWith(`${wanted}/`);
  for (const wanted of paths) {
    if (changes.some(({ path }) => isAt(path, wanted))) continue;
    throw new ToolError(
      "invalid_input",
      `Nothing of the overlay changes "${wanted}", see: bulkhead diff --stat`,
    );
  }
  const chosen = changes.filter(({ path }) => paths.some((wanted) => isAt(path, wanted)));
  const needed = new Set(chosen.flatMap(({ path }) => foldersAbove(path)));
  return changes.filter((change) =>
    chosen.includes(change) || (needed.has(change.path) && change.after !== null)
  );
}

/**
 * Brings changes of an overlay into its workspace: all or nothing, also if this process is killed, because then the next
 * apply takes back what was done. What was there is kept, so that `undo` can bring it back. Needs `read`, `write` and `run`.
 *
 * @returns A sentence about each entry that belongs to another one now than it did
 * @throws {ToolError} `conflict` if the workspace has changed at one of the paths since the copy was made
 */
export async function applyChanges(
  state: string,
  overlay: Overlay,
  changes: readonly OverlayChange[],
  { now }: { now: Date },
): Promise<string[]> {
  const outdated = changes.filter(({ isOutdated }) => isOutdated).map(({ path }) => path);
  if (outdated.length > 0) {
    throw changedSince("apply the overlay", outdated, {
      then: overlay.mounted
        ? "nothing was changed. Name other paths, and take over by hand what bulkhead diff shows of these"
        : "nothing was changed. Name other paths, or put these back as they were",
    });
  }
  if (changes.length === 0) return [];
  const { id, workspace, tree } = overlay;
  const record = beginRecord(state, { session: id, workspace, time: now.toISOString(), by: "apply" });
  await record.keep(changes.map(({ path }) => join(workspace, path)));
  const manifest = readManifest(overlay);
  let warnings: string[];
  try {
    const placements = changes.map(({ path, after }) => ({ path, want: after }));
    warnings = await placeEntries(placements, {
      ...sourceOf(overlay),
      to: workspace,
      twins: await twinsOf(manifest, changes, overlay),
      placer: placerOf(record.folder),
    });
  } catch (error) {
    await record.abandon();
    await takeBackUnfinished(state, workspace);
    throw error;
  }
  await record.close();
  // That they were changed in is no change of somebody else's.
  const touched = overlay.mounted ? changes.flatMap(({ path }) => foldersAbove(path)) : [];
  for (const path of new Set([...changes.map(({ path }) => path), ...touched])) {
    const [original, copy] = [factsOf(join(workspace, path)), factsOf(join(tree, path))];
    if (original && copy) manifest.set(path, { original, copy });
    else manifest.delete(path);
  }
  writeManifest(overlay.folder, manifest);
  return warnings;
}

/** An overlay of the kernel is read where it is laid: there its files have no attributes of the kernel's own. */
function sourceOf(overlay: Overlay): { from: string; through?: readonly string[] } {
  const { tree, folder, workspace, mounted } = overlay;
  if (!mounted) return { from: tree };
  const at = join(folder, "at");
  return { from: at, through: mountWords(mounted, { workspace, folder, at }) };
}

/** A new name of a file that has not changed becomes a hard link, as it is in the overlay. */
async function twinsOf(
  manifest: ReadonlyMap<string, CopiedEntry>,
  changes: readonly OverlayChange[],
  overlay: Overlay,
): Promise<Map<string, string>> {
  const { tree, workspace, mounted } = overlay;
  const changed = new Set(changes.map(({ path }) => path));
  const wanted = new Set(changes.flatMap(({ after }) => after?.kind === "file" ? inodeOf(after) : []));
  const twins = new Map<string, string>();
  const known = mounted ? await writtenOnly(overlay) : manifest;
  for (const [path, { original }] of known) {
    const [copy, real] = [join(tree, path), join(workspace, path)];
    // As it is now: a new file may have the number of a copy that is gone.
    const now = factsOf(copy);
    if (now?.kind !== "file" || changed.has(path) || !wanted.has(inodeOf(now))) continue;
    if (isUntouched(original, factsOf(real)) && await sameContent(copy, real)) {
      twins.set(inodeOf(now), real);
    }
  }
  return twins;
}

/** What came from below into an overlay of the kernel. Without a change it is as it is there. */
async function writtenOnly(
  { tree, workspace }: Overlay,
): Promise<Map<string, Pick<CopiedEntry, "original">>> {
  const { entries } = await walkTree(tree) ?? { entries: new Map<string, EntryFacts>() };
  const linked = [...entries].filter(([, { kind, links }]) => kind === "file" && links > 1);
  return new Map(linked.flatMap(([path]) => {
    const original = factsWithin(workspace, path);
    return original === null ? [] : [[path, { original }]];
  }));
}

function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === "." ? [] : [above, ...foldersAbove(above)];
}

function changedSince(action: string, paths: readonly string[], { then }: { then: string }): ToolError {
  const shown = paths.slice(0, SHOWN).map((path) => `"${path}"`).join(", ");
  const more = paths.length > SHOWN ? ` and ${plural(paths.length - SHOWN, "other")}` : "";
  return new ToolError(
    "conflict",
    `Cannot ${action}: ${shown}${more} changed in the workspace since; ${then}`,
    {
      details: { paths: [...paths] },
    },
  );
}
