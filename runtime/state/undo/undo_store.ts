import { join } from "@std/path";

import { jsonLine } from "../../text/json_line.ts";
import { openTrace } from "../sessions/trace_file.ts";
import { type EntryFacts, factsOf } from "../trees/entry_facts.ts";
import { inodeOf, placeEntries, sweepLeftovers } from "../trees/place_entries.ts";
import { sameContent } from "../trees/same_content.ts";
import { walkTree } from "../trees/walk_tree.ts";
import { changedFolders, keptPath, planUndo, touchedFolders, type UndoStep } from "./plan_undo.ts";
import { type ReadRecord, readRecord } from "./read_record.ts";
import { keepAlive, KEPT_FOLDER, keptBytes, LINES_FILE, type UndoHead, type UndoLine } from "./undo_lines.ts";
import { UndoRecord } from "./undo_record.ts";

/** How many records are kept. */
const MAX_RECORDS = 50;
/** Most bytes that they keep together. */
const MAX_BYTES = 4 * 1024 ** 3;

/** Returns the folder of all records. */
export function undoFolder(state: string): string {
  return join(state, "undo");
}

/** Begins the record of a run, and removes the oldest ones. Nothing is made on the disk before the first change. */
export function beginRecord(
  state: string,
  head: UndoHead,
): UndoRecord {
  const name = `${head.time.replace(/\D/g, "")}-${crypto.randomUUID().slice(0, 8)}`;
  return new UndoRecord(join(undoFolder(state), name), { head, state });
}

/** Lists the records, the newest first. Needs `read`. */
export function listRecords(state: string): ReadRecord[] {
  return recordNames(state).flatMap((name) => readRecord(join(undoFolder(state), name)) ?? []);
}

/** Removes all records but the newest ones. Needs `read` and `write`. */
export function removeOldRecords(state: string): void {
  let bytes = 0;
  for (const [at, name] of recordNames(state).entries()) {
    const folder = join(undoFolder(state), name);
    bytes += keptBytes(folder);
    if (at >= MAX_RECORDS || bytes > MAX_BYTES) Deno.removeSync(folder, { recursive: true });
  }
}

/** Removes the records of a session. Needs `read` and `write`. */
export function removeRecords(state: string, session: string): void {
  for (const { folder, head } of listRecords(state)) {
    if (head.session === session) Deno.removeSync(folder, { recursive: true });
  }
}

/** What taking back a record came to. */
export interface UndoEnd {
  done: UndoStep[];
  /** Left as they are, each with the reason. */
  refused: UndoStep[];
}

/**
 * Takes back what a run changed. It can be repeated after any interruption. Needs `read`, `write` and `run`.
 *
 * @throws {ToolError} What the system says; then a part is taken back
 */
export async function takeBack(record: ReadRecord, options: { force?: boolean } = {}): Promise<UndoEnd> {
  const file = join(record.folder, LINES_FILE);
  using _held = await openTrace(file, { redact: (text) => text });
  const steps = await planUndo(record, options);
  const done = steps.filter(({ refused }) => refused === null);
  const refused = steps.filter((step) => step.refused !== null);
  const folders = refused.length === 0 ? touchedFolders(record) : [];
  const placements = new Map([...folders, ...done].map(({ path, before }) => [path, before]));
  if (placements.size > 0) writeLine(file, { t: "undoing", paths: [...placements.keys()] });
  using _alive = keepAlive(record.folder);
  // Also where nothing has got its name yet.
  for (const path of changedFolders(record)) sweepLeftovers(path);
  await placeEntries(
    [...placements].map(([path, want]) => ({ path: path.slice(1), want })),
    {
      from: join(record.folder, KEPT_FOLDER),
      to: "/",
      keepsOwner: true,
      twins: await twinsOf(record, placements),
    },
  );
  if (refused.length === 0) writeLine(file, { t: "undone" });
  return { done, refused };
}

/** The line before it may be torn. */
function writeLine(file: string, line: UndoLine): void {
  Deno.writeTextFileSync(file, `\n${jsonLine(line)}`, { append: true });
}

/** A name that comes back of a file that is still there becomes a hard link again. */
async function twinsOf(
  record: ReadRecord,
  placements: ReadonlyMap<string, EntryFacts | null>,
): Promise<Map<string, string>> {
  const { paths, head } = record;
  const lost = new Map<string, string>();
  for (const [path, before] of placements) {
    if (before?.kind === "file" && before.links > 1) lost.set(inodeOf(before), keptPath(record, path));
  }
  if (lost.size === 0) return new Map();
  // A tool that writes a file knows nothing of its other names.
  const tree = await walkTree(head.workspace);
  const others = [...tree?.entries ?? []].map(([path]) => join(head.workspace, path));
  const twins = new Map<string, string>();
  for (const path of [...paths.keys(), ...others]) {
    const now = placements.has(path) ? null : factsOf(path);
    const kept = now?.kind === "file" ? lost.get(inodeOf(now)) : undefined;
    if (now && kept && sameContent(kept, path)) twins.set(inodeOf(now), path);
  }
  return twins;
}

function recordNames(state: string): string[] {
  try {
    return Array.from(Deno.readDirSync(undoFolder(state)), ({ name }) => name).sort().reverse();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
