import { dirname } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { readBoundedLines } from "../../text/lines.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { lstat } from "../../walls/files/file_facts.ts";
import { lockWithin, tryLock } from "../../walls/owned/try_lock.ts";
import { openPlain, piecesOfFile } from "../../walls/files/open_plain.ts";
import { decodeTraceLine } from "./decode_trace.ts";
import { LineFile } from "./line_file.ts";
import { redactTraceLine } from "./redact_trace.ts";

/** A session's trace, open for one run. */
export interface Trace extends Disposable {
  readonly path: string;
  /** Whether nothing was ever written to it. */
  readonly isEmpty: boolean;
  /**
   * Adds a line, with its secrets masked; it is in the file when this returns.
   *
   * @throws {ToolError} What the system says, on a full disk for instance
   */
  write(line: TraceLine): void;
}

/** Options of {@linkcode openTrace}. */
export interface TraceOptions {
  /** Masks the secrets of a text, in time linear in its length. */
  redact(text: string): string;
  /** How long to wait for another run on the same trace to end, in milliseconds. @default 2000 */
  waitMs?: number;
}

/** Longest line that is read, in bytes: what is longer was not written here. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/**
 * Opens a trace for adding to it, and makes it with its folder if it is not there. It belongs to this process until it
 * is closed; the system frees it when the process dies, however. Needs `read` and `write`.
 *
 * @throws {ToolError} `conflict` if another run has it open; what the system says
 */
export async function openTrace(path: string, { redact, waitMs = 2_000 }: TraceOptions): Promise<Trace> {
  const file = await openLocked(path, waitMs);
  if (file === null) {
    throw new ToolError(
      "conflict",
      `Cannot use "${path}": another run is at work on this session, wait for its end or begin a session of its own`,
    );
  }
  const lines = new LineFile(path, file);
  const names = new Set<string>();
  return {
    path,
    get isEmpty() {
      return lines.isEmpty;
    },
    write(line) {
      if (line.t === "run") { for (const name of line.tools) names.add(name); }
      if (line.t === "tools") { for (const { name } of line.added) names.add(name); }
      lines.write(redactTraceLine(line, { redact, names }));
    },
    // Closing gives the lock back.
    [Symbol.dispose]: () => lines[Symbol.dispose](),
  };
}

/**
 * Reads all lines of a trace. A line that was torn when a run was killed or its disk was full is left out. Needs `read`.
 *
 * @throws {ToolError} `unavailable` for a trace that is damaged or of another version; what the system says
 */
export async function readTrace(path: string): Promise<TraceLine[]> {
  const lines: TraceLine[] = [];
  let number = 0;
  let torn: number | null = null;
  try {
    const file = openPlain(path, { follows: true });
    if (file === null) throw new Deno.errors.NotFound(path);
    for await (const text of readBoundedLines(piecesOfFile(file), MAX_LINE_BYTES)) {
      number++;
      const value = parseOrNull(text);
      if (value === null) {
        torn ??= number;
        continue;
      }
      const line = decodeLine(value, { path, number });
      // Only after the end of a run can a line be torn.
      if (torn !== null && line.t !== "run" && line.t !== "end") throw damaged(path, torn, "it is not JSON");
      torn = null;
      lines.push(line);
    }
  } catch (error) {
    throw systemError(error, "read", path);
  }
  return lines;
}

function openFile(path: string): Deno.FsFile {
  try {
    Deno.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return Deno.openSync(path, { read: true, append: true, create: true, mode: 0o600 });
  } catch (error) {
    throw systemError(error, "open", path);
  }
}

/** `null` if another process has it. Who tidied up may have removed the file before its lock was taken. */
async function openLocked(path: string, waitMs: number): Promise<Deno.FsFile | null> {
  for (;;) {
    const file = openFile(path);
    if (!await isTaken(file, path, waitMs)) return null;
    const [own, named] = [file.statSync(), lstat(path)];
    if (named !== null && named.ino === own.ino && named.dev === own.dev) return file;
    file.close();
  }
}

/** Takes the lock, however loaded the machine is if nobody has it. */
async function isTaken(file: Deno.FsFile, path: string, waitMs: number): Promise<boolean> {
  try {
    if (await tryLock(file).catch(() => false)) return true;
    return await lockWithin(file, waitMs);
  } catch (error) {
    throw systemError(error, "lock", path);
  }
}

function parseOrNull(text: string | null): unknown {
  if (text === null) return null;
  try {
    return parseJson(text, "the line");
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

function decodeLine(value: unknown, { path, number }: { path: string; number: number }): TraceLine {
  if (isObject(value) && value.t === "run" && value.v !== 1) {
    throw damaged(path, number, "it is of a version that this program does not know");
  }
  try {
    return decodeTraceLine(value, "it");
  } catch (error) {
    if (error instanceof ToolError) throw damaged(path, number, error.message);
    throw error;
  }
}

function damaged(path: string, number: number, reason: string): ToolError {
  return new ToolError("unavailable", `Cannot use line ${number} of "${path}": ${reason}`);
}
