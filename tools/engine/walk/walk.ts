import { ToolError } from "../../../schemas/error.ts";
import { expectReal } from "../file/expect_real.ts";
import type { Glob, GlobStates } from "./glob.ts";
import { type EnterFolder, type IgnoreRules, isIgnored } from "./ignore_rules.ts";
import { isUnnamed } from "../file/unnamed.ts";

/** One thing that a walk found. */
export interface WalkEntry {
  /** Absolute path; real, as long as the walk's root is. A link as such is not followed. */
  path: string;
  /** The path as seen from the walk's root, `.` for the root. It may lead through links that the glob names. */
  below: string;
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
  /** Why links that the glob names were not followed. */
  unfollowed: string[];
}

/** Options of {@linkcode walk}. */
export interface WalkOptions {
  glob: Glob;
  counts: WalkCounts;
  /** The guard's test of names. */
  mayRead(path: string): boolean;
  /** The guard's way through a link; `null` if it leads to no folder. */
  folderBehind(link: string): string | null;
  /** Reads ignore files; `null` ignores nothing. */
  enter: EnterFolder | null;
  /** Returns the rules of the folders above the root, or above the folder behind a link. */
  rulesAbove(folder: string): IgnoreRules | null;
  /** Names of folders that are never entered, beside `.git`. @default none */
  skipFolders?: ReadonlySet<string>;
}

interface Child extends WalkEntry {
  name: string;
  matches: boolean;
  /** The state below a link that the glob names. */
  through: GlobStates;
}

interface Folder {
  children: Child[];
  next: number;
  rules: IgnoreRules | null;
}

/**
 * Walks a folder and yields what matches the glob, in the order of path components (`a/b` before `a.txt`),
 * and `null` after each folder that it has opened, so that the caller can pause. A linked folder is entered only
 * where a component of the glob names it, as `**` does not. Needs `read` of the root.
 *
 * @throws {ToolError} `unavailable` if the root cannot be listed; such folders below it are counted as hidden
 */
export function* walk(root: string, options: WalkOptions): Generator<WalkEntry | null> {
  const { glob } = options;
  if (glob.accepts(glob.start, "folder")) {
    yield { path: root, below: ".", kind: "folder", states: glob.start };
  }
  const open = [openRoot(root, options)];
  while (open.length > 0) {
    const folder = open.at(-1)!;
    const child = folder.children[folder.next++];
    if (!child) {
      open.pop();
      continue;
    }
    if (child.matches) yield child;
    const isLink = child.kind === "link";
    if (child.kind === "file" || !glob.descends(isLink ? child.through : child.states)) continue;
    try {
      const next = isLink ? openLink(child, options) : openFolder(child, folder.rules, options);
      if (next !== null) open.push(next);
    } catch (error) {
      options.counts.hidden++;
      if (isLink && error instanceof ToolError) options.counts.unfollowed.push(error.message);
    }
    yield null;
  }
}

function openRoot(root: string, options: WalkOptions): Folder {
  try {
    return openFolder(
      { path: root, below: ".", states: options.glob.start },
      options.rulesAbove(root),
      options,
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("unavailable", `Cannot list "${root}": ${reason}`, { cause });
  }
}

/** The folder behind a link keeps the names that lead through the link; the rules of its own place hold in it. */
function openLink({ path, below, through }: Child, options: WalkOptions): Folder | null {
  const real = options.folderBehind(path);
  if (real === null || !options.mayRead(real)) return null;
  return openFolder({ path: real, below, states: through }, options.rulesAbove(real), options);
}

function openFolder(
  { path, below, states }: Pick<WalkEntry, "path" | "below" | "states">,
  outer: IgnoreRules | null,
  options: WalkOptions,
): Folder {
  const { glob, enter } = options;
  const lead = path.endsWith("/") ? path : `${path}/`;
  const shown = below === "." ? "" : `${below}/`;
  const children: Child[] = [];
  let hasRules = false;
  for (const entry of Deno.readDirSync(path)) {
    const { name } = entry;
    if (name === ".gitignore" || name === ".git") hasRules = true;
    const kind = entry.isFile ? "file" : entry.isDirectory ? "folder" : entry.isSymlink ? "link" : null;
    if (kind === null) continue;
    const next = glob.step(states, name);
    if (next.length === 0 || isSkipped(name, kind, options)) continue;
    const through = kind === "link" ? glob.stepNamed(states, name) : next;
    const matches = glob.accepts(next, kind === "folder" ? "folder" : "file") ||
      kind === "link" && glob.accepts(next, "folder");
    if (!matches && (kind === "file" || !glob.descends(through))) continue;
    children.push({ name, path: lead + name, below: shown + name, kind, states: next, matches, through });
  }
  expectReal(path);
  const rules = hasRules && enter ? enter(path, outer) : outer;
  const kept = children.filter((child) => isKept(child, rules, options));
  kept.sort(kept.some((child) => HIGH.test(child.name)) ? byCodePoints : byCodeUnits);
  return { children: kept, next: 0, rules };
}

/** A linked working tree has a file of that name. */
function isSkipped(name: string, kind: WalkEntry["kind"], { skipFolders }: WalkOptions): boolean {
  return name === ".git" || kind === "folder" && skipFolders !== undefined && skipFolders.has(name);
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

/**
 * Joins the clean absolute path that the caller named with the entry that a walk of its real folder found.
 */
export function shownPath(named: string, below: string): string {
  if (below === ".") return named;
  return named.endsWith("/") ? named + below : `${named}/${below}`;
}
