import { basename } from "@std/path";

import { systemError } from "../../walls/files/system_error.ts";
import { isProtected } from "../../walls/grants/protected_paths.ts";
import { isKernelFolder, isSecretEntry } from "../../walls/grants/secret_paths.ts";

/** A file or folder that a box must hide or freeze. */
export interface Finding {
  path: string;
  /**
   * A protected folder stands for all in it. Only in `.git`, each protected part is a finding of its own. A
   * closed folder cannot be scanned, but programs could open it.
   */
  kind: "secret" | "protected" | "socket" | "closed";
  /** Of the entry itself: links are not followed. */
  info: Deno.FileInfo;
}

/** What a scan found in one folder. */
export interface ScannedFolder {
  /** Another one when the folder has changed. */
  stamp: string;
  count: number;
  folders: string[];
  found: { name: string; kind: Finding["kind"] }[];
  isClosed: boolean;
}

/** What scans found in folders, by path. */
export interface KnownFolders {
  get(path: string): ScannedFolder | undefined;
  set(path: string, folder: ScannedFolder): void;
  delete(path: string): void;
}

/** Longest path of a scanned folder, in characters: a box adds to it, and the system takes 4,096 bytes. */
const MAX_PATH = 1_300;

/** The mode with which the owner of a folder can list it. */
export const OWNER_LOOKS = 0o500;
/** The system gives the time of a change in whole seconds. So only older folders are remembered. */
const QUIET_MS = 3_000;

/** Says whether an entry is the folder of a git repository's own files. */
export function isGitFolder({ path, info }: Pick<Finding, "path" | "info">): boolean {
  return info.isDirectory && basename(path).toLowerCase() === ".git";
}

/**
 * Looks into a folder, unless it is as it was the last time. Needs `read`.
 *
 * @returns `null` if it is no folder
 */
export function lookInto(path: string, known: KnownFolders): ScannedFolder | null {
  const now = Date.now();
  const info = entryInfo(path);
  if (!info?.isDirectory) return null;
  const stamp = [info.dev, info.ino, info.mtime?.getTime(), info.ctime?.getTime()].join(":");
  const seen = known.get(path);
  if (seen?.stamp === stamp) return seen;
  const folder = readFolder(path, stamp, info);
  if (info.ctime !== null && info.ctime.getTime() < now - QUIET_MS) known.set(path, folder);
  else known.delete(path);
  return folder;
}

function readFolder(path: string, stamp: string, { mode, uid }: Deno.FileInfo): ScannedFolder {
  const folder: ScannedFolder = { stamp, count: 0, folders: [], found: [], isClosed: false };
  const entries = entriesOf(path);
  const isOpen = entries !== null && ((mode ?? OWNER_LOOKS) & OWNER_LOOKS) === OWNER_LOOKS;
  // Programs run as this user, so the folder is closed to them too, unless the user owns it.
  if (entries === null || path.length > MAX_PATH || (!isOpen && uid === Deno.uid())) {
    folder.isClosed = path.length > MAX_PATH || uid === Deno.uid();
    return folder;
  }
  const hasDot = path.includes("/.");
  const isFrozen = hasDot && isProtected(path) && basename(path).toLowerCase() !== ".git";
  for (const entry of entries) {
    folder.count++;
    const { name } = entry;
    const at = `${path === "/" ? "" : path}/${name}`;
    if (isKernelFolder(at)) continue;
    if (isSecretEntry(at)) {
      folder.found.push({ name, kind: "secret" });
      continue;
    }
    // Every protected path has a name that starts with a dot, or belongs to bulkhead.
    const mayBe = hasDot || name.startsWith(".") || /^bulkhead/i.test(name);
    if (mayBe && !isFrozen && isProtected(at)) folder.found.push({ name, kind: "protected" });
    if (entry.isDirectory) folder.folders.push(name);
    else if (!entry.isFile && !entry.isSymlink && entryInfo(at)?.isSocket) {
      folder.found.push({ name, kind: "socket" });
    }
  }
  return folder;
}

/** `null` if the folder cannot be listed. */
function entriesOf(path: string): readonly Deno.DirEntry[] | null {
  try {
    return [...Deno.readDirSync(path)];
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw systemError(error, "look through", path);
    return error instanceof Deno.errors.NotFound ? [] : null;
  }
}

/** Returns the facts about an entry itself; `null` if they cannot be read. Throws if Deno forbids it. */
export function entryInfo(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw systemError(error, "look at", path);
    return null;
  }
}
