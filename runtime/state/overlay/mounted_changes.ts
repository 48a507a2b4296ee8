import { dirname, join } from "@std/path";

import { lstat } from "../../walls/files/file_facts.ts";
import { type EntryFacts, factsWithin, isUntouched } from "../trees/entry_facts.ts";
import { sameContent } from "../trees/same_content.ts";
import { walkTree } from "../trees/walk_tree.ts";
import { isSameState, type OverlayChange, type OverlayChanges } from "./overlay_change.ts";
import { BEGAN_FILE, type Overlay, readManifest } from "./overlay_store.ts";
import { readMarks, type UpperMarks } from "./upper_marks.ts";

/** How many paths one program looks at. */
const BATCH = 500;

/**
 * Looks for all that is other in an overlay of the kernel than in its workspace. It costs what the overlay changed: only
 * its upper folder is walked, and what is deleted below. Needs `read` and `run`.
 */
export async function mountedChanges(overlay: Overlay): Promise<OverlayChanges> {
  const { tree, workspace } = overlay;
  const upper = await walkTree(tree) ?? { entries: new Map<string, EntryFacts>(), unseen: [] };
  const below = new Map<string, EntryFacts | null>();
  for (const path of upper.entries.keys()) below.set(path, factsWithin(workspace, path));
  const marks = await marksOf(upper.entries, below, overlay);
  const found = new Map<string, { before: EntryFacts | null; after: EntryFacts | null }>();
  const unseen = [...upper.unseen, ...await oddNamesIn(tree)];
  /** Folders that stand in the place of others. */
  const replaced = new Map<string, EntryFacts>();
  const gone = async (path: string, before: EntryFacts) => {
    found.set(path, { before, after: null });
    if (before.kind !== "folder") return;
    const all = await walkTree(join(workspace, path)) ?? { entries: new Map(), unseen: [] };
    unseen.push(...all.unseen.map((name) => `${path}/${name}`));
    for (const [name, facts] of all.entries) found.set(`${path}/${name}`, { before: facts, after: null });
  };
  for (const [path, after] of upper.entries) {
    const before = below.get(path) ?? null;
    if (after.kind === "other") {
      if (!isWhiteout(join(tree, path))) unseen.push(path);
      else if (before !== null) await gone(path, before);
      continue;
    }
    if (before?.kind === "folder" && after.kind !== "folder") await gone(path, before);
    if (before?.kind === "folder" && marks.get(path)?.opaque === true) {
      replaced.set(path, before);
      for (const { name } of Deno.readDirSync(join(workspace, path))) {
        const at = `${path}/${name}`;
        const facts = upper.entries.has(at) ? null : factsWithin(workspace, at);
        if (facts !== null) await gone(at, facts);
      }
    }
    const isSame = isSameState(before, after) &&
      (after.kind !== "file" || await sameContent(join(tree, path), join(workspace, path)));
    if (!isSame) found.set(path, { before, after });
  }
  const outdated = await outdatedAmong(found, replaced, { overlay, marks, below });
  const changes = [...found].map(([path, { before, after }]): OverlayChange => ({
    ...{ path, before, after, isOutdated: outdated.has(path) },
    status: before === null ? "A" : after === null ? "D" : "M",
  }));
  return { changes: changes.sort((a, b) => a.path < b.path ? -1 : 1), unseen };
}

/** Not each version of Deno tells names that are no UTF-8. */
async function oddNamesIn(tree: string): Promise<string[]> {
  const { stdout } = await new Deno.Command("/usr/bin/find", {
    args: [tree, "-mindepth", "1", "-name", "*[! -~]*", "-printf", "%P\\0"],
    ...{ clearEnv: true, env: { LC_ALL: "C" }, stdin: "null", stderr: "null" },
  }).output();
  const names = new TextDecoder().decode(stdout).split("\0");
  return names.filter((name) => name.includes("\ufffd"));
}

/** A device with the number zero stands for what was removed. No program can make one. */
function isWhiteout(path: string): boolean {
  const info = lstat(path);
  return info?.isCharDevice === true && info.rdev === 0;
}

/** What is known of the paths of an overlay's upper folder. */
interface Known {
  overlay: Overlay;
  marks: ReadonlyMap<string, UpperMarks>;
  /** What the workspace has there. */
  below: ReadonlyMap<string, EntryFacts | null>;
}

/** A folder may hide the one below; what is missing below was new, or is gone since if its folder changed. */
async function marksOf(
  upper: ReadonlyMap<string, EntryFacts>,
  below: Known["below"],
  overlay: Overlay,
): Promise<Map<string, UpperMarks>> {
  const present = [...upper].filter(([, { kind }]) => kind !== "other").map(([path]) => path);
  const missing = present.filter((path) => below.get(path) === null);
  const around = new Map(
    [...new Set(missing.map((path) => dirname(path)))].map((
      path,
    ) => [path, factsWithin(overlay.workspace, path)]),
  );
  const changed = await newerAmong(around, overlay);
  const both = present.filter((path) =>
    upper.get(path)!.kind === "folder" && below.get(path)?.kind === "folder"
  );
  return await readMarks(overlay.tree, [...both, ...missing.filter((path) => changed.has(dirname(path)))]);
}

/**
 * Finds the paths at which the workspace has changed since the overlay began: there is no copy of what was there. What an
 * earlier `apply` brought in is as it left it.
 */
async function outdatedAmong(
  found: ReadonlyMap<string, { before: EntryFacts | null; after: EntryFacts | null }>,
  replaced: ReadonlyMap<string, EntryFacts>,
  { overlay, marks, below }: Known,
): Promise<Set<string>> {
  const applied = readManifest(overlay);
  const cameFromBelow = (path: string): boolean => {
    const folder = dirname(path);
    return marks.get(path)?.copied ?? (below.get(folder) === null && cameFromBelow(folder));
  };
  const present = [...[...found].map(([path, { before }]) => [path, before] as const), ...replaced];
  const unknown = present.filter(([path, before]) => {
    const known = applied.get(path);
    return before !== null && !(known && isUntouched(known.original, before));
  });
  const newer = await newerAmong(new Map(unknown), overlay);
  // Somebody may have put another folder in the place of one that goes, with files that are older.
  const isInNewer = (path: string): boolean =>
    newer.has(path) || (found.has(dirname(path)) || replaced.has(dirname(path))) && isInNewer(dirname(path));
  return new Set(
    [...found].filter(([path, { before, after }]) =>
      before === null
        ? applied.has(path) || cameFromBelow(path)
        : after === null
        ? isInNewer(path)
        : newer.has(path)
    ).map(([path]) => path),
  );
}

/** The times that Deno tells are whole seconds: of those in the same one, the system knows which came later. */
async function newerAmong(
  facts: ReadonlyMap<string, EntryFacts | null>,
  { workspace, folder, copied }: Overlay,
): Promise<Set<string>> {
  const began = Math.floor(copied / 1_000) * 1_000;
  const at = (test: (ctime: number) => boolean) =>
    [...facts].filter(([, one]) => one !== null && test(Math.floor(one.ctime / 1_000) * 1_000)).map((
      [path],
    ) => path);
  const newer = new Set(at((ctime) => ctime > began));
  const unsure = at((ctime) => ctime === began);
  for (let from = 0; from < unsure.length; from += BATCH) {
    const batch = new Map(unsure.slice(from, from + BATCH).map((path) => [join(workspace, path), path]));
    const { stdout } = await new Deno.Command("/usr/bin/find", {
      args: [...batch.keys(), "-maxdepth", "0", "-newercc", join(folder, BEGAN_FILE), "-print0"],
      ...{ clearEnv: true, stdin: "null", stderr: "null" },
    }).output();
    for (const path of new TextDecoder().decode(stdout).split("\0")) {
      const name = batch.get(path);
      if (name !== undefined) newer.add(name);
    }
  }
  return newer;
}
