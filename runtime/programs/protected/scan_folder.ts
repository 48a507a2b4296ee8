import { basename, dirname } from "@std/path";

import { systemError } from "../../walls/files/system_error.ts";
import { holdsRepository } from "../../walls/git/git_folder.ts";
import { isInstructions, isProtected, isSuspicious } from "../../walls/grants/protected_paths.ts";
import { isKernelFolder, isSecretEntry } from "../../walls/grants/secret_paths.ts";
import { byteLength } from "../bytes/odd_names.ts";
import type { OddEntry } from "../bytes/odd_reader.ts";

/** Where git keeps objects: a program can make any folder look so, but cannot give it this name around a secret. */
const STORE = /\.git(?:\/modules\/.+)?\/objects$/;

/** A file or folder that a box must hide or freeze. */
export interface Finding {
  /** May hold bytes that are no UTF-8, as `bytes/odd_names.ts` writes them. */
  path: string;
  /**
   * A protected folder stands for all in it. Only in `.git`, each protected part is a finding of its own, and so is a
   * file in a protected folder that has a second name elsewhere. A closed folder cannot be scanned, but programs could
   * open it. A set-ID file lets others act as its owner; it is found only after a program. A repository is a folder that
   * git takes for one by what is in it.
   */
  kind:
    | ("secret" | "protected" | "denied" | "socket" | "fifo" | "closed" | "set-id")
    | ("repository" | "instructions");
  /** Of the entry itself: links are not followed. */
  info: Deno.FileInfo;
  /** What a link holds whose path is no UTF-8. */
  link?: string;
  /** Why it is protected, if its name does not tell. */
  why?: string | undefined;
}

/** What a scan found in one folder. */
export interface ScannedFolder {
  /** Another one when the folder has changed. */
  stamp: string;
  count: number;
  folders: string[];
  found: { name: string; kind: Finding["kind"] }[];
  isClosed: boolean;
  /** git keeps its objects in it. @default false */
  isStore?: true;
  /** Entries whose names are no UTF-8. Left out while it is not known whether there are any. */
  odd?: readonly OddEntry[];
}

/** What scans found in folders, by path. */
export interface KnownFolders {
  get(path: string): ScannedFolder | undefined;
  set(path: string, folder: ScannedFolder): void;
  delete(path: string): void;
  /** In an overlay of the kernel: a folder of two disks has the time of one of them. @default false */
  doubtsMerged?: boolean;
}

/** What the path of a folder says about all entries in it. */
export interface Around {
  path: string;
  /** A part of its path starts with a dot. */
  hasDot: boolean;
  /** It is protected as a whole. */
  isFrozen: boolean;
  /** Entries of it that tell a repository. @default none were met */
  ofGit?: Map<string, Deno.FileInfo>;
}

/** What tells a git folder. */
export const GIT_NAMES: ReadonlySet<string> = new Set(["HEAD", "objects", "refs", "commondir"]);
/** Longest path of a scanned folder, in bytes: a box adds to it, and the system takes 4,096. */
const MAX_PATH = 1_300;
/** The mode with which the owner of a folder can list it. */
export const OWNER_LOOKS = 0o500;
/** Set-user-ID and set-group-ID. */
export const SET_ID = 0o6000;
/** The system gives the time of a change in whole seconds. So only older folders are remembered. */
const QUIET_MS = 3_000;
/** What stands in a listing for bytes that are no UTF-8. */
const REPLACED = "\ufffd";
/** Deno 2.6 leaves names out of a listing that are no UTF-8, Deno 2.9 does not. */
const LEAVES_OUT = ((major: number, minor: number) => major < 2 || (major === 2 && minor < 9))(
  ...Deno.version.deno.split(".").map(Number) as [number, number],
);

/** Says whether an entry is the folder of a git repository's own files. */
export function isGitFolder({ path, info }: Pick<Finding, "path" | "info">): boolean {
  return info.isDirectory && basename(path).toLowerCase() === ".git";
}

/** Says whether a path is too long to be looked at, and for the mounts of a box. */
export function isLong(path: string): boolean {
  return path.length > MAX_PATH / 3 && (path.length > MAX_PATH || byteLength(path) > MAX_PATH);
}

/**
 * Looks into a folder, unless it is as it was the last time. Needs `read`.
 *
 * @param setId Hears of each set-ID file in a folder that is looked into again. @default they are not looked for
 * @returns `null` if it is no folder
 */
export function lookInto(
  path: string,
  known: KnownFolders,
  setId?: (path: string, info: Deno.FileInfo) => void,
): ScannedFolder | null {
  const now = Date.now();
  const info = entryInfo(path);
  if (!info?.isDirectory) return null;
  // Without the device: an overlay shows the folders below by one of its own, each time another.
  const stamp = `${info.ino}:${info.mtime?.getTime()}:${info.ctime?.getTime()}`;
  // Such a folder has no count of its links.
  const isMerged = known.doubtsMerged === true && info.nlink === 1;
  const seen = isMerged ? undefined : known.get(path);
  if (seen?.stamp === stamp) return seen;
  const folder = readFolder({ path, stamp, info }, setId);
  // A file in a frozen folder can get a second name without a change of the folder.
  const { isFrozen } = aroundOf(path);
  if (!isFrozen && info.ctime !== null && info.ctime.getTime() < now - QUIET_MS) known.set(path, folder);
  else known.delete(path);
  return folder;
}

/**
 * Says whether a folder of git's objects holds nothing but files that were there before: no name of an object is one of a
 * secret or of what is protected. Needs `read`.
 *
 * @param since Time of a program's start in milliseconds. @default no program has run
 */
export function holdsObjectsOnly(path: string, since = Infinity): boolean {
  const info = entryInfo(path);
  const changed = info?.ctime?.getTime() ?? Infinity;
  // Each folder in it would be one more link to it.
  return info?.isDirectory === true && info.nlink === 2 && changed < Math.floor(since / 1_000) * 1_000;
}

/** Returns what a folder's path says about the entries in it. */
export function aroundOf(path: string): Around {
  const hasDot = path.includes("/.");
  return { path, hasDot, isFrozen: hasDot && isProtected(path) && basename(path).toLowerCase() !== ".git" };
}

/** Says whether other programs may listen at an entry. */
export function wayOut(info: Pick<Deno.FileInfo, "isSocket" | "isFifo"> | null): "socket" | "fifo" | null {
  return info?.isSocket ? "socket" : info?.isFifo ? "fifo" : null;
}

/** Says what an entry is by its path: a secret, protected, what agents follow, or none of them. */
export function kindOf(
  name: string,
  at: string,
  { hasDot, isFrozen }: Around,
): "secret" | "protected" | "instructions" | null {
  if (isSecretEntry(at)) return "secret";
  if (isFrozen || !isSuspicious(name, hasDot)) return null;
  return isProtected(at) ? "protected" : isInstructions(at) ? "instructions" : null;
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

/** Says whether the owner of a folder, who is this user, cannot look into it: programs could open it. */
export function isShut({ mode, uid }: Deno.FileInfo): boolean {
  return uid === Deno.uid() && ((mode ?? OWNER_LOOKS) & OWNER_LOOKS) !== OWNER_LOOKS;
}

function readFolder(
  { path, stamp, info }: { path: string; stamp: string; info: Deno.FileInfo },
  setId?: (path: string, info: Deno.FileInfo) => void,
): ScannedFolder {
  const folder: ScannedFolder = { stamp, count: 0, folders: [], found: [], isClosed: false };
  const entries = entriesOf(path);
  if (entries === null || isShut(info) || isLong(path)) {
    return { ...folder, isClosed: entries !== null || info.uid === Deno.uid() || isEnterable(path) };
  }
  const around = aroundOf(path);
  const gitNames = new Set<string>();
  let hasOdd = LEAVES_OUT;
  for (const entry of entries) {
    folder.count++;
    const { name } = entry;
    if (GIT_NAMES.has(name)) gitNames.add(name);
    const at = `${path === "/" ? "" : path}/${name}`;
    if (name.includes(REPLACED)) hasOdd = true;
    if (isKernelFolder(at)) continue;
    if (setId !== undefined && entry.isFile) meetFile(at, setId);
    const kind = kindOf(name, at, around);
    if (kind !== null) folder.found.push({ name, kind });
    if (kind === "secret") continue;
    if (entry.isDirectory) folder.folders.push(name);
    else if (entry.isFile && around.isFrozen && (entryInfo(at)?.nlink ?? 1) > 1) {
      folder.found.push({ name, kind: "protected" });
    } else if (!entry.isFile && !entry.isSymlink) {
      const way = wayOut(entryInfo(at));
      if (way !== null) folder.found.push({ name, kind: way });
    }
  }
  if (
    STORE.test(path) && holdsRepository((name) => entryInfo(`${dirname(path)}/${name}`) !== null)
  ) {
    folder.isStore = true;
  }
  // In `.git`, each protected part is found by its name.
  if (gitNames.size > 1 && holdsRepository((name) => gitNames.has(name)) && !isProtected(`${path}/hooks`)) {
    folder.found.push({ name: "", kind: "repository" });
  }
  return hasOdd ? folder : { ...folder, odd: [] };
}

function meetFile(path: string, setId: (path: string, info: Deno.FileInfo) => void): void {
  const info = entryInfo(path);
  if (info !== null && ((info.mode ?? 0) & SET_ID) !== 0) setId(path, info);
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

/** Who may not list a folder may still reach what is in it by name, and make something in it. */
function isEnterable(path: string): boolean {
  return entryInfo(`${path}/.`) !== null;
}
