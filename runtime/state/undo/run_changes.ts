import { LongWork } from "../../wait/long_work.ts";
import { type ComparedEntry, compareEntries } from "../trees/compare_entries.ts";
import { type EntryFacts, factsWithin } from "../trees/entry_facts.ts";
import { isSecret } from "../../walls/grants/secret_paths.ts";
import { keptPath, planUndo } from "./plan_undo.ts";
import type { ReadRecord } from "./read_record.ts";
import { pathNear } from "./shown_plan.ts";

/** What is other at a path than it was before a run. */
export interface RunChange extends ComparedEntry {
  /** Relative to the workspace if it lies there. */
  path: string;
  status: "added" | "modified" | "deleted";
}

/** Most bytes that are read to compare files: what comes later is named, and not shown. */
const MAX_READ = 32 * 1024 * 1024;

/**
 * Compares what is there with what was there before some records began, by path; also while their run is at work. What
 * somebody else changed since at these paths is told too. New folders are left out unless they are empty. Needs `read`.
 *
 * @param records The newest first, as for {@linkcode planUndo}
 */
export async function runChanges(records: readonly ReadRecord[]): Promise<RunChange[]> {
  // What a run changed is also told where it cannot be put back.
  const { parts, done, refused } = await planUndo(records, { force: true });
  const kept = new Map<string, string>();
  for (const { record, steps } of parts) {
    for (const { path, refused } of steps) {
      if (refused === null || !kept.has(path)) kept.set(path, keptPath(record, path));
    }
  }
  const steps = new Map([...refused, ...done].map((step) => [step.path, step]));
  const filled = new Set([...steps.keys()].map((path) => path.slice(0, path.lastIndexOf("/"))));
  const changes: RunChange[] = [];
  let left = MAX_READ;
  const work = new LongWork();
  for (const [path, { before }] of [...steps].sort(([one], [other]) => one < other ? -1 : 1)) {
    const after = factsWithin("/", path);
    if (isOnlyFolder(before, after) && (before !== null && after !== null || filled.has(path))) continue;
    const sides = { before: { at: kept.get(path)!, facts: before }, after: { at: path, facts: after } };
    const compared = compareEntries(nearPath(records, path), sides, {
      maxText: left,
      isSecret: isSecret(path, records[0]!.head.workspace),
    });
    left = Math.max(0, left - bytesOf(before) - bytesOf(after));
    const status = before === null ? "added" : after === null ? "deleted" : "modified";
    changes.push({ path: nearPath(records, path), status, ...compared });
    if (work.isDue) await work.pause();
  }
  return changes;
}

function nearPath([record]: readonly ReadRecord[], path: string): string {
  return pathNear(record?.head.workspace ?? "/", path);
}

function isOnlyFolder(before: EntryFacts | null, after: EntryFacts | null): boolean {
  return (before?.kind ?? "folder") === "folder" && (after?.kind ?? "folder") === "folder";
}

function bytesOf(facts: EntryFacts | null): number {
  return facts?.kind === "file" ? facts.size : 0;
}
