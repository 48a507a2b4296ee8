import { ToolError } from "../../../schemas/error.ts";
import { lstat, realOrNull } from "./file_facts.ts";

/** Longest wait for another holder, in milliseconds. One that replaces a file needs a few. */
const HOLD_MS = 2_000;
/** How often a file that was replaced meanwhile is tried again. */
const TRIES = 200;
/** How often an opened file is compared with its path. To get through, a swapped link must win each time. */
const RECHECKS = 3;
/** How often each of two looks is taken at a file of which main shows something, where no wall stands behind it. */
const LOOKS = 12;
/** How often a file is looked for that a swapped folder led elsewhere. */
const REMOVALS = 1_000;
const CHUNK_BYTES = 64 * 1024;

/** A file that no other writer of this program replaces while it is held. */
export interface HeldFile extends Disposable {
  /** Says whether the file holds exactly these bytes. */
  holds(bytes: Uint8Array): boolean;
}

/**
 * Holds the file that a path names, against other writers of this program, also in other processes: they wait for each
 * other by a lock of the system on the file itself. Where the system has no such locks, or another program keeps one,
 * the file is only opened. Needs `read`.
 *
 * @param real Absolute, real path
 * @returns `null` if the file cannot be read
 */
export async function holdFile(real: string): Promise<HeldFile | null> {
  for (let attempt = 1;; attempt++) {
    const file = openOrNull(real);
    if (file === null) return null;
    await lock(file);
    // The one before may have replaced the file: then its lock is on the old one.
    if (attempt === TRIES || isSame(file.statSync(), lstat(real))) {
      return { holds: (bytes) => holdsExactly(file, bytes), [Symbol.dispose]: () => file.close() };
    }
    file.close();
  }
}

function openOrNull(path: string): Deno.FsFile | null {
  try {
    return Deno.openSync(path, { read: true });
  } catch {
    // It is gone, or may be written but not read: then nobody has read it to change it.
    return null;
  }
}

async function lock(file: Deno.FsFile): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, HOLD_MS);
  try {
    // Not every file system has locks. The content is compared all the same.
    await Promise.race([file.lock(true).catch(() => {}), late]);
  } finally {
    clearTimeout(timer);
  }
}

function holdsExactly(file: Deno.FsFile, bytes: Uint8Array): boolean {
  if (file.statSync().size !== bytes.length) return false;
  const chunk = new Uint8Array(CHUNK_BYTES);
  file.seekSync(0, Deno.SeekMode.Start);
  let at = 0;
  for (;;) {
    const count = file.readSync(chunk) ?? 0;
    if (count === 0) return at === bytes.length;
    for (let offset = 0; offset < count; offset++) {
      if (chunk[offset] !== bytes[at + offset]) return false;
    }
    at += count;
  }
}

/** The error for a path whose links or folders changed under a call. */
export function replacedError(action: string, path: string): ToolError {
  return new ToolError(
    "conflict",
    `Cannot ${action} "${path}": it was replaced while it was opened, try again`,
    { retryable: true },
  );
}

/**
 * Sees to it that an opened file is the one that a path names: a link swapped between the check and the opening leads
 * to another inode, or to another real path. Needs `read`.
 *
 * @param real Absolute, real path
 * @param told What the message says
 * @throws {ToolError} `conflict` if it is another one
 */
export function expectNamed(
  file: Deno.FsFile,
  real: string,
  told: { asked: string; access: "read" | "write" },
): Deno.FileInfo {
  const opened = file.statSync();
  for (let turn = 0; turn < RECHECKS; turn++) {
    if (!isNamed(opened, real)) throw replacedError(told.access, told.asked);
  }
  return opened;
}

/**
 * Sees to it that a file that was written and renamed lies where it belongs. One that a swapped folder led elsewhere
 * is removed there, as far as its place is known. Needs `read` and `write`.
 *
 * @throws {ToolError} `conflict` if it went elsewhere
 */
export function expectLanded(file: Deno.FsFile, real: string): void {
  const written = file.statSync();
  // A later writer may have replaced it already: then it has no name.
  if (isNamed(written, real) || file.statSync().nlink === 0) return;
  removeElsewhere(real, written);
  throw replacedError("write", real);
}

/**
 * Removes a file of ours that a swapped folder led elsewhere, as far as its path leads to it now and then. Needs `read`
 * and `write`.
 */
export function removeElsewhere(path: string, info: Deno.FileInfo): void {
  for (let attempt = 1; attempt <= REMOVALS; attempt++) {
    if (!isSame(info, lstat(path))) continue;
    try {
      return Deno.removeSync(path);
    } catch (error) {
      // The folder is another one again, or Deno sees that it lies outside.
      if (!(error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotCapable)) throw error;
    }
  }
}

/**
 * Says whether a path is real and names this entry, for sure: whoever swaps folders for links meanwhile must have the
 * right one in place at each look, and cannot know which of the two comes next. Needs `read`.
 */
export function isStillNamed(info: Inode, real: string): boolean {
  return crypto.getRandomValues(new Uint8Array(LOOKS)).every((byte) =>
    byte % 2 === 0
      ? realOrNull(real) === real && isSame(info, lstat(real))
      : isSame(info, lstat(real)) && realOrNull(real) === real
  );
}

/** Says whether a path is real and names this entry. */
export function isNamed(info: Inode, real: string): boolean {
  return realOrNull(real) === real && isSame(info, lstat(real));
}

/** What tells an entry from all others. */
type Inode = Pick<Deno.FileInfo, "dev" | "ino">;

function isSame(info: Inode, other: Deno.FileInfo | null): boolean {
  return other !== null && !other.isSymlink && info.ino === other.ino && info.dev === other.dev;
}
