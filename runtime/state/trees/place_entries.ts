import { basename, dirname, join } from "@std/path";

import { systemError } from "../../walls/files/system_error.ts";
import { copyEntries } from "./copy_entry.ts";
import { type EntryFacts, factsOf, factsWithin } from "./entry_facts.ts";

/** A path of a tree, and what is to be there. */
export interface Placement {
  /** Relative to both trees. */
  path: string;
  /** `null`: nothing is to be there. */
  want: EntryFacts | null;
  /** Where the content comes from, absolute. @default the same path in the tree `from` */
  content?: string;
}

/** The two trees of {@linkcode placeEntries}. */
export interface Trees {
  /** Where the content comes from. */
  from: string;
  /** Words that start a program where `from` is seen. @default it is seen here */
  through?: readonly string[];
  /** The tree to change. */
  to: string;
  /** New entries belong to their owner in `from`; else to the one of the entry that they replace. @default false */
  keepsOwner?: boolean;
  /** Paths in `to`, by inode as {@linkcode inodeOf} tells it: a wanted entry with this inode becomes a link to it. @default none */
  twins?: ReadonlyMap<string, string>;
  /** Whose the work is: what another one is placing at the same time stays. */
  placer: Placer;
}

/** Who places entries. */
export interface Placer {
  /** Eight hexadecimal digits, no other's while this one works. */
  token: string;
  /** Says whether the one with this token has ended. */
  isDead(token: string): Promise<boolean>;
}

/** The mode with which an owner can work in a folder. */
const OPEN = 0o700;

/**
 * Makes paths of one tree what they are in another: each file appears whole, by a rename. Entries that belong together as
 * hard links do so afterwards. It can be repeated after any interruption. Needs `read`, `write` and `run`.
 *
 * @param placements Each folder on the way must be a folder in `to`, or be among them
 * @returns A sentence about each entry that belongs to another one now than it did
 * @throws {ToolError} What the system says; then a part of the paths is changed
 */
export async function placeEntries(placements: readonly Placement[], trees: Trees): Promise<string[]> {
  const sorted = [...placements].sort((a, b) => a.path < b.path ? -1 : 1);
  const opened = new Map<string, EntryFacts>();
  const named = new Set(sorted.map(({ path }) => path));
  for (const folder of new Set(sorted.map(({ path }) => dirname(path)))) {
    await sweepLeftovers(join(trees.to, folder), trees.placer);
  }
  const wanted = new Map(sorted.map(({ path, want }) => [path, ownerOf(trees, path, want)]));
  const at = (path: string) => join(trees.to, path);
  const open = (path: string) => openFolders(trees.to, dirname(path), opened);
  for (const { path, want } of sorted.toReversed()) {
    const now = factsWithin(trees.to, path);
    const mustGo = now !== null && (want === null || isOtherKind(now, want));
    if (mustGo) await act(at(path), "remove", () => (open(path), removeEntry(at(path), now, trees.placer)));
  }
  for (const { path, want } of sorted) {
    if (want?.kind !== "folder" || factsWithin(trees.to, path) !== null) continue;
    await act(at(path), "make", () => (open(path), Deno.mkdirSync(at(path), { mode: OPEN })));
  }
  await placeFiles(sorted, trees, open);
  // Folders come last: all that was done in them changed their times.
  for (const { path, want } of sorted.toReversed()) {
    if (want?.kind !== "folder") continue;
    await act(at(path), "change", () => closeFolder(at(path), want, wanted.get(path)));
  }
  for (const [path, facts] of opened) {
    if (!named.has(relativeTo(trees.to, path)) && factsOf(path) !== null) Deno.chmodSync(path, facts.mode);
  }
  return [...wanted].flatMap(([path, owner]) => misowned(at(path), owner));
}

/** Whose the entry has to be in the end; nothing if that is whoever makes it. */
function ownerOf({ to, keepsOwner }: Trees, path: string, want: EntryFacts | null): EntryFacts["owner"] {
  return want === null ? undefined : (keepsOwner ? want : factsWithin(to, path) ?? {}).owner;
}

function misowned(path: string, owner: EntryFacts["owner"]): string[] {
  const now = owner && factsOf(path)?.owner;
  if (!owner || !now || (now[0] === owner[0] && now[1] === owner[1])) return [];
  return [
    `${JSON.stringify(path)} belongs to ${now.join(":")} now, not to ${
      owner.join(":")
    }: only root can give it back, with "chown ${owner.join(":")}"`,
  ];
}

/** Removes from a folder what interrupted {@linkcode placeEntries} left there. Needs `read` and `write`. */
export async function sweepLeftovers(folder: string, { token, isDead }: Placer): Promise<void> {
  if (factsOf(folder)?.kind !== "folder") return;
  for (const { name } of namesIn(folder)) {
    const [, other] = LEFTOVER.exec(name) ?? [];
    if (other === undefined || (other !== token && !await isDead(other))) continue;
    try {
      Deno.removeSync(join(folder, name));
    } catch (error) {
      // Another one has swept it.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

function namesIn(folder: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
}

async function act(path: string, action: string, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw systemError(error, action, path);
  }
}

function isOtherKind(now: EntryFacts, want: EntryFacts): boolean {
  return (now.kind === "folder") !== (want.kind === "folder");
}

/** A folder that is not empty stays: what is in it was not among the paths. */
async function removeEntry(path: string, { kind }: EntryFacts, placer: Placer): Promise<void> {
  if (kind === "folder") await sweepLeftovers(path, placer);
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (kind === "folder" && factsOf(path) !== null && !isEmpty(path)) return;
    throw error;
  }
}

function isEmpty(folder: string): boolean {
  return Deno.readDirSync(folder)[Symbol.iterator]().next().done === true;
}

/** A link in the place of a folder would lead the work to another place. */
function openFolders(root: string, path: string, opened: Map<string, EntryFacts>): void {
  let at = root;
  for (const name of path === "." ? [] : path.split("/")) {
    openFolder(at, opened);
    at = join(at, name);
  }
  openFolder(at, opened);
}

function openFolder(path: string, opened: Map<string, EntryFacts>): void {
  const facts = factsOf(path);
  if (facts === null || facts.kind !== "folder") throw new Deno.errors.NotADirectory(path);
  // What another user owns cannot be opened, and need not be.
  if ((facts.mode & OPEN) === OPEN || path === "/" || Deno.lstatSync(path).uid !== Deno.uid()) return;
  if (!opened.has(path)) opened.set(path, facts);
  Deno.chmodSync(path, facts.mode | OPEN);
}

/** How many files are copied before they get their names. */
const BATCH = 500;

/** A file on its way. */
interface Placing extends Required<Placement> {
  want: EntryFacts;
  /** Beside its place. */
  temporary: string;
}

async function placeFiles(
  sorted: readonly Placement[],
  trees: Trees,
  open: (path: string) => void,
): Promise<void> {
  const files = sorted.flatMap(({ path, want, content = join(trees.from, path) }): Placing[] => {
    if (want === null || want.kind === "folder" || want.kind === "other") return [];
    const name = `.bulkhead-place-${trees.placer.token}-${crypto.randomUUID().slice(0, 8)}.tmp`;
    return [{ path, want, content, temporary: join(trees.to, dirname(path), name) }];
  });
  const placed = new Map(trees.twins);
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    try {
      for (const { path } of batch) await act(join(trees.to, path), "write", () => open(path));
      const copied = batch.filter(({ want }, n) => !hasTwin(want, placed, batch.slice(0, n)));
      const pairs = copied.map(({ content, temporary }) => [content, temporary] as const);
      await copyEntries(pairs, {
        size: { entries: copied.length, bytes: copied.reduce((sum, { want }) => sum + want.size, 0) },
        keepsOwner: trees.keepsOwner ?? false,
        through: trees.through ?? [],
      });
      for (const file of batch) {
        await act(join(trees.to, file.path), "write", () => placeFile(file, trees, placed));
      }
    } finally {
      // Also a rename onto a hard link of the same file leaves it.
      for (const { temporary } of batch) if (factsOf(temporary) !== null) Deno.removeSync(temporary);
    }
  }
}

/** The same file under another name is in its place, or will be before. */
function hasTwin(want: EntryFacts, placed: ReadonlyMap<string, string>, before: readonly Placing[]): boolean {
  if (want.kind !== "file") return false;
  const inode = inodeOf(want);
  return placed.has(inode) ||
    before.some((other) => other.want.kind === "file" && inodeOf(other.want) === inode);
}

function placeFile({ path, want, temporary }: Placing, trees: Trees, placed: Map<string, string>): void {
  const to = join(trees.to, path);
  const now = factsOf(to);
  const isFile = want.kind === "file";
  const twin = isFile ? placed.get(inodeOf(want)) : undefined;
  if (twin !== undefined) Deno.linkSync(twin, temporary);
  else if (isFile) {
    if (now !== null && !trees.keepsOwner) giveTo(temporary, Deno.lstatSync(to));
    // After the owner, whose change takes bits away; set-id bits are not brought over.
    Deno.chmodSync(temporary, want.mode);
  }
  Deno.renameSync(temporary, to);
  if (isFile && twin === undefined) placed.set(inodeOf(want), to);
}

/** Returns what the names of one file have in common. The number alone may be that of a file that was removed before. */
export function inodeOf({ dev, ino, size, mtime }: EntryFacts): string {
  return [dev, ino, size, mtime].join(":");
}

/** Only root can do so. */
function giveTo(path: string, { uid, gid }: Pick<Deno.FileInfo, "uid" | "gid">): void {
  if (Deno.uid() === 0 && uid !== null && gid !== null) Deno.chownSync(path, uid, gid);
}

function closeFolder(path: string, want: EntryFacts, owner: EntryFacts["owner"]): void {
  if (owner) giveTo(path, { uid: owner[0], gid: owner[1] });
  Deno.chmodSync(path, want.mode);
  Deno.utimeSync(path, new Date(), new Date(want.mtime));
}

function relativeTo(root: string, path: string): string {
  return path === root ? "" : path.slice(root.length + (root === "/" ? 0 : 1));
}

/** The name of a file on its way: the token of who places it, and a random part. */
const LEFTOVER = /^\.bulkhead-place-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/;

/** Says whether a name is one that {@linkcode placeEntries} gives to files on their way. */
export function isLeftover(path: string): boolean {
  return LEFTOVER.test(basename(path));
}
