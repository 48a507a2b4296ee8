import { dirname, join } from "@std/path";

import { lstat, realOrNull } from "../../walls/files/file_facts.ts";

/** What an entry of a folder can be. */
export type EntryKind = "file" | "folder" | "link" | "pipe" | "other";

/** The facts that tell one state of an entry from another. Plain data, kept as JSON. */
export interface EntryFacts {
  kind: EntryKind;
  /** Permission bits; set-id bits are left out. */
  mode: number;
  /** In bytes; 0 for folders. */
  size: number;
  /** Milliseconds since 1970. */
  mtime: number;
  /** Milliseconds since 1970, in whole seconds: the system gives no more. No program can set it. */
  ctime: number;
  dev: number;
  ino: number;
  /** How many names it has. */
  links: number;
  /** User and group. @default not known: older records and other systems do not say it */
  owner?: readonly [uid: number, gid: number];
  /** Where a link leads. */
  target?: string;
}

/** Returns the facts about an entry itself, `null` if nothing is there or it cannot be read. Needs `read`. */
export function factsOf(path: string): EntryFacts | null {
  const info = lstat(path);
  if (info === null) return null;
  const target = info.isSymlink ? readLink(path) : null;
  return {
    kind: kindOf(info),
    mode: (info.mode ?? 0) & 0o777,
    size: info.isDirectory ? 0 : info.size,
    mtime: info.mtime?.getTime() ?? 0,
    ctime: info.ctime?.getTime() ?? 0,
    dev: info.dev,
    ino: info.ino ?? 0,
    links: info.nlink ?? 1,
    ...(info.uid !== null && info.gid !== null && { owner: [info.uid, info.gid] as const }),
    ...(target !== null && { target }),
  };
}

/**
 * Returns the facts about an entry of a tree, `null` if nothing is there or a link stands in the place of a folder on the
 * way to it. Needs `read`.
 *
 * @param root Real path
 * @param path Relative to it
 */
export function factsWithin(root: string, path: string): EntryFacts | null {
  const at = join(root, path);
  const folder = dirname(at);
  return at === root || realOrNull(folder) === folder ? factsOf(at) : null;
}

/**
 * Says whether two states look the same to their user: kind, mode, and for files the size and the time of the last
 * change. Folders are the same if their modes are, links if they lead to the same place.
 */
export function isSameEntry(one: EntryFacts | null, other: EntryFacts | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind !== other.kind) return false;
  if (one.kind === "link") return one.target === other.target;
  if (one.mode !== other.mode) return false;
  return one.kind !== "file" || (one.size === other.size && one.mtime === other.mtime);
}

/**
 * Says whether nobody can have touched an entry between two looks at its place: it is the same inode, and has not
 * changed in any way that the system notes.
 */
export function isUntouched(before: EntryFacts | null, now: EntryFacts | null): boolean {
  if (before === null || now === null) return before === now;
  return before.ino === now.ino && before.dev === now.dev && before.ctime === now.ctime &&
    isSameEntry(before, now);
}

function kindOf(info: Deno.FileInfo): EntryKind {
  if (info.isFile) return "file";
  if (info.isDirectory) return "folder";
  if (info.isSymlink) return "link";
  return info.isFifo ? "pipe" : "other";
}

function readLink(path: string): string {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return "";
  }
}
