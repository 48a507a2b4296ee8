import { basename, join } from "@std/path";

import type { FileGrants } from "../../../schemas/grants.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { covers, refusePath } from "../../walls/grants/path_access.ts";
import { isProtected } from "../../walls/grants/protected_paths.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { isHarmless, isRebase } from "./git_files.ts";
import { lstat, namesIn } from "../../walls/files/file_facts.ts";
import { moveEntry } from "./move_entry.ts";
import { type Finding, isGitFolder } from "./scan_folder.ts";

/** What was there before a program started. Plain data: a later run may need it. */
export interface Baseline {
  /** Protected entries by path. */
  entries: Readonly<Record<string, Entry>>;
  /** Paths that the box kept from being changed. */
  frozen: readonly string[];
  /** Folders that could not be looked into. */
  closed: readonly string[];
}

/** The facts that identify an entry. */
interface Entry {
  identity: string;
  /** Also shows whether the content changed. */
  state: string;
}

/** What is needed to put files aside. */
export interface AsideOptions {
  files: FileGrants;
  writable: readonly string[];
  /** Makes a private folder outside of what programs may write. */
  asideFolder(): Promise<string>;
}

/** How many entries get a warning of their own. */
const MAX_NAMED = 20;
/** If a folder of hooks has more files, it is moved as a whole: no repository makes so many itself. */
const MAX_HOOKS = 200;
/** Longest time before other events get a turn, in milliseconds. */
const TURN_MS = 10;

/** Notes the protected entries that are there. */
export function baselineOf(findings: readonly Finding[], frozen: readonly string[]): Baseline {
  const inner = findings.filter(isFolderOfFiles)
    .filter(({ path }) => !covers(frozen, path))
    .flatMap(({ path }) => filesIn(path));
  return {
    entries: Object.fromEntries([...findings, ...inner].map((finding) => [finding.path, entryOf(finding)])),
    frozen,
    closed: findings.filter(({ kind }) => kind === "closed").map(({ path }) => path),
  };
}

/**
 * Moves protected files that have appeared or changed out of the tree: other programs would execute them, and
 * the user did not allow writing them. What a new git repository has of its own stays.
 *
 * @param now What is there now
 * @returns A line for the user for each
 */
export async function setAside(
  now: readonly Finding[],
  baseline: Baseline,
  options: AsideOptions,
): Promise<string[]> {
  const { files, writable } = options;
  const present = new Map(now.map((finding) => [finding.path, identityOf(finding)]));
  const suspects = now.filter(({ path }) => covers(writable, path) && isForbidden(path, files))
    .flatMap((finding) => changesOf(finding, baseline, present))
    .filter((finding) => !isHarmless(finding, writable));
  if (suspects.length === 0) return [];
  const folder = await options.asideFolder();
  const lines: string[] = [];
  let turnEnds = performance.now() + TURN_MS;
  for (const finding of suspects) {
    lines.push(putAside(finding, { folder, writable }));
    if (performance.now() < turnEnds) continue;
    await new Promise((resolve) => setTimeout(resolve));
    turnEnds = performance.now() + TURN_MS;
  }
  const more = lines.length - MAX_NAMED;
  return more <= 0 ? lines : [...lines.slice(0, MAX_NAMED), `Moved ${more} more such files to ${folder}`];
}

function isForbidden(path: string, files: FileGrants): boolean {
  const refusal = refusePath("write", path, files);
  return refusal !== null && (isProtected(path) || refusal.reason === "denied");
}

/** The entry itself if it is new, or the files in it that are. */
function changesOf(finding: Finding, baseline: Baseline, present: ReadonlyMap<string, string>): Finding[] {
  const { path, info } = finding;
  const entry = entryOf(finding);
  const before = baseline.entries[path];
  const guard = baseline.frozen.find((folder) => isInside(folder, path));
  if (guard !== undefined) {
    const held = baseline.entries[guard]?.identity;
    // Programs in the box could not change it. It can only have moved with a folder above it to another
    // place.
    const moved = held !== present.get(guard) && [...present.values()].some((identity) => identity === held);
    if (!moved) return [];
  } else if (before === undefined) {
    if (isFrozenElsewhere(entry, baseline)) return [];
  } else if (before.identity === entry.identity && info.isDirectory) {
    if (isRebase(path)) return [finding];
    return isFolderOfFiles(finding) ? filesIn(path).filter((file) => isChanged(file, baseline)) : [];
  } else if (before.state === entry.state) return [];
  const hooks = isHooks(finding) ? filesIn(path) : [];
  return isHooks(finding) && hooks.length <= MAX_HOOKS ? hooks : [finding];
}

function isChanged(file: Finding, { entries }: Baseline): boolean {
  return entries[file.path]?.state !== entryOf(file).state;
}

function isFrozenElsewhere({ identity }: Entry, { entries, frozen }: Baseline): boolean {
  return frozen.some((path) => entries[path]?.identity === identity);
}

function isFolderOfFiles(finding: Finding): boolean {
  return finding.info.isDirectory && isProtected(finding.path) && !isGitFolder(finding);
}

function isHooks({ path, info }: Finding): boolean {
  return info.isDirectory && /\/\.git\/(.*\/)?hooks$/i.test(path);
}

function entryOf(finding: Finding): Entry {
  const { path, info } = finding;
  const identity = identityOf(finding);
  // A new link counts as the same if it leads to the same place.
  if (info.isSymlink) return { identity, state: `link ${readLink(path)}` };
  return { identity, state: `${identity}:${info.size}:${info.mtime?.getTime()}` };
}

function identityOf({ info }: Finding): string {
  return `${info.dev}:${info.ino}`;
}

function readLink(path: string): string {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return "";
  }
}

/** All entries in a folder that are not folders. */
function filesIn(folder: string): Finding[] {
  const found: Finding[] = [];
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const name of namesIn(at)) {
      const path = join(at, name);
      const info = lstat(path);
      if (info?.isDirectory) pending.push(path);
      else if (info) found.push({ path, kind: "protected", info });
    }
  }
  return found;
}

function putAside(
  finding: Finding,
  { folder, writable }: { folder: string; writable: readonly string[] },
): string {
  const { path } = finding;
  const name = `${crypto.randomUUID().slice(0, 8)}-${basename(path)}`;
  // On another disk it stays in the tree under another name. A copy would read a file that its owner changes.
  const roots = writable.filter((root) => isInside(root, path));
  try {
    const place = moveEntry(
      finding,
      [folder, ...roots].map((place, at) => join(place, at === 0 ? name : `.put-aside-${name}`)),
    );
    return `Moved "${path}" to ${place}: a program made or changed it, and other programs would execute it; ` +
      `pass ${showFlags([flagWord("--allow-write", [path])])} to keep it`;
  } catch (error) {
    const { message } = systemError(error, "move", path);
    return `A program made or changed "${path}", which other programs would execute, and it is still there: ${message}`;
  }
}
