import { dirname, join } from "@std/path";

import { type EntryFacts, factsOf, factsWithin, isSameEntry, isUntouched } from "../trees/entry_facts.ts";
import { isLeftover } from "../trees/place_entries.ts";
import { sameContent } from "../trees/same_content.ts";
import { walkTree } from "../trees/walk_tree.ts";
import type { KeptPath, ReadRecord } from "./read_record.ts";
import { KEPT_FOLDER } from "./undo_lines.ts";

/** What taking a run back does to one path. */
export interface UndoStep {
  /** Absolute. */
  path: string;
  action: "restore" | "remove";
  before: EntryFacts | null;
  /** Why it is left as it is; `null` if it is done. */
  refused: string | null;
}

/**
 * Looks at what has to be done so that everything is as it was before a run. Needs `read`.
 *
 * @param options `force` also takes back what somebody changed since
 */
export async function planUndo(record: ReadRecord, { force = false } = {}): Promise<UndoStep[]> {
  const paths = new Map(record.paths);
  await addUnfinished(record, paths);
  addOpened(paths);
  const steps: UndoStep[] = [];
  for (const [path, known] of paths) {
    const step = stepOf(path, known, record);
    if (step !== null) steps.push(force && isForced(step, record) ? { ...step, refused: null } : step);
  }
  return keepFilledFolders(steps).sort((a, b) => a.path < b.path ? -1 : 1);
}

/** What the programs were changing when the run was ended. */
async function addUnfinished({ running }: ReadRecord, paths: Map<string, KeptPath>): Promise<void> {
  if (running === null) return;
  for (const root of running.roots) {
    const tree = await walkTree(root);
    if (tree === null) continue;
    for (const path of tree.entries.keys()) {
      const at = join(root, path);
      if (!paths.has(at) && !isLeftover(at)) paths.set(at, { before: null, until: running.until });
    }
    for (const [path, known] of paths) {
      if (!path.startsWith(`${root}/`)) continue;
      paths.set(path, { ...known, until: Math.max(known.until ?? 0, running.until) });
    }
  }
}

/** A closed folder is opened while something is put into it, and stays open if that is interrupted. */
function addOpened(paths: Map<string, KeptPath>): void {
  for (const path of [...paths].flatMap(([path, known]) => isTouched(known) ? [dirname(path)] : [])) {
    const known = paths.get(path);
    if (!known || known.before?.kind !== "folder" || isTouched(known)) continue;
    const { mode } = known.before;
    const now = factsOf(path);
    if (now?.mode === (mode | 0o700) && now.mode !== mode) paths.set(path, { ...known, until: Infinity });
  }
}

function isTouched({ before, after, until }: KeptPath): boolean {
  return until !== undefined || (after !== undefined && !isSameState(before, after));
}

function stepOf(path: string, known: KeptPath, record: ReadRecord): UndoStep | null {
  const { before } = known;
  if (!isTouched(known)) return null;
  const now = factsWithin("/", path);
  if (isAsBefore(path, now, known, record)) return null;
  const step = { path, action: before === null ? "remove" as const : "restore" as const, before };
  return { ...step, refused: refusalOf(path, now, known, record) };
}

/** A file can look the same and have another content. */
function isSameState(before: EntryFacts | null, after: EntryFacts | null): boolean {
  return isSameEntry(before, after) && (before?.kind !== "file" || isUntouched(before, after));
}

function isAsBefore(path: string, now: EntryFacts | null, { before }: KeptPath, record: ReadRecord): boolean {
  if (!isSameEntry(now, before)) return false;
  if (now === null || now.kind !== "file" || isUntouched(before, now)) return true;
  const kept = keptPath(record, path);
  return factsOf(kept) === null || sameContent(path, kept);
}

function refusalOf(path: string, now: EntryFacts | null, known: KeptPath, record: ReadRecord): string | null {
  const { before, after, until, isForeign } = known;
  if (before?.kind === "other") return "it was neither file, folder, link nor pipe";
  if (before !== null && before.kind !== "folder" && factsOf(keptPath(record, path)) === null) {
    return "its content could not be kept";
  }
  if (isForeign) return "something else changed it between two changes of the run";
  // The system tells the time of a change in whole seconds.
  const isInTime = until !== undefined && (now === null || now.ctime <= until);
  if (isInTime || (after !== undefined && isSameEntry(now, after))) return null;
  return "it changed after the run had changed it";
}

/** No flag brings back what was not kept. */
function isForced({ path, before }: UndoStep, record: ReadRecord): boolean {
  return before === null || before.kind === "folder" || factsOf(keptPath(record, path)) !== null;
}

/** A folder of the run stays if something of somebody else is in it. */
function keepFilledFolders(steps: UndoStep[]): UndoStep[] {
  const removed = new Set(
    steps.filter(({ action, refused }) => action === "remove" && refused === null)
      .map(({ path }) => path),
  );
  for (const path of [...removed].sort().reverse()) {
    if (factsOf(path)?.kind !== "folder") continue;
    const isOther = ({ name }: Deno.DirEntry) => !isLeftover(name) && !removed.has(join(path, name));
    if (Array.from(Deno.readDirSync(path)).some(isOther)) removed.delete(path);
  }
  return steps.map((step) => {
    if (step.action !== "remove" || step.refused !== null || removed.has(step.path)) return step;
    return { ...step, refused: "something is in it that the run did not make" };
  });
}

/** Returns where the content of a path is kept. */
export function keptPath({ folder }: Pick<ReadRecord, "folder">, path: string): string {
  return join(folder, KEPT_FOLDER, path);
}

/** Returns the folders in which a run changed something, as far as they are there. */
export function changedFolders(record: ReadRecord): string[] {
  const parents = new Set<string>();
  for (const [path, { after, until }] of record.paths) {
    if (after !== undefined || until !== undefined) parents.add(dirname(path));
  }
  return [...parents].filter((path) => factsWithin("/", path)?.kind === "folder");
}

/** Returns the folders whose time of change comes back too, if all that the run did is taken back. */
export function touchedFolders(record: ReadRecord): { path: string; before: EntryFacts }[] {
  return changedFolders(record).flatMap((path) => {
    const before = record.paths.get(path)?.before;
    return before ? [{ path, before }] : [];
  });
}
