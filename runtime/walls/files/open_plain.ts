import { closeSync, constants, fchownSync, fstatSync, openSync, readSync } from "node:fs";

import { ToolError } from "../../../schemas/error.ts";
import { isStillNamed } from "./hold_file.ts";
import { systemError } from "./system_error.ts";

/** How much is read at once, in bytes: in between, others get their turn. */
const PIECE_BYTES = 1024 * 1024;
/** The same where somebody takes the pieces as they come. */
const STREAM_BYTES = 64 * 1024;
/** Longest text that is read where nothing else is said, in bytes. */
const MAX_TEXT = 256 * 1024 * 1024;
/** What a shell hands over as `<(…)`: no program can put another thing there. */
const HANDED_OVER = /^\/(?:dev|proc\/self)\/fd\/[0-9]+$/;
/** A pipe, a device and a file that somebody has locked open at once or not at all. */
const AT_ONCE = constants.O_RDONLY | constants.O_NONBLOCK;
/** What the system says where no plain file is, or none for this user. */
const NO_FILE = ["ENOENT", "ENOTDIR", "ELOOP", "EISDIR", "ENXIO", "EAGAIN", "EACCES", "EPERM"];

/** Options of {@linkcode openPlain}. */
export interface PlainOptions {
  /**
   * Links are followed: for settings and the like, of which nothing is shown. Else the path must be real, and the file
   * lies in the folder that it names. @default false
   */
  follows?: boolean;
  /** A file with a second name is taken too, which may lie anywhere. @default `follows` */
  mayHaveNames?: boolean;
  /** The file that was looked at before. @default whatever is there */
  expected?: { dev: number; ino: number | null };
}

/** A regular file that is open for reading. Close it with `using`. */
export interface OpenPlain extends Disposable {
  /** When it was opened, in bytes. */
  readonly size: number;
  /** Reads from a place in the file on; returns how many bytes, 0 at its end. Throws `ToolError` for what the system says. */
  readAt(bytes: Uint8Array, at: number): number;
  /** Its device and its number there, as in `8:1234`. */
  readonly inode: string;
  /** Gives the file to a user and a group. Throws what the system says: most users may not. */
  giveTo(uid: number, gid: number): void;
}

/**
 * Opens a file that a program may change meanwhile. It never waits, and what was opened is what counts: a regular file, in
 * the folder that was meant. This is the way of main to all files that programs can write. Needs `read`.
 *
 * @param path Absolute
 * @returns `null` if there is no such file, or another one than was meant
 * @throws {ToolError} What else the system says
 */
export function openPlain(path: string, options: PlainOptions = {}): OpenPlain | null {
  const { follows = false, mayHaveNames = follows, expected } = options;
  const isMeant = (info: { isFile: boolean; dev: number; ino: number | null; nlink: number | null }) =>
    info.isFile && (mayHaveNames || (info.nlink ?? 1) <= 1) &&
    (expected === undefined || (info.dev === expected.dev && info.ino === expected.ino));
  let opened: number | null = null;
  try {
    // To open a device may do something already.
    if (!isMeant(follows ? Deno.statSync(path) : Deno.lstatSync(path))) return null;
    const descriptor = opened = openSync(path, follows ? AT_ONCE : AT_ONCE | constants.O_NOFOLLOW);
    const { dev, ino, nlink, size, mode } = fstatSync(descriptor);
    const isFile = (mode & constants.S_IFMT) === constants.S_IFREG;
    if (!isMeant({ isFile, dev, ino, nlink })) return null;
    if (!follows && !isStillNamed({ dev, ino }, path)) return null;
    opened = null;
    return {
      size,
      inode: `${dev}:${ino}`,
      readAt: (bytes, at) => readFrom(descriptor, { bytes, at, path }),
      giveTo: (uid, gid) => fchownSync(descriptor, uid, gid),
      [Symbol.dispose]: () => closeSync(descriptor),
    };
  } catch (error) {
    if (isNoFile(error)) return null;
    throw systemError(error, "open", path);
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/**
 * Reads a file as {@linkcode openPlain} opens it, in one go: for small files. Needs `read`.
 *
 * @returns `null` if there is no such file
 * @throws {ToolError} `limit_exceeded` if it is larger than `maxBytes`; what the system says
 */
export function readPlain(
  path: string,
  { maxBytes, ...options }: PlainOptions & { maxBytes: number },
): Uint8Array<ArrayBuffer> | null {
  using file = openPlain(path, options);
  if (file === null) return null;
  const bytes = roomFor(file, path, maxBytes);
  let length = 0;
  for (let read = 1; read > 0; length += read) read = file.readAt(bytes.subarray(length), length);
  return bytes.subarray(0, length);
}

/** The same for larger files: others get their turn in between. */
export async function readPlainSlowly(
  path: string,
  { maxBytes, ...options }: PlainOptions & { maxBytes: number },
): Promise<Uint8Array<ArrayBuffer> | null> {
  using file = openPlain(path, options);
  if (file === null) return null;
  const bytes = roomFor(file, path, maxBytes);
  let length = 0;
  for (let read = 1; read > 0; length += read) {
    if (length > 0) await new Promise((resolve) => setTimeout(resolve));
    read = file.readAt(bytes.subarray(length, length + PIECE_BYTES), length);
  }
  return bytes.subarray(0, length);
}

/**
 * Reads an open file piece by piece, to its end. The file is closed then, and when nobody wants more. Throws `ToolError` for
 * what the system says.
 */
export function piecesOfFile(file: OpenPlain): AsyncIterableIterator<Uint8Array<ArrayBuffer>> {
  const open = new DisposableStack();
  open.use(file);
  let at = 0;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next() {
      const piece = new Uint8Array(STREAM_BYTES);
      const read = open.disposed ? 0 : file.readAt(piece, at);
      at += read;
      if (read === 0) open.dispose();
      const value = piece.subarray(0, read);
      return Promise.resolve(read === 0 ? { done: true, value: undefined } : { done: false, value });
    },
    return() {
      open.dispose();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}

/**
 * Reads the text of a file that somebody names, also behind links. Needs `read`.
 *
 * @param options `maxBytes` has as its default what a text can hold at most
 * @throws {ToolError} `invalid_input` if it is no regular file, `limit_exceeded` if it is larger than `maxBytes`
 * @throws {Error} What the system says: Deno's own `NotFound` if nothing is there
 */
export function readNamedText(path: string, { maxBytes = MAX_TEXT }: { maxBytes?: number } = {}): string {
  const { isFile, isDirectory, isFifo } = Deno.statSync(path);
  if (isDirectory) throw new Deno.errors.IsADirectory(path);
  if (isFifo && HANDED_OVER.test(path)) return Deno.readTextFileSync(path);
  const bytes = isFile ? readPlain(path, { maxBytes, follows: true }) : null;
  if (bytes !== null) return new TextDecoder().decode(bytes);
  if (!isFile) throw new ToolError("invalid_input", `Cannot read "${path}": it is not a regular file`);
  throw new Deno.errors.PermissionDenied(path);
}

/**
 * Reads the text of settings and the like, also behind links. Needs `read`.
 *
 * @returns `null` if there is no such file, or it is larger than `maxBytes`, or cannot be read
 */
export function readSettingsText(path: string, { maxBytes }: { maxBytes: number }): string | null {
  try {
    const bytes = readPlain(path, { maxBytes, follows: true });
    return bytes && new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

/** Reads the first bytes of a file, also behind links; `null` if there is no such file, or it cannot be read. Needs `read`. */
export function readFirstBytes(path: string, length: number): Uint8Array<ArrayBuffer> | null {
  try {
    using file = openPlain(path, { follows: true });
    const bytes = new Uint8Array(length);
    return file && bytes.subarray(0, file.readAt(bytes, 0));
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}

function roomFor({ size }: OpenPlain, path: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  if (size <= maxBytes) return new Uint8Array(size);
  throw new ToolError("limit_exceeded", `"${path}" has ${size} bytes, the limit is ${maxBytes}`);
}

function readFrom(
  descriptor: number,
  { bytes, at, path }: { bytes: Uint8Array; at: number; path: string },
): number {
  if (bytes.length === 0) return 0;
  try {
    return readSync(descriptor, bytes, 0, bytes.length, at);
  } catch (error) {
    throw systemError(error, "read", path);
  }
}

function isNoFile(error: unknown): boolean {
  if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied) return true;
  if (error instanceof Deno.errors.NotADirectory || error instanceof Deno.errors.FilesystemLoop) return true;
  return error instanceof Error && "code" in error && NO_FILE.includes(String(error.code));
}
