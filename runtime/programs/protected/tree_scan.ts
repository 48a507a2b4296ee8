import { basename, join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { isKernelFolder, isSecretEntry } from "../../walls/grants/secret_paths.ts";
import { isProtected } from "../../walls/grants/protected_paths.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { systemError } from "../../walls/files/system_error.ts";

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

/** A folder to scan. */
export interface ScanRoot {
  /** Absolute, real path. Anything that is not a folder is skipped. */
  path: string;
  /** How many levels are scanned. @default all */
  depth?: number;
}

/**
 * Finds secrets, protected files and sockets below folders. Reads each folder once; later scans read again only those
 * that have changed. Needs `read`.
 *
 * @throws {ToolError} `limit_exceeded` if there are too many entries, `unavailable` for a closed root
 */
export type TreeScan = (roots: readonly ScanRoot[], options?: ScanOptions) => Promise<Finding[]>;

/** How far a scan goes. */
export interface ScanOptions {
  /**
   * The scan comes after a program: it covers all that the program made. A root that it closed is a finding.
   * @default false
   */
  afterwards?: boolean;
  /** Folders that are not looked into. @default none */
  skip?: ReadonlySet<string>;
}

/** Most entries of all folders together. */
export const MAX_ENTRIES = 300_000;
/** The same limit after a program. To make more entries, a program needs minutes. */
const MAX_ENTRIES_AFTERWARDS = 5_000_000;

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
/** Longest time before other events get a turn, in milliseconds. */
const TURN_MS = 10;
/** The system gives the time of a change in whole seconds. So only older folders are remembered. */
const QUIET_MS = 3_000;

/**
 * Makes a scan with its own memory.
 *
 * @param options `known` is what other scans have found, and takes what this one finds
 */
export function makeTreeScan(options: { maxEntries?: number; known?: KnownFolders } = {}): TreeScan {
  const { known = new Map<string, ScannedFolder>() } = options;
  return async (roots, { afterwards = false, skip } = {}) => {
    const maxEntries = options.maxEntries ?? (afterwards ? MAX_ENTRIES_AFTERWARDS : MAX_ENTRIES);
    const findings = new Map<string, Finding>();
    const tops = outermost(roots);
    const pending = tops.map(({ path, depth = Infinity }) => ({ path, depth }));
    let count = 0;
    let turnEnds = performance.now() + TURN_MS;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { path, depth } = next;
      if (skip?.has(path)) continue;
      const folder = look(path, known);
      if (folder === null) continue;
      count += folder.count;
      if (count > maxEntries) throw tooMany(maxEntries);
      if (folder.isClosed) {
        if (!afterwards && tops.some((top) => top.path === path)) throw closedRoot(path);
        const info = lstat(path);
        if (info !== null) findings.set(path, { path, kind: "closed", info });
        continue;
      }
      for (const { name, kind } of folder.found) {
        const at = join(path, name);
        const info = lstat(at);
        if (info !== null) findings.set(at, { path: at, kind, info });
      }
      if (depth > 1) {
        pending.push(...folder.folders.map((name) => ({ path: join(path, name), depth: depth - 1 })));
      }
      if (performance.now() < turnEnds) continue;
      await new Promise((resolve) => setTimeout(resolve));
      turnEnds = performance.now() + TURN_MS;
    }
    return [...findings.values()].sort((a, b) => a.path < b.path ? -1 : 1);
  };
}

/** Says whether an entry is the folder of a git repository's own files. */
export function isGitFolder({ path, info }: Pick<Finding, "path" | "info">): boolean {
  return info.isDirectory && basename(path).toLowerCase() === ".git";
}

function outermost(roots: readonly ScanRoot[]): readonly ScanRoot[] {
  const deep = roots.filter(({ depth }) => depth === undefined);
  const inDeep = (path: string) => deep.some((root) => root.path !== path && isInside(root.path, path));
  const unique = new Map(roots.map((root) => [root.path, root]));
  for (const root of deep) unique.set(root.path, root);
  return [...unique.values()].filter(({ path }) => !inDeep(path) && !isKernelFolder(path));
}

function look(path: string, known: KnownFolders): ScannedFolder | null {
  const now = Date.now();
  const info = lstat(path);
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
    else if (!entry.isFile && !entry.isSymlink && lstat(at)?.isSocket) {
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

function lstat(path: string): Deno.FileInfo | null {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw systemError(error, "look at", path);
    return null;
  }
}

function closedRoot(path: string): ToolError {
  return new ToolError(
    "unavailable",
    `Cannot look through "${path}" for secrets before a program sees it: make it readable with chmod u+rx`,
  );
}

function tooMany(maxEntries: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `There are more than ${maxEntries} files in the folders that programs would see, too many to find all ` +
      `secrets among them: name a smaller folder with --workspace, --allow-read or --sandbox-show`,
  );
}
