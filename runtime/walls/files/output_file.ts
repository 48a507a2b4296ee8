import { dirname } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { isNamed } from "./hold_file.ts";
import type { PlacedOutput } from "./place_output.ts";
import { writeThroughRename } from "./replace_file.ts";
import { systemError } from "./system_error.ts";

/** How an output is opened. */
export interface OpenOptions {
  /** What is in the file stays, and lines are added at its end. @default false: the file is emptied */
  append?: boolean;
  /** It is read too, to see how it ends. @default false */
  read?: boolean;
  /** Mode of a new file. @default what the system gives */
  mode?: number;
}

/**
 * Opens an output that is written bit by bit. What is opened is the file that was placed, also if the name has changed
 * since: never the target of a link. Needs `read` and `write`.
 *
 * @throws What Deno throws; {@linkcode ToolError} `conflict` for a file that was replaced meanwhile, or has other names
 */
export function openOutputFile(placed: PlacedOutput, options: OpenOptions = {}): Deno.FsFile {
  const { append = false, read = false, mode } = options;
  if (placed.kind === "stream") return Deno.openSync(placed.real, { write: true });
  const file = openRegular(placed, { read, ...(mode !== undefined && { mode }) });
  try {
    checkNamed(file, placed);
    // Each other name of it is a way to change it, or to be changed by it.
    if ((file.statSync().nlink ?? 1) > 1) throw manyNames(placed);
    if (!append) file.truncateSync();
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

/** An output that was opened before the calls of a run. */
export interface HeldOutput extends Disposable {
  /** @throws {ToolError} `conflict` if something else took its place */
  write(bytes: Uint8Array): Promise<void>;
}

/**
 * Holds the name of an output that is written at once, at the end: the file is replaced as a whole, so that who reads it
 * sees the old one or the new one. A file that is not there is made, empty, so that nothing else
 * takes its name; it is removed again if nothing was written. Needs `read` and `write`.
 *
 * @throws What Deno throws; {@linkcode ToolError} `conflict` for a file that was replaced meanwhile
 */
export function holdOutput(placed: PlacedOutput): HeldOutput {
  if (placed.kind === "stream") return streamed(placed);
  const file = openRegular(placed);
  try {
    checkNamed(file, placed);
  } catch (error) {
    file.close();
    throw error;
  }
  let isEmpty = placed.kind === "missing";
  return {
    async write(bytes) {
      checkNamed(file, placed);
      isEmpty = false;
      if (!await replace(file, placed, bytes)) writeOver(file, placed, bytes);
    },
    [Symbol.dispose]() {
      const opened = file.statSync();
      if (isEmpty && isNamed(opened, placed.real) && opened.size === 0) Deno.removeSync(placed.real);
      file.close();
    },
  };
}

/**
 * Opens an output that gets line after line. Each is written only if the file is still the one that its name leads to,
 * and nobody else changed it: without a sandbox a program can.
 *
 * @throws As {@linkcode openOutputFile} does
 */
export function openLines(placed: PlacedOutput, { append }: { append: boolean }): HeldOutput {
  if (placed.kind === "stream") return streamed(placed);
  const file = openOutputFile(placed, { append });
  let length = 0;
  return {
    async write(bytes) {
      checkNamed(file, placed);
      if (!append && file.statSync().size !== length) throw replaced(placed.asked);
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
      length += bytes.length;
    },
    [Symbol.dispose]: () => file.close(),
  };
}

function streamed({ real }: PlacedOutput): HeldOutput {
  const file = Deno.openSync(real, { write: true });
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    },
    [Symbol.dispose]: () => file.close(),
  };
}

/** No file appears behind a link that was put here meanwhile. */
function openRegular(
  { real, kind }: PlacedOutput,
  options: { read?: boolean; mode?: number } = {},
): Deno.FsFile {
  return Deno.openSync(real, { append: true, createNew: kind === "missing", ...options });
}

/** @returns Whether it could be done: the folder may be closed, or the file may be a mount or belong to somebody else */
async function replace(
  file: Deno.FsFile,
  { real }: PlacedOutput,
  bytes: Uint8Array,
): Promise<boolean> {
  const owner = file.statSync();
  const options = {
    token: crypto.randomUUID().slice(0, 8),
    swept: new Set([dirname(real)]),
    mode: owner.mode,
    owner,
  };
  try {
    await writeThroughRename(real, bytes, { ...options, mustNotExist: false });
    return true;
  } catch (error) {
    const isClosed = error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.Busy;
    if (isClosed || isCode(error, ["EBUSY", "EROFS", "EPERM", "EACCES"])) return false;
    throw error;
  }
}

function writeOver(file: Deno.FsFile, placed: PlacedOutput, bytes: Uint8Array): void {
  if ((file.statSync().nlink ?? 1) > 1) throw manyNames(placed);
  try {
    file.truncateSync();
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  } catch (error) {
    throw systemError(error, "write", placed.real);
  }
}

function isCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

function checkNamed(file: Deno.FsFile, { asked, real }: PlacedOutput): void {
  const opened = file.statSync();
  if (!opened.isFile || !isNamed(opened, real)) throw replaced(asked);
}

function replaced(asked: string): ToolError {
  return new ToolError(
    "conflict",
    `Cannot write "${asked}": something else took its place or changed it meanwhile; name a file outside the folders that ` +
      "calls can write",
  );
}

function manyNames({ asked, real }: PlacedOutput): ToolError {
  return new ToolError(
    "conflict",
    `Cannot write "${asked}": the file has other names (hard links), which calls may know; remove "${real}" or name ` +
      "another file",
  );
}
