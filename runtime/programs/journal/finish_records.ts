import process from "node:process";
import { join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { findProgram } from "../../walls/files/find_program.ts";
import { SYSTEM_PATH } from "../../walls/files/trusted_path.ts";
import { isLockFree, lockWithin, tryLock } from "../../walls/owned/try_lock.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { makeInspector } from "../protected/inspector.ts";
import { lookAfter } from "../protected/look_after.ts";
import { makeOddReader } from "../bytes/odd_reader.ts";
import type { Finding } from "../protected/scan_folder.ts";
import type { ScanOptions } from "../protected/scan_walk.ts";
import { makeTreeScan } from "../protected/tree_scan.ts";
import { killMarked } from "../watch/signal_processes.ts";
import { parseRecord, type ProgramRecord } from "./record.ts";

/** What finishing needs. */
export interface FinishOptions {
  /** Where the records are; absolute. */
  folder: string;
  /** Folders of programs, as in `PATH`: where helpers of the system are found. */
  searchPath: string;
  /** Makes a private folder for what is put aside. */
  asideFolder(): Promise<string>;
  /** Hears a sentence for the user. */
  tell(message: string): void;
}

/** How long a lock is waited for, in milliseconds: its holder seems to live, or seems to be dead. */
const ALIVE_MS = 50;
const DEAD_MS = 3_000;
/** Time that the processes of a killed box have to go, in milliseconds. */
const SETTLE_MS = 100;
/** How often it is looked: a process that was just killed may finish one more step. */
const ROUNDS = 2;
/** The system may give times in whole seconds. */
const SLACK_MS = 1_000;

/**
 * Does what runs could not do that were killed while a program ran: ends the program if it still runs, moves away what
 * it may not leave, and removes their records. Records of runs that live are left alone. Needs `read` and `write` of all
 * folders that those programs could write, and `run`.
 */
export async function finishRecords(names: readonly string[], options: FinishOptions): Promise<void> {
  for (const name of names) {
    const path = join(options.folder, name);
    try {
      await finishRecord(path, options);
    } catch (error) {
      const reason = error instanceof ToolError ? error.message : systemError(error, "finish", path).message;
      options.tell(
        `A run was killed while its program ran, and what the program left could not be looked at: ${reason}; ` +
          "the next run tries again",
      );
    }
  }
}

async function finishRecord(path: string, options: FinishOptions): Promise<void> {
  const file = openOrNull(path);
  if (file === null) return;
  if (!await lock(file, path, options.searchPath)) return;
  using _file = file;
  const record = parseRecord(readAll(file));
  // Else its owner has finished meanwhile, or was killed before the program began.
  if (record !== null) await finish(record, diedAt(file, record), options);
  await Deno.remove(path).catch(() => {});
}

function openOrNull(path: string): Deno.FsFile | null {
  try {
    return Deno.openSync(path, { read: true, write: true });
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Says whether the lock could be taken: then its owner is dead. If not, the file is closed. */
async function lock(file: Deno.FsFile, path: string, searchPath: string): Promise<boolean> {
  const isTaken = await tryLock(file);
  if (isTaken === null) return await lockSoon(file, path, searchPath);
  if (!isTaken) file.close();
  return isTaken;
}

/** Deno 2.6 can only wait for a lock, without an end: so a program of the system waits first. */
async function lockSoon(file: Deno.FsFile, path: string, searchPath: string): Promise<boolean> {
  const ms = isAlive(parseRecord(readAll(file))?.pid) ? ALIVE_MS : DEAD_MS;
  if (await isLockFree(path, ms, searchPath)) return await lockWithin(file, ms);
  file.close();
  return false;
}

/** The number may belong to another process by now: this only says how long to wait. */
function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function readAll(file: Deno.FsFile): string {
  const bytes = new Uint8Array(file.statSync().size);
  file.seekSync(0, Deno.SeekMode.Start);
  let done = 0;
  for (let read = 1; read > 0 && done < bytes.length; done += read) {
    read = file.readSync(bytes.subarray(done)) ?? 0;
  }
  return new TextDecoder().decode(bytes.subarray(0, done));
}

/** What outlived bulkhead to end its programs touched the record when they were dead; `null` if nothing did. */
function diedAt(file: Deno.FsFile, { time }: ProgramRecord): number | null {
  const touched = file.statSync().mtime?.getTime() ?? 0;
  return touched > time + SLACK_MS ? touched : null;
}

async function finish(
  record: ProgramRecord,
  died: number | null,
  { searchPath, asideFolder, tell }: FinishOptions,
): Promise<void> {
  const scan = makeTreeScan({ odd: makeOddReader(searchPath) });
  let failure: unknown = null;
  const lookAgain = lookAfter(record, scan);
  const look = async (options: ScanOptions) => {
    try {
      return (await lookAgain(options)).filter((finding) => !isLater(finding, died));
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  const { files, writable, baseline } = record;
  const inspect = makeInspector({ files, writable, baseline, asideFolder, look });
  const lines: string[] = [];
  await killMarked({ mark: record.mark, terminalPid: null }, {
    sh: findProgram("sh", `${SYSTEM_PATH}:${searchPath}`) ?? "/bin/sh",
  });
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    lines.push(...await inspect());
  }
  if (failure !== null) throw failure;
  const found = lines.length === 0 ? "it left nothing to move" : "looked at what it left";
  tell(`A run in "${files.workspace}" was killed while its program ran: ${found}`);
  for (const line of lines) tell(line);
}

/** What was made after the program's death is the user's own. */
function isLater({ info }: Finding, died: number | null): boolean {
  return died !== null && info.birthtime !== null && info.birthtime.getTime() > died + SLACK_MS;
}
