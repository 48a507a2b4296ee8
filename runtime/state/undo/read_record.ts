import { join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { EntryFacts } from "../trees/entry_facts.ts";
import {
  ALIVE_FILE,
  BASE_FILE,
  LINES_FILE,
  OPEN,
  type Shut,
  type UndoHead,
  UNDOING_FILE,
  type UndoLine,
} from "./undo_lines.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { readFirstBytes, readNamedText } from "../../walls/files/open_plain.ts";

/** What a record knows of one path. */
export interface KeptPath {
  before: EntryFacts | null;
  /** What the run left there; `undefined` if it did not change it, or was ended before it could note it. */
  after?: EntryFacts | null;
  /** The run was ended in the middle of a change: what changed until then is its work, in milliseconds since 1970. */
  until?: number;
  /** Somebody else changed it between two changes of the run. */
  isForeign?: boolean;
}

/** A record, read. */
export interface ReadRecord {
  /** Its own folder. */
  folder: string;
  head: UndoHead;
  paths: Map<string, KeptPath>;
  /** Folders in which programs were at work when the run was ended, and until when; `null` if none were. */
  running: { roots: string[]; until: number; shuts: readonly Shut[] } | null;
  /** Its end was noted. */
  isClosed: boolean;
  isUndone: boolean;
  /** Taking it back was begun, and ended in the middle. */
  isInterrupted: boolean;
}

/** Longest first line of a record, in bytes: it holds a path. */
const MAX_HEAD = 64 * 1024;
/** How long after its announcement a change of a tool can come, in milliseconds. */
const CHANGE_MS = 10_000;
/** How long after the last sign of life a program of the run can change files, in milliseconds. */
const PROGRAM_MS = 2_000;

/**
 * Reads the record of a run. A torn last line is left out. Needs `read`.
 *
 * @returns `null` for a folder without a record
 * @throws {ToolError} `unavailable` if it is damaged
 */
export function readRecord(folder: string): ReadRecord | null {
  const lines = readLines<UndoLine>(join(folder, LINES_FILE));
  const [first] = lines;
  if (first?.t !== "open") return null;
  if (first.v !== 1) {
    throw new ToolError("unavailable", `Cannot read "${folder}": another version of bulkhead made it`);
  }
  const { session, workspace, time, by } = first;
  const record: ReadRecord = {
    folder: realOrNull(folder) ?? folder,
    head: { session, workspace, time, by },
    paths: new Map(),
    running: null,
    isClosed: lines.some(({ t }) => t === "close"),
    isUndone: lines.some(({ t }) => t === "undone"),
    isInterrupted: false,
  };
  const base = lines.find((line) => line.t === "base");
  if (base) {
    for (const [path, before] of readLines<[string, EntryFacts]>(join(folder, BASE_FILE))) {
      record.paths.set(path, { before });
    }
  }
  for (const line of lines) addLine(record.paths, line);
  const ran = lastSign(folder, ALIVE_FILE) + PROGRAM_MS;
  if (by === "apply" && !record.isClosed) {
    for (const known of record.paths.values()) {
      if (known.until !== undefined) known.until = Math.max(known.until, ran);
    }
  }
  // One that came to its end, though something was left, has left nothing half done.
  const last = lines.findLast(({ t }) => t === "undoing" || t === "partly");
  const undoing = new Set(last?.t === "undoing" ? last.paths : []);
  record.isInterrupted = last?.t === "undoing" && !record.isUndone;
  const undone = lastSign(folder, UNDOING_FILE) + PROGRAM_MS;
  for (const [path, known] of record.paths) {
    if (undoing.has(path)) known.until = Math.max(known.until ?? 0, undone);
  }
  const open = count(lines, "begin") - count(lines, "end");
  if (base && open > 0 && !record.isClosed) {
    const shuts = lines.flatMap((line) => line.t === "begin" ? [line.shut ?? OPEN] : []);
    record.running = { roots: base.roots, until: ran, shuts };
  }
  return record;
}

/** Returns whose record a folder holds, `null` for a folder without a record. Needs `read`. */
export function sessionOfRecord(folder: string): string | null {
  try {
    const bytes = readFirstBytes(join(folder, LINES_FILE), MAX_HEAD) ?? new Uint8Array();
    const [first = ""] = new TextDecoder().decode(bytes).split("\n", 1);
    const line = JSON.parse(first) as UndoLine;
    return line.t === "open" ? line.session : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function addLine(paths: Map<string, KeptPath>, line: UndoLine): void {
  if (line.t === "keep") paths.set(line.path, { before: line.before });
  if (line.t !== "touch" && line.t !== "after" && line.t !== "foreign") return;
  const known = paths.get(line.path) ?? { before: null };
  paths.set(line.path, known);
  if (line.t === "touch") known.until = line.at + CHANGE_MS;
  else if (line.t === "foreign") known.isForeign = true;
  else {
    delete known.until;
    known.after = line.after;
  }
}

function count(lines: readonly UndoLine[], kind: UndoLine["t"]): number {
  return lines.filter(({ t }) => t === kind).length;
}

function lastSign(folder: string, file: string): number {
  try {
    return Deno.lstatSync(join(folder, file)).mtime?.getTime() ?? 0;
  } catch {
    return 0;
  }
}

/** The lines are written one by one: only the last can be torn. */
function readLines<Line>(path: string): Line[] {
  let text: string;
  try {
    text = readNamedText(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch (error) {
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}
