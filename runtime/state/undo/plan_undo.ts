import { dirname, join } from "@std/path";

import { LongWork } from "../../wait/long_work.ts";
import { type EntryFacts, factsOf, factsWithin, isSameEntry, isUntouched } from "../trees/entry_facts.ts";
import { isLeftover } from "../trees/place_entries.ts";
import { sameContent } from "../trees/same_content.ts";
import { walkTree } from "../trees/walk_tree.ts";
import type { KeptPath, ReadRecord } from "./read_record.ts";
import { KEPT_FOLDER, wereShut } from "./undo_lines.ts";

/** What taking a run back does to one path. */
export interface UndoStep {
  /** Absolute. */
  path: string;
  action: "restore" | "remove";
  before: EntryFacts | null;
  /** Why it is left as it is; `null` if it is done. */
  refused: string | null;
}

/** What taking back some records does. */
export interface UndoPlan {
  /** The newest record first, each with its own steps. */
  parts: { record: ReadRecord; steps: UndoStep[] }[];
  /** What becomes of each path in the end. */
  done: UndoStep[];
  /** Left as they are, each with the reason. */
  refused: UndoStep[];
}

/** What will be at paths once newer records are taken back, and where its content is kept. */
type Found = Map<string, { facts: EntryFacts | null; kept: string }>;

/**
 * Looks at what has to be done so that everything is as it was before a run. Needs `read`.
 *
 * @param records The newest first: what it found is what the one before it left
 * @param options `force` also takes back what somebody changed since
 */
export async function planUndo(records: readonly ReadRecord[], { force = false } = {}): Promise<UndoPlan> {
  const found: Found = new Map();
  const parts: UndoPlan["parts"] = [];
  const [done, refused] = [new Map<string, UndoStep>(), new Map<string, UndoStep>()];
  for (const record of records) {
    const steps = await planRecord(record, { force, found });
    parts.push({ record, steps });
    for (const step of steps) {
      if (step.refused !== null) {
        // What the newest record says of a path is told, and once.
        if (!refused.has(step.path)) refused.set(step.path, step);
        continue;
      }
      done.set(step.path, step);
      found.set(step.path, { facts: step.before, kept: keptPath(record, step.path) });
    }
  }
  return {
    parts,
    // What one record brings back, an older one may remove again.
    done: [...done.values()].filter(({ path, before }) => before !== null || factsWithin("/", path) !== null)
      .sort(byPath),
    refused: [...refused.values()].sort(byPath),
  };
}

function byPath(a: UndoStep, b: UndoStep): number {
  return a.path < b.path ? -1 : 1;
}

async function planRecord(
  record: ReadRecord,
  { force, found }: { force: boolean; found: Found },
): Promise<UndoStep[]> {
  const paths = new Map(record.paths);
  await addUnfinished(record, paths, found);
  addOpened(paths);
  const steps: UndoStep[] = [];
  const work = new LongWork();
  for (const [path, known] of paths) {
    if (work.isDue) await work.pause();
    const step = await stepOf(path, known, { record, found });
    if (step !== null) steps.push(force && isForced(step, record) ? { ...step, refused: null } : step);
  }
  return keepFilledFolders(steps, found).sort(byPath);
}

/** What the programs were changing when the run was ended. */
async function addUnfinished(
  { running }: ReadRecord,
  paths: Map<string, KeptPath>,
  found: Found,
): Promise<void> {
  if (running === null) return;
  for (const root of running.roots) {
    const tree = await walkTree(root);
    if (tree === null) continue;
    const here = [...tree.entries.keys()].map((path) => join(root, path));
    for (const at of [...here, ...found.keys()].filter((path) => path.startsWith(`${root}/`))) {
      if (!paths.has(at) && !isLeftover(at)) paths.set(at, { before: null, until: running.until });
    }
    for (const [path, known] of paths) {
      // What was there and was shut to programs is somebody else's work.
      const isOthers = known.before !== null && known.after === undefined && wereShut(path, running.shuts);
      if (isOthers || !path.startsWith(`${root}/`)) continue;
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

async function stepOf(
  path: string,
  known: KeptPath,
  { record, found }: { record: ReadRecord; found: Found },
): Promise<UndoStep | null> {
  const { before } = known;
  if (!isTouched(known)) return null;
  const { facts: now, kept: content } = found.get(path) ?? { facts: factsWithin("/", path), kept: path };
  if (await isAsBefore(now, { before, content, kept: keptPath(record, path) })) return null;
  const step = { path, action: before === null ? "remove" as const : "restore" as const, before };
  return { ...step, refused: refusalOf(path, now, known, record) };
}

/** A file can look the same and have another content. */
function isSameState(before: EntryFacts | null, after: EntryFacts | null): boolean {
  return isSameEntry(before, after) && (before?.kind !== "file" || isUntouched(before, after));
}

/** @param at `content` is what is there now, `kept` what was there before */
async function isAsBefore(
  now: EntryFacts | null,
  { before, content, kept }: { before: EntryFacts | null; content: string; kept: string },
): Promise<boolean> {
  if (!isSameEntry(now, before)) return false;
  if (now === null || now.kind !== "file" || isUntouched(before, now)) return true;
  return factsOf(kept) === null || await sameContent(content, kept);
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
function keepFilledFolders(steps: UndoStep[], found: Found): UndoStep[] {
  const removed = new Set(
    steps.filter(({ action, refused }) => action === "remove" && refused === null)
      .map(({ path }) => path),
  );
  const isGone = (path: string) => removed.has(path) || found.get(path)?.facts === null;
  for (const path of [...removed].sort().reverse()) {
    if (factsOf(path)?.kind !== "folder") continue;
    const isOther = ({ name }: Deno.DirEntry) => !isLeftover(name) && !isGone(join(path, name));
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
