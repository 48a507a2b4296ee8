import { basename, dirname, join } from "@std/path";

import { lstat, realOrNull } from "./file_facts.ts";
import { expectLanded, expectNamed, isNamed, removeElsewhere, replacedError } from "./hold_file.ts";

const PREFIX = ".bulkhead-";
const SUFFIX = ".tmp";

/** The name of a temporary file: its writer's token, and a random part. */
const TEMPORARY = /^\.bulkhead-([0-9a-z]+)-[0-9a-f]{8}\.tmp$/;
/** Says whether a file name has the form of our temporary files; anybody can give a file such a name. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

/** Mode of a temporary file until it is whole: the sticky bit, which means nothing on a file, says whose it is. */
const UNFINISHED = 0o1600;
const STICKY = 0o1000;
/**
 * How long before its last change a whole temporary file was last read, in milliseconds: so the time says whose it is
 * until it gets its name. Nothing depends on that time later.
 */
const READ_BEFORE_MS = 86_400_123;
/** How often a writer starts whose file went with the leftovers of others. Each other writer looks once a folder. */
const ATTEMPTS = 100;
/** Mode of a new file, before the user's umask. */
const NEW_FILE = 0o666;

/** The options of {@linkcode writeThroughRename}. */
export interface ReplaceOptions {
  /** Marks the writer's own temporary files. */
  token: string;
  /** Folders that this writer has already cleaned. It adds to them. */
  swept: Set<string>;
  /** Mode of the file. @default that of `former`, else a new file's */
  mode?: number | null;
  /** Whom the file is to belong to. @default the writer */
  owner?: Pick<Deno.FileInfo, "uid" | "gid">;
  /**
   * Whom it belonged to: it is given to them if this writer may, else written in its place if it can be, and else it
   * becomes the writer's. @default the writer
   */
  former?: Pick<Deno.FileInfo, "uid" | "gid" | "mode"> | null;
  /** Somebody else may have made the file meanwhile: then it stays, and the writer gets `AlreadyExists`. */
  mustNotExist: boolean;
}

/**
 * Replaces a file by way of a temporary file beside it and a rename, so that at every moment the path names the whole
 * old file or the whole new one. Leftovers of writers that were killed are removed then, and no file that only has such a
 * name. A writer at work whose file goes with them starts again.
 *
 * The folder may become a link meanwhile, at any moment. So nothing is written before the temporary file is known to
 * lie in the real folder, and it can be renamed from there alone; afterwards its place is looked at again.
 *
 * @param path Absolute, real path
 * @throws {ToolError} `conflict` if the folder was replaced meanwhile
 */
export async function writeThroughRename(
  path: string,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<void> {
  const folder = dirname(path);
  const isSwept = options.swept.has(folder);
  options.swept.add(folder);
  for (let attempt = 1;; attempt++) {
    const random = crypto.randomUUID().slice(0, 8);
    const temporary = join(folder, `${PREFIX}${options.token}-${random}${SUFFIX}`);
    try {
      using file = openNew(temporary, path);
      if (!keepsOwner(file, temporary, options) && await wroteInPlace(path, bytes)) {
        await removeIfThere(temporary);
        return;
      }
      const made = await fill(file, temporary, bytes, options);
      markWhole(file);
      Deno.chmodSync(temporary, modeOf(options, made));
      if (!options.mustNotExist) Deno.renameSync(temporary, path);
      else await linkAsNew(temporary, path, bytes);
      expectLanded(file, path);
      if (!isSwept) await sweep(folder, { token: options.token, uid: made.uid });
      return;
    } catch (error) {
      const lost = error instanceof Deno.errors.NotFound && attempt < ATTEMPTS;
      await removeIfThere(temporary);
      if (!lost) throw error;
    }
  }
}

/** Says whether the new file belongs to whom the old one did. */
function keepsOwner(file: Deno.FsFile, path: string, { former }: ReplaceOptions): boolean {
  const made = file.statSync();
  if (!former || (former.uid === made.uid && former.gid === made.gid)) return true;
  try {
    Deno.chownSync(path, former.uid, former.gid);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw error;
    return false;
  }
}

/** Says whether a file could be written over: it may be somebody else's, whose folder alone is the writer's. */
async function wroteInPlace(path: string, bytes: Uint8Array): Promise<boolean> {
  const check = (file: Deno.FsFile) => void expectNamed(file, path, { asked: path, access: "write" });
  try {
    await writeInPlace(path, bytes, { isNew: false, check });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.PermissionDenied) return false;
    throw error;
  }
}

/**
 * Writes over the bytes of a file: not atomic, for files whose folder may not be written.
 *
 * @param options `check` sees the opened file before anything is changed, and throws if it is a different
 * file
 */
export async function writeInPlace(
  path: string,
  bytes: Uint8Array,
  options: { isNew: boolean; check(file: Deno.FsFile): void },
): Promise<void> {
  using file = await Deno.open(path, { write: true, createNew: options.isNew });
  options.check(file);
  await file.truncate();
  await writeAll(file, bytes);
}

/**
 * Removes a file whose folder may become a link meanwhile: it is moved into a new folder beside it, which is nowhere
 * else, and removed there.
 *
 * @param path Absolute, real path
 * @param info Of the file
 * @throws {ToolError} `conflict` if it was replaced meanwhile
 */
export function removeThroughRename(path: string, info: Deno.FileInfo): void {
  const folder = join(dirname(path), `${PREFIX}${crypto.randomUUID().slice(0, 8)}${SUFFIX}`);
  const moved = join(folder, basename(path));
  Deno.mkdirSync(folder);
  try {
    const made = lstat(folder);
    if (made === null || !isNamed(made, folder)) throw replacedError("remove", path);
    Deno.renameSync(path, moved);
    if (isNamed(info, moved)) return Deno.removeSync(moved);
    Deno.renameSync(moved, path);
    throw replacedError("remove", path);
  } finally {
    Deno.removeSync(folder);
  }
}

/**
 * Makes a folder and those above it, each in the real one above.
 *
 * @param folder Absolute, real path
 * @throws {ToolError} `conflict` if one above it was replaced meanwhile
 */
export function makeFolders(folder: string): void {
  try {
    Deno.mkdirSync(folder);
  } catch (error) {
    // Another call has made it.
    if (error instanceof Deno.errors.AlreadyExists && lstat(folder)?.isDirectory) return;
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    makeFolders(dirname(folder));
    return makeFolders(folder);
  }
  if (realOrNull(folder) === folder) return;
  Deno.removeSync(folder);
  throw replacedError("write", folder);
}

/** Gives a file its name, unless the name is taken. */
async function linkAsNew(temporary: string, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await Deno.link(temporary, path);
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists || error instanceof Deno.errors.NotFound) throw error;
    // The file system has no second names.
    await writeInPlace(path, bytes, { isNew: true, check: () => {} });
  }
  await removeIfThere(temporary);
}

/**
 * Opens a new file in its real folder. Without a pause, so that one which went elsewhere is still found there.
 *
 * @throws {Deno.errors.NotFound} If another writer took it for a leftover
 */
function openNew(temporary: string, path: string): Deno.FsFile {
  const file = Deno.openSync(temporary, { write: true, createNew: true });
  const made = file.statSync();
  if (isNamed(made, temporary)) return file;
  const isRemoved = file.statSync().nlink === 0;
  file.close();
  if (isRemoved) throw new Deno.errors.NotFound(temporary);
  removeElsewhere(temporary, made);
  throw replacedError("write", path);
}

async function fill(
  file: Deno.FsFile,
  path: string,
  bytes: Uint8Array,
  { owner }: Pick<ReplaceOptions, "owner">,
): Promise<Deno.FileInfo> {
  const made = file.statSync();
  markUnfinished(path);
  if (owner && (owner.uid !== made.uid || owner.gid !== made.gid)) {
    await Deno.chown(path, owner.uid, owner.gid);
  }
  await writeAll(file, bytes);
  await file.syncData();
  return made;
}

/** As after any write, the new content does not keep a set-user-ID bit. */
function modeOf({ mode, former }: Pick<ReplaceOptions, "mode" | "former">, made: Deno.FileInfo): number {
  return (mode ?? former?.mode ?? made.mode ?? NEW_FILE) & 0o777;
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
}

/** Not every file system can: then a leftover stays, where everybody sees it. */
function markUnfinished(path: string): void {
  try {
    Deno.chmodSync(path, UNFINISHED);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw error;
  }
}

/** Its mode is to be the one that its user wants, and a writer can be killed before the file has its name. */
function markWhole(file: Deno.FsFile): void {
  const now = Date.now();
  try {
    file.utimeSync(new Date(now - READ_BEFORE_MS), new Date(now));
  } catch {
    // As with the other mark: not every file system can.
  }
}

/** Removes what writers of the same user left that were killed. */
async function sweep(folder: string, { token, uid }: { token: string; uid: number | null }): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    const [, writer] = TEMPORARY.exec(name) ?? [];
    if (writer === undefined || writer === token) continue;
    const path = join(folder, name);
    if (isLeftover(lstat(path), uid)) await removeIfThere(path).catch(() => {});
  }
}

/** A file that is empty was not marked yet, and nobody loses anything with it. */
function isLeftover(info: Deno.FileInfo | null, uid: number | null): boolean {
  if (info?.isFile !== true || info.uid !== uid) return false;
  return info.size === 0 || ((info.mode ?? 0) & STICKY) !== 0 || isMarkedWhole(info);
}

function isMarkedWhole({ atime, mtime }: Deno.FileInfo): boolean {
  return atime !== null && mtime !== null && mtime.getTime() - atime.getTime() === READ_BEFORE_MS;
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
