import { dirname, join } from "@std/path";

import type { FileGrants } from "../../../schemas/grants.ts";
import { covers, refusePath } from "../../walls/grants/path_access.ts";
import { isProtected } from "../../walls/grants/protected_paths.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { isHarmless, isRebase, newRepository } from "./git_files.ts";
import { lstat, namesIn } from "../../walls/files/file_facts.ts";
import type { Executed } from "../git/executed_files.ts";
import type { Looked } from "./look_at.ts";
import { putAside, takeSetId } from "./put_aside.ts";
import { isOdd } from "../bytes/odd_names.ts";
import { isUnnamed } from "../bytes/odd_change.ts";
import { type Finding, isGitFolder } from "./scan_folder.ts";

/**
 * What was there before a program started. Plain data, and JSON keeps it: a later run may need it. Paths may hold bytes
 * that are no UTF-8, as `bytes/odd_names.ts` writes them.
 */
export interface Baseline {
  /** Protected entries by path, and all others that were found. */
  entries: Readonly<Record<string, Entry>>;
  /** Paths that the box kept from being changed. */
  frozen: readonly string[];
  /** Of these, the ones that programs in the box could not move either, with a folder above them. */
  held: readonly string[];
  /** Identities of folders with a secret's name that the box hid. */
  hidden: readonly string[];
  /** Identities of folders that could not be looked into. */
  closed: readonly string[];
  /** When it was looked at, in milliseconds. */
  since: number;
  /** What was executed whatever its name. */
  executed: Executed;
}

/** The facts that identify an entry. */
interface Entry {
  identity: string;
  /** Also shows whether the content changed. */
  state: string;
  /** A file with a second name: it can be written by that one, too. */
  isLinked?: true;
}

/** What is needed to put files aside. */
export interface AsideOptions {
  files: FileGrants;
  writable: readonly string[];
  /** Makes a private folder outside of what programs may write. */
  asideFolder(): Promise<string>;
  /** Says of what should be moved whether it stays for now. @default nothing stays */
  spares?(finding: Finding): boolean;
}

const NO_MASKS = { frozen: [], hidden: [], pinned: [] };
/** How many entries get a warning of their own. */
const MAX_NAMED = 20;
/** If a folder of hooks has more files, it is moved as a whole: no repository makes so many itself. */
const MAX_HOOKS = 200;
/** Longest time before other events get a turn, in milliseconds. */
const TURN_MS = 10;

/**
 * Notes the entries that are there.
 *
 * @param masks What the box guards. @default nothing, without a box
 */
export function baselineOf(
  { findings, executed }: Looked,
  masks: { frozen: readonly string[]; hidden: readonly string[]; pinned: readonly string[] } = NO_MASKS,
  writable: readonly string[] = [],
): Baseline {
  const frozen = [...masks.frozen, ...masks.hidden];
  const inner = findings.filter(isFolderOfFiles)
    .filter(({ path }) => !covers(frozen, path))
    .flatMap(({ path }) => filesIn(path));
  const closed = findings.filter(({ kind }) => kind === "closed");
  const hidden = findings.filter(({ kind, path, info }) =>
    kind === "secret" && info.isDirectory && covers(masks.hidden, path)
  );
  return {
    entries: Object.fromEntries([...findings, ...inner].map((finding) => [finding.path, entryOf(finding)])),
    frozen,
    held: frozen.filter((path) => cannotMove(path, masks.pinned, writable)),
    hidden: hidden.map(idOf),
    closed: closed.map(idOf),
    since: Date.now(),
    executed,
  };
}

/**
 * Moves protected files that have appeared or changed out of the tree: other programs would execute them, and
 * the user did not allow writing them. What a new git repository has of its own stays. Does not throw: what fails is
 * told.
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
  const present = new Map(now.map((finding) => [finding.path, idOf(finding)]));
  const frozenEntries = new Set(baseline.frozen.map((path) => baseline.entries[path]?.identity));
  const lines: string[] = [];
  const told = new Set<string>();
  let place: Promise<string | null> | undefined;
  let turnEnds = performance.now() + TURN_MS;
  for (const finding of now) {
    if (performance.now() >= turnEnds) {
      await new Promise((resolve) => setTimeout(resolve));
      turnEnds = performance.now() + TURN_MS;
    }
    if (!covers(writable, finding.path)) continue;
    try {
      if (finding.kind === "set-id") lines.push(...await takeSetId(finding));
      for (const suspect of suspectsOf(finding, { baseline, present, frozenEntries, files, writable })) {
        if (told.has(suspect.path) || options.spares?.(suspect)) continue;
        // It went with its folder.
        if (isUnnamed(suspect.path) && covers([...told], suspect.path)) continue;
        told.add(suspect.path);
        place ??= options.asideFolder().catch(() => null);
        lines.push(await putAside(suspect, { folder: await place, writable }));
      }
    } catch (error) {
      lines.push(
        `"${finding.path}" could not be checked: ${systemError(error, "look at", finding.path).message}`,
      );
    }
  }
  const more = lines.length - MAX_NAMED;
  if (more <= 0) return lines;
  const folder = await place ?? null;
  const where = folder === null ? "Told of 20 files, and did the same with" : "Moved";
  return [
    ...lines.slice(0, MAX_NAMED),
    `${where} ${more} more such files${folder === null ? "" : ` to ${folder}`}`,
  ];
}

/** What of a finding must be moved. */
function suspectsOf(
  finding: Finding,
  seen: Seen & { files: FileGrants; writable: readonly string[] },
): Finding[] {
  const { kind, path } = finding;
  if (kind === "closed" && isUnnamed(path) && !seen.baseline.closed.includes(idOf(finding))) {
    return [finding];
  }
  if (!isForbidden(finding, seen.files)) return [];
  if (kind === "repository") {
    return newRepository(finding, { known: new Set(seen.baseline.executed.folders), roots: seen.writable });
  }
  return changesOf(finding, seen).filter((found) =>
    isOdd(found.path) ? !isGitFolder(found) : !isHarmless(found, seen.writable)
  );
}

function isForbidden({ path, kind }: Finding, files: FileGrants): boolean {
  const isResolved = (kind === "protected" || kind === "repository") && !isProtected(path);
  const { executed = [] } = files;
  const refusal = refusePath("write", path, isResolved ? { ...files, executed: [...executed, path] } : files);
  return refusal !== null && (isResolved || isProtected(path) || refusal.reason === "denied");
}

/** What was there, and what is there now. */
interface Seen {
  baseline: Baseline;
  /** Identities by path. */
  present: ReadonlyMap<string, string>;
  /** Identities of what the box kept from being changed. */
  frozenEntries: ReadonlySet<string | undefined>;
}

/** The entry itself if it is new, or the files in it that are. */
function changesOf(finding: Finding, { baseline, present, frozenEntries }: Seen): Finding[] {
  const { path, info } = finding;
  const entry = entryOf(finding);
  const before = baseline.entries[path];
  const guard = baseline.frozen.find((folder) => isInside(folder, path));
  if (guard !== undefined && present.get(guard) === baseline.entries[guard]?.identity) {
    return before?.isLinked && before.state !== entry.state ? [finding] : [];
  }
  // Nobody in the box could do that: it is the user's own change.
  if (guard !== undefined && baseline.held.includes(guard)) return [];
  // It moved as it was, with a folder above it.
  if (before?.identity !== entry.identity && frozenEntries.has(entry.identity)) return [];
  if (before?.identity === entry.identity && info.isDirectory) {
    if (isRebase(path)) return [finding];
    return isFolderOfFiles(finding) ? filesIn(path).filter((file) => isChanged(file, baseline)) : [];
  }
  if (before?.state === entry.state) return [];
  const hooks = isHooks(finding) ? filesIn(path) : [];
  return isHooks(finding) && !isUnnamed(path) && hooks.length <= MAX_HOOKS ? hooks : [finding];
}

function isChanged(file: Finding, { entries }: Baseline): boolean {
  return entries[file.path]?.state !== entryOf(file).state;
}

/** Says whether each folder between an entry and the top of what may be written is a mount of its own. */
function cannotMove(path: string, pinned: readonly string[], writable: readonly string[]): boolean {
  if (!covers(writable, path)) return true;
  const still = new Set([...pinned, ...writable]);
  for (let at = dirname(path); still.has(at); at = dirname(at)) {
    if (!covers(writable, dirname(at))) return true;
  }
  return false;
}

function isFolderOfFiles(finding: Finding): boolean {
  return finding.info.isDirectory && finding.kind === "protected" && !isGitFolder(finding);
}

function isHooks({ path, info }: Finding): boolean {
  return info.isDirectory && /\/\.git\/(.*\/)?hooks$/i.test(path);
}

/** Returns what tells an entry from others, and from itself at another time. */
export function entryOf(finding: Finding): Entry {
  const { path, info } = finding;
  const identity = idOf(finding);
  // A new link counts as the same if it leads to the same place.
  if (info.isSymlink) return { identity, state: `link ${readLink(path) ?? info.mtime?.getTime()}` };
  const isLinked = info.isFile && (info.nlink ?? 1) > 1;
  return {
    identity,
    state: `${identity}:${info.size}:${info.mtime?.getTime()}`,
    ...(isLinked && { isLinked }),
  };
}

/** Tells an entry from all others that are there. */
export function idOf({ info }: Pick<Finding, "info">): string {
  return `${info.dev}:${info.ino}`;
}

function readLink(path: string): string | null {
  if (isUnnamed(path)) return null;
  try {
    return Deno.readLinkSync(path);
  } catch {
    return null;
  }
}

/** All entries in a folder that are not folders. Where names are no UTF-8, the scan itself has found them. */
function filesIn(folder: string): Finding[] {
  const found: Finding[] = [];
  if (isUnnamed(folder)) return found;
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
