import { basename, dirname, join } from "@std/path";

import { takeDead } from "../../walls/owned/owner_lock.ts";
import { jsonLine } from "../../text/json_line.ts";
import { openTrace } from "../sessions/trace_file.ts";
import { factsOf } from "../trees/entry_facts.ts";
import {
  inodeOf,
  placeEntries,
  type Placement,
  type Placer,
  sweepLeftovers,
} from "../trees/place_entries.ts";
import { sameContent } from "../trees/same_content.ts";
import { walkTree } from "../trees/walk_tree.ts";
import {
  changedFolders,
  keptPath,
  planUndo,
  touchedFolders,
  type UndoPlan,
  type UndoStep,
} from "./plan_undo.ts";
import { type ReadRecord, readRecord, sessionOfRecord } from "./read_record.ts";
import {
  keepAlive,
  keptBytes,
  LINES_FILE,
  type UndoHead,
  UNDOING_FILE,
  type UndoLine,
} from "./undo_lines.ts";
import { UndoRecord } from "./undo_record.ts";

/** How many records are kept. */
const MAX_RECORDS = 50;
/** How long the random end of a record's name is. */
const TOKEN_LENGTH = 8;
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
  const name = `${head.time.replace(/\D/g, "")}-${crypto.randomUUID().slice(0, TOKEN_LENGTH)}`;
  return new UndoRecord(join(undoFolder(state), name), { head, state });
}

/** Lists the records, the newest first. Needs `read`. */
export function listRecords(state: string): ReadRecord[] {
  return recordNames(state).flatMap((name) => readRecord(join(undoFolder(state), name)) ?? []);
}

/** Returns the records of a session that are not undone yet, the newest first; no other record is read whole. Needs `read`. */
export function sessionRecords(state: string, session: string): ReadRecord[] {
  return recordNames(state).flatMap((name) => {
    const folder = join(undoFolder(state), name);
    if (sessionOfRecord(folder) !== session) return [];
    const record = readRecord(folder);
    return record === null || record.isUndone ? [] : [record];
  });
}

/** Removes all records but the newest ones, and those of runs that are at work. Needs `read` and `write`. */
export async function removeOldRecords(state: string): Promise<void> {
  let bytes = 0;
  for (const [at, name] of recordNames(state).entries()) {
    const folder = join(undoFolder(state), name);
    bytes += keptBytes(folder);
    if (at < MAX_RECORDS && bytes <= MAX_BYTES) continue;
    // Whoever writes a record, or takes it back, has its lock.
    using lock = await takeDead(join(folder, LINES_FILE));
    if (lock !== null) await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

/** Removes the records of a session. Needs `read` and `write`. */
export function removeRecords(state: string, session: string): void {
  for (const { folder, head } of listRecords(state)) {
    if (head.session === session) Deno.removeSync(folder, { recursive: true });
  }
}

/** Records that belong to this process until they are disposed of. */
export interface HeldRecords extends Disposable {
  /** As they are now, without those that are undone already. The newest first. */
  records: readonly ReadRecord[];
}

/**
 * Takes records for this process, and reads them anew: meanwhile, their run may have gone on, or they were taken back. Needs
 * `read` and `write`.
 *
 * @param records The newest first
 * @throws {ToolError} `conflict` while their run is at work
 */
export async function holdRecords(records: readonly ReadRecord[]): Promise<HeldRecords> {
  using opened = new DisposableStack();
  for (const { folder } of records) {
    opened.use(await openTrace(join(folder, LINES_FILE), { redact: (text) => text }));
  }
  const now = records.flatMap(({ folder }) => readRecord(folder) ?? []);
  const held = opened.move();
  return { records: now.filter(({ isUndone }) => !isUndone), [Symbol.dispose]: () => held.dispose() };
}

/**
 * Takes back what a run changed. It can be repeated after any interruption. Needs `read`, `write` and `run`.
 *
 * @returns What was done, and a sentence about each entry that belongs to another one now than it did
 * @throws {ToolError} What the system says; then a part is taken back
 */
export async function takeBack(
  { records }: HeldRecords,
  options: { force?: boolean } = {},
): Promise<UndoPlan & { warnings: string[] }> {
  const plan = await planUndo(records, options);
  const [first] = records;
  if (first === undefined) return { ...plan, warnings: [] };
  const placer = placerOf(first.folder, records.map(({ folder }) => folder));
  const note = (folder: string, line: UndoLine) => writeLine(join(folder, LINES_FILE), line);
  using alive = new DisposableStack();
  const placements = new Map<string, Placement>();
  for (const { record, steps } of plan.parts) {
    const { folder } = record;
    const wanted = [...isWhole(steps) ? touchedFolders(record) : [], ...steps.filter(isDone)];
    note(folder, { t: "undoing", paths: wanted.map(({ path }) => path) });
    alive.use(keepAlive(folder, UNDOING_FILE));
    // An older record says what was there before the newer one.
    for (const { path, before } of wanted) {
      placements.set(path, { path: path.slice(1), want: before, content: keptPath(record, path) });
    }
  }
  // Also where nothing has got its name yet.
  for (const path of records.flatMap(changedFolders)) await sweepLeftovers(path, placer);
  const twins = await twinsOf(records, placements);
  const trees = { from: "/", to: "/", keepsOwner: true, twins, placer };
  const warnings = await placeEntries([...placements.values()], trees);
  // The newest first: an older one that is open yet finds everything as it was.
  for (const { record, steps } of plan.parts) {
    note(record.folder, { t: isWhole(steps) ? "undone" : "partly" });
  }
  return { ...plan, warnings };
}

/**
 * Returns whose the work is, by a record that this process has: no other one works in its name.
 *
 * @param folder Of the record
 * @param held The folders of all records that this process has
 */
export function placerOf(folder: string, held: readonly string[] = [folder]): Placer {
  const tokenOf = (folder: string) => basename(folder).slice(-TOKEN_LENGTH);
  const own = new Set(held.map(tokenOf));
  return {
    token: tokenOf(folder),
    async isDead(token) {
      if (own.has(token)) return true;
      const all = dirname(folder);
      const name = namesIn(all).find((one) => tokenOf(one) === token);
      if (name === undefined) return true;
      using lock = await takeDead(join(all, name, LINES_FILE));
      return lock !== null;
    },
  };
}

function isDone({ refused }: UndoStep): boolean {
  return refused === null;
}

function isWhole(steps: readonly UndoStep[]): boolean {
  return steps.every(isDone);
}

/** The line before it may be torn. */
function writeLine(file: string, line: UndoLine): void {
  Deno.writeTextFileSync(file, `\n${jsonLine(line)}`, { append: true });
}

/** A name that comes back of a file that is still there becomes a hard link again. */
async function twinsOf(
  records: readonly ReadRecord[],
  placements: ReadonlyMap<string, Placement>,
): Promise<Map<string, string>> {
  const lost = new Map<string, string>();
  for (const { want, content } of placements.values()) {
    if (want?.kind === "file" && want.links > 1 && content) lost.set(inodeOf(want), content);
  }
  if (lost.size === 0) return new Map();
  // A tool that writes a file knows nothing of its other names.
  const workspace = records[0]!.head.workspace;
  const tree = await walkTree(workspace);
  const others = [...tree?.entries ?? []].map(([path]) => join(workspace, path));
  const twins = new Map<string, string>();
  for (const path of [...records.flatMap(({ paths }) => [...paths.keys()]), ...others]) {
    const now = placements.has(path) ? null : factsOf(path);
    const kept = now?.kind === "file" ? lost.get(inodeOf(now)) : undefined;
    if (now && kept && await sameContent(kept, path)) twins.set(inodeOf(now), path);
  }
  return twins;
}

function recordNames(state: string): string[] {
  return namesIn(undoFolder(state)).sort().reverse();
}

function namesIn(folder: string): string[] {
  try {
    return Array.from(Deno.readDirSync(folder), ({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
