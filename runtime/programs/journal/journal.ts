import { join } from "@std/path";

import { systemError } from "../../walls/files/system_error.ts";
import type { LookAfter } from "../protected/look_after.ts";
import { type ProgramRecord, RECORD_ENDING } from "./record.ts";

/** A record that stands while its program runs. */
export interface OpenRecord {
  /** Why there is none, for the user; `null` if there is one. */
  warning: string | null;
  /** Removes the record: what the program left was looked at. */
  close(): void;
}

/** How often a record is written again that another run took for an old one. */
const ATTEMPTS = 5;

/**
 * Keeps a record of each running program that can write, so that a later run can look at what the program left if this
 * process is killed. The lock of a record is held while this process lives; the system frees it, however the process ends.
 */
export class Journal {
  /** `null` where nothing can be kept. */
  readonly folder: string | null;

  /** @param folder Absolute; made with the first record */
  constructor(folder: string | null) {
    this.folder = folder;
  }

  /** The same is told once. */
  #isTold = false;

  /** Returns the names of all records, also those of other runs. Needs `read` of the folder. */
  names(): string[] {
    if (this.folder === null) return [];
    try {
      return Array.from(Deno.readDirSync(this.folder), ({ name }) => name)
        .filter((name) => name.endsWith(RECORD_ENDING));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return [];
      throw error;
    }
  }

  /** Writes the record of a program that is about to start. Needs `read` and `write` of the folder. */
  open(mark: string, after: LookAfter | null): OpenRecord {
    const { folder } = this;
    if (folder === null || after === null) return { warning: null, close() {} };
    const record: ProgramRecord = { v: 1, pid: Deno.pid, time: Date.now(), mark, ...after };
    const path = join(folder, `${mark}${RECORD_ENDING}`);
    try {
      const file = writeLocked(path, new TextEncoder().encode(JSON.stringify(record)), folder);
      return { warning: null, close: () => remove(path, file) };
    } catch (error) {
      const { message } = systemError(error, "write", path);
      const warning = this.#isTold ? null : `Nothing looks after programs of a killed bulkhead: ${message}`;
      this.#isTold = true;
      return { warning, close() {} };
    }
  }
}

function writeLocked(path: string, bytes: Uint8Array, folder: string): Deno.FsFile {
  for (let attempt = 1;; attempt++) {
    const file = create(path, folder);
    try {
      file.lockSync(true);
      if (isAt(path, file)) {
        for (let done = 0; done < bytes.length;) done += file.writeSync(bytes.subarray(done));
        return file;
      }
      if (attempt === ATTEMPTS) throw new Error("other runs remove it");
      file.close();
    } catch (error) {
      remove(path, file);
      throw error;
    }
  }
}

function create(path: string, folder: string): Deno.FsFile {
  const options = { write: true, createNew: true, mode: 0o600 };
  try {
    return Deno.openSync(path, options);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return Deno.openSync(path, options);
  }
}

/** A run that saw the empty record may have removed it before it was locked. */
function isAt(path: string, file: Deno.FsFile): boolean {
  try {
    return Deno.lstatSync(path).ino === file.statSync().ino;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function remove(path: string, file: Deno.FsFile): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    // Somebody removed the whole folder.
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  } finally {
    file.close();
  }
}
