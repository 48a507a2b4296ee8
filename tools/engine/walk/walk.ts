import { ToolError } from "../../../schemas/error.ts";
import { expectReal } from "../file/expect_real.ts";
import type { Glob, GlobStates } from "./glob.ts";
import { type EnterFolder, type IgnoreRules, isIgnored } from "./ignore_rules.ts";
import { isUnnamed } from "../file/unnamed.ts";

/** One thing that a walk found. */
export interface WalkEntry {
  /** Absolute path; real, as long as the walk's root is. A link is not followed. */
  path: string;
  kind: "file" | "folder" | "link";
  /** State of the glob. Whether a link matches depends on its target. */
  states: GlobStates;
}

/** What a walk left out; counted while it goes. A folder counts once, with all that it holds. */
export interface WalkCounts {
  /** Left out by ignore rules. */
  ignored: number;
  /** Hidden by the path guard, or not readable. */
  hidden: number;
  /** No path leads to them: their names are not UTF-8. */
  unnamed: number;
}

/** Options of {@linkcode walk}. */
export interface WalkOptions {
  glob: Glob;
  counts: WalkCounts;
  /** The guard's test of names. */
  mayRead(path: string): boolean;
  /** Reads ignore files; `null` ignores nothing. */
  enter: EnterFolder | null;
  /** Rules of the folders above the root. */
  rules: IgnoreRules | null;
  /** Names of folders that are never entered, beside `.git`. @default none */
  skipFolders?: ReadonlySet<string>;
}

interface Child extends WalkEntry {
  name: string;
  matches: boolean;
}

interface Folder {
  children: Child[];
  next: number;
  rules: IgnoreRules | null;
}

/**
 * Walks a folder and yields what matches the glob, in the order of path components (`a/b` before `a.txt`),
 * and `null` after each folder that it has opened, so that the caller can pause. Linked folders are not
 * entered. Needs `read` of the root.
 *
 * @throws {ToolError} `unavailable` if the root cannot be listed; such folders below it are counted as hidden
 */
export function* walk(root: string, options: WalkOptions): Generator<WalkEntry | null> {
  const { glob } = options;
  if (glob.accepts(glob.start, "folder")) yield { path: root, kind: "folder", states: glob.start };
  const open = [openRoot(root, options)];
  while (open.length > 0) {
    const folder = open.at(-1)!;
    const child = folder.children[folder.next++];
    if (!child) {
      open.pop();
      continue;
    }
    if (child.matches) yield child;
    if (child.kind !== "folder" || !glob.descends(child.states)) continue;
    try {
      open.push(openFolder(child.path, child.states, folder.rules, options));
    } catch {
      options.counts.hidden++;
    }
    yield null;
  }
}

function openRoot(root: string, options: WalkOptions): Folder {
  try {
    return openFolder(root, options.glob.start, options.rules, options);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("unavailable", `Cannot list "${root}": ${reason}`, { cause });
  }
}

function openFolder(
  path: string,
  states: GlobStates,
  outer: IgnoreRules | null,
  options: WalkOptions,
): Folder {
  const { glob, enter } = options;
  const lead = path.endsWith("/") ? path : `${path}/`;
  const children: Child[] = [];
  let hasRules = false;
  for (const entry of Deno.readDirSync(path)) {
    const { name } = entry;
    if (name === ".gitignore") hasRules = true;
    const kind = entry.isFile ? "file" : entry.isDirectory ? "folder" : entry.isSymlink ? "link" : null;
    if (kind === null) continue;
    const next = glob.step(states, name);
    if (next.length === 0 || kind === "folder" && isSkipped(name, options)) continue;
    const matches = glob.accepts(next, kind === "folder" ? "folder" : "file") ||
      kind === "link" && glob.accepts(next, "folder");
    if (matches || kind === "folder") children.push({ name, path: lead + name, kind, states: next, matches });
  }
  expectReal(path);
  const rules = hasRules && enter ? enter(path, outer) : outer;
  const kept = children.filter((child) => isKept(child, rules, options));
  kept.sort(kept.some((child) => HIGH.test(child.name)) ? byCodePoints : byCodeUnits);
  return { children: kept, next: 0, rules };
}

function isSkipped(name: string, { skipFolders }: WalkOptions): boolean {
  return name === ".git" || skipFolders !== undefined && skipFolders.has(name);
}

function isKept(child: Child, rules: IgnoreRules | null, { mayRead, counts }: WalkOptions): boolean {
  if (!mayRead(child.path)) {
    counts.hidden++;
    return false;
  }
  if (rules && isIgnored(rules, child.path, child.kind === "folder" ? "folder" : "file")) {
    counts.ignored++;
    return false;
  }
  if (isUnnamed(child.name, child.path)) {
    counts.unnamed++;
    return false;
  }
  return true;
}

/** UTF-16 units and code points sort differently only from here on. */
const HIGH = /[\ud800-\uffff]/;

function byCodeUnits(a: Child, b: Child): number {
  return a.name < b.name ? -1 : 1;
}

function byCodePoints(a: Child, b: Child): number {
  return compareCodePoints(a.name, b.name);
}

/** Compares two texts by code points, which is also the order of their UTF-8 bytes. */
export function compareCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (at >= a.length || at >= b.length) return a.length - b.length;
  // Surrogates stand for the highest code points, but lie below U+E000 as units.
  const [leftHigh, rightHigh] = [isSurrogate(left), isSurrogate(right)];
  return leftHigh === rightHigh ? left - right : leftHigh ? 1 : -1;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** Returns the path of a walk's entry as seen from the walk's root. */
export function pathBelow(root: string, path: string): string {
  return path === root ? "." : path.slice(root.endsWith("/") ? root.length : root.length + 1);
}

/**
 * Joins the clean absolute path that the caller named with the entry that a walk of its real folder found.
 */
export function shownPath(named: string, below: string): string {
  if (below === ".") return named;
  return named.endsWith("/") ? named + below : `${named}/${below}`;
}
