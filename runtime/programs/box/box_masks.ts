import { dirname, resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { FileGrants } from "../../../schemas/grants.ts";
import { covers, refusePath } from "../../walls/grants/path_access.ts";
import { isOfBox } from "../../walls/box/bubblewrap.ts";
import { isOdd } from "../bytes/odd_names.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { isPlainRebase, isRebase } from "../protected/git_files.ts";
import { lstat, realOrNull } from "../../walls/files/file_facts.ts";
import type { OnlyPrograms } from "./only_programs.ts";
import type { Replaced } from "./plain_settings.ts";
import type { ProgramView } from "./program_view.ts";
import { type Finding, isGitFolder } from "../protected/scan_folder.ts";

/** What a box hides or freezes within what it shows. */
export interface Masks {
  /** Paths that the box hides. */
  hidden: readonly string[];
  /** Paths in hidden folders that the user allowed by name. */
  opened: readonly string[];
  /** Paths that must not be written. */
  frozen: readonly string[];
  /** Files that the box shows without their secrets. */
  replaced: readonly Replaced[];
  /** Paths in frozen folders that the user allowed by name. */
  thawed: readonly string[];
  /**
   * Folders that must not be moved, because their masks are known by path. Each one is a mount of its own.
   */
  pinned: readonly string[];
  /** Folders among what was found whose paths are no UTF-8: Deno cannot look at them. */
  oddFolders: readonly string[];
  /** What takes the place of the folders of programs. @default nothing: all programs are there */
  only?: OnlyPrograms;
}

/** What to hide besides the findings. */
export interface MaskOptions {
  files: FileGrants;
  cwd: string;
  /** Files of denied programs, and bulkhead's own files. */
  hide: readonly string[];
  /** Sockets of the host's programs stay hidden unless the box has the host's network. */
  network: boolean;
  /** The program runs beside others, and must not move anything while their boxes are made. */
  stays: boolean;
  /** Copies without secrets that take the place of files. @default none */
  replaced?: readonly Replaced[];
}

/** Most mounts for masks, and for folders that are pinned: with all of these, bubblewrap needs some seconds. */
export const MAX_MASKS = 1_000;
const MAX_PINNED = 300;

/** Hidden even if everything else is granted: they hold the system's own secrets. */
const SYSTEM_SECRETS = [
  ...["/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/ssl/private"],
  ...["/private/etc/master.passwd", "/private/var/db/dslocal", "/Library/Keychains"],
];
/** A program that can talk to these sockets controls the host. */
const ENGINE_SOCKET = /\/(docker|podman|containerd|crio|buildkitd|libvirt)[^/]*\.sock$/i;

/**
 * Decides what is masked.
 *
 * @throws {ToolError} `limit_exceeded` if it is too much for a box
 */
export function masksOf(all: readonly Finding[], view: ProgramView, options: MaskOptions): Masks {
  const { files, hide, replaced = [] } = options;
  const findings = withinReach(all);
  const isShown = (path: string) => view.shows(path) && !isOfBox(path, files.workspace);
  const denied = [...listed(files.denyRead), ...(view.everything ? SYSTEM_SECRETS : [])].filter(isThere);
  const secret = findings.filter(({ kind }) => kind === "secret" || kind === "closed").flatMap((finding) =>
    behind(finding, view, options)
  );
  const sockets = findings.filter(({ kind, path }) =>
    kind === "socket" && (!options.network || ENGINE_SOCKET.test(path)) ||
    // What cannot be written otherwise is written by it, as a program of the host reads it.
    kind === "fifo" && !covers(view.writable, path)
  );
  const barred = [...denied.filter(isShown), ...hide.filter((path) => isThere(path) && view.shows(path))];
  const closed = secret.filter((path) => !covers(files.secrets, path));
  const hidden = outermost([...barred, ...closed, ...sockets.map(({ path }) => path)]);
  const opened = files.secrets.filter((path) =>
    hidden.some((folder) => folder !== path && isInside(folder, path)) && !covers(barred, path) &&
    isThere(path)
  );
  const { frozen, pinned } = guarded(findings, view, options);
  const shut = frozen.filter((path) => !covers(hidden, path));
  const kept = [...hidden, ...shut.filter((path) => options.stays || covers(files.denyWrite, path))];
  const above = foldersAbove([...kept, ...(options.stays ? pinned : [])], view.writable);
  const thawed = files.writeNamed.filter((path) =>
    shut.some((folder) => folder !== path && isInside(folder, path)) && !covers(hidden, path) && isThere(path)
  );
  const masks = {
    hidden,
    opened,
    frozen: shut,
    replaced: replaced.filter(({ path }) => view.shows(path) && !covers(hidden, path)),
    thawed,
    // Parents first: a later mount would cover the mounts below it.
    pinned: [...new Set([...pinned, ...above])].filter((path) => !covers([...hidden, ...shut], path)).sort(),
    oddFolders: findings.filter(({ path, info }) => info.isDirectory && isOdd(path)).map(({ path }) => path),
  };
  const count = hidden.length + opened.length + shut.length + thawed.length + masks.replaced.length;
  if (count > MAX_MASKS) throw tooMany(`${count} secrets and protected files`, MAX_MASKS);
  if (masks.pinned.length > MAX_PINNED) {
    throw tooMany(`${masks.pinned.length} folders with secrets or protected files`, MAX_PINNED);
  }
  return masks;
}

/**
 * Leaves out what lies in folders that are closed to all but another user. Root finds it; a box of root has none of root's
 * powers, so it can neither reach nor mask it.
 */
function withinReach(findings: readonly Finding[]): readonly Finding[] {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return findings;
  const known = new Map<string, boolean>();
  const isOpen = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const info = lstat(folder);
    const isSearchable = info === null || info.uid === 0 || ((info.mode ?? 0) & 0o011) !== 0;
    const is = isSearchable && (folder === dirname(folder) || isOpen(dirname(folder)));
    known.set(folder, is);
    return is;
  };
  return findings.filter(({ path }) => isOpen(dirname(path)));
}

function guarded(findings: readonly Finding[], view: ProgramView, options: MaskOptions) {
  const { files } = options;
  const isWritable = (path: string) => covers(view.writable, path);
  const found = findings.filter(({ kind, path }) =>
    kind !== "socket" && kind !== "fifo" && isWritable(path) && isGuarded(path, files)
  );
  const links = new Set(files.executed);
  const shut = found.filter((finding) => !isGitFolder(finding) && !isGoingOn(finding))
    // What they lead to is found by itself.
    .filter(({ path, info }) => !info.isSymlink || !links.has(path))
    .flatMap((finding) => behind(finding, view, options));
  const repositories = findings.filter(({ kind, path }) => kind === "repository" && isWritable(path));
  const denied = listed(files.denyWrite).filter((path) => isThere(path));
  return {
    frozen: outermost([...shut, ...denied].filter(isWritable)),
    pinned: [...found.filter(isGitFolder), ...repositories].map(({ path }) => path),
  };
}

/**
 * The next program must be able to finish a stopped rebase. The rebase is checked again after that program.
 */
function isGoingOn({ path, info }: Finding): boolean {
  return info.isDirectory && isRebase(path) && !isOdd(path) && isPlainRebase(path);
}

/** Says whether the entry must stay as it is; a secret is hidden instead. */
function isGuarded(path: string, files: FileGrants): boolean {
  const reason = refusePath("write", path, files)?.reason;
  return reason === "protected" || reason === "denied";
}

/** The target of a link is masked in its place, unless that takes away what the program works on. */
function behind({ path, info, link }: Finding, view: ProgramView, { files, cwd }: MaskOptions): string[] {
  if (!info.isSymlink) return [path];
  const named = isOdd(path) ? resolve(dirname(path), link ?? "") : path;
  const real = isOdd(named) ? named : realOrNull(named);
  if (real === null || !view.shows(real) || isOfBox(real, files.workspace)) return [];
  const holds = [cwd, ...view.shown].some((needed) => isInside(real, needed));
  return holds ? [] : [real];
}

function outermost(paths: readonly string[]): string[] {
  const unique = new Set(paths);
  return [...unique].filter((path) => !hasAncestor(path, unique)).sort();
}

/**
 * The folders between a writable folder and what is masked in it. A program that could move one of them would
 * find its content unmasked in the next box: by another name, deeper than paths reach, or while that box is
 * made.
 */
function foldersAbove(paths: readonly string[], writable: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (let at = dirname(path); !found.has(at); at = dirname(at)) {
      if (!writable.some((root) => root !== at && isInside(root, at))) break;
      found.add(at);
    }
  }
  return [...found];
}

function hasAncestor(path: string, paths: ReadonlySet<string>): boolean {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    if (paths.has(at)) return true;
  }
  return false;
}

function listed(scope: true | readonly string[]): readonly string[] {
  return scope === true ? [] : scope;
}

function isThere(path: string): boolean {
  return realOrNull(path) === path;
}

function tooMany(what: string, most: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `${what} lie in the folders that programs would see, and a sandbox can guard ` +
      `${most}: name a smaller folder with --workspace, or deny one that holds many with --deny-read`,
  );
}
