import { basename, dirname, join, resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { lstat, realOrNull } from "../../walls/files/file_facts.ts";
import { readPlain, readSettingsText } from "../../walls/files/open_plain.ts";
import { holdsRepository } from "../../walls/git/git_folder.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { readGitSettings } from "./read_settings.ts";

/** The git folders of a working tree whose `.git` leads out of it. Absolute, real paths. */
export interface LinkedRepository {
  /** Top of the working tree. */
  tree: string;
  /** The git folder of this tree alone: that of a submodule, or one below `worktrees`. */
  own: string;
  /** The one that it shares with other trees; `own` if it shares nothing. */
  common: string;
}

/** A `.git` that leads to a git folder which does not lead back. */
export interface ForeignRepository {
  tree: string;
  /** The git folder to which it leads. */
  leads: string;
  /** Why it is not taken for this tree's own. */
  why: string;
}

/** Largest file that names a folder, in bytes. */
const MAX_POINTER = 4_096;
/** Largest file of settings that is read, in bytes. */
const MAX_SETTINGS = 64 * 1024;

/**
 * Finds the git folders of a working tree whose `.git` is a file or a link. git believes each such file, and so a planted
 * one would open any repository. Here the git folder must lead back to this very `.git`, and what it shares must be the
 * folder around it. Needs `read`.
 *
 * @param place Real path of the `.git`, but for its own name
 * @returns `null` if it is a folder, or leads to no git folder
 */
export function linkedRepository(place: string): LinkedRepository | ForeignRepository | null {
  const info = lstat(place);
  const own = info && gitFolderBehind(place, info);
  if (!own || !holdsRepository((name) => lstat(join(own, name)) !== null)) return null;
  const tree = dirname(place);
  const foreign = (why: string): ForeignRepository => ({ tree, leads: own, why });
  const common = lstat(join(own, "gitdir")) === null
    ? commonOfModule(tree, own)
    : commonOfTree(place, own, info.isFile);
  if (typeof common !== "string") return foreign(common.why);
  const has = (name: string) => lstat(join(common, name)) !== null;
  if (has("commondir") || !holdsRepository(has)) return foreign("it shares no whole repository");
  const owners = [tree, place, own, common].map((path) => lstat(path)?.uid);
  if (new Set(owners).size > 1) return foreign("it belongs to another user");
  // Files of the user could lie beside what is git's.
  if (isInside(common, tree) && dirname(tree) !== common) return foreign("the tree lies inside of it");
  return { tree, own, common };
}

/** Says why git finds no repository for a tree, and which flags show it all the same. */
export function explainForeign({ tree, leads, why }: ForeignRepository): string {
  const shared = dirname(leads);
  const folder = basename(shared) === "worktrees" ? dirname(shared) : leads;
  const flags = showFlags([flagWord("--allow-read", [folder]), flagWord("--allow-write", [folder])]);
  return `programs do not see the repository of "${tree}": its .git leads to "${leads}", and ${why}; ` +
    `if it is yours, pass ${flags}`;
}

function gitFolderBehind(place: string, { isFile, isSymlink }: Deno.FileInfo): string | null {
  if (isSymlink) return realOrNull(place);
  const [, target] = isFile ? /^gitdir: ([^\n]+)\n?$/.exec(textOf(place) ?? "") ?? [] : [];
  return target === undefined ? null : realOrNull(resolve(dirname(place), target));
}

/** A linked working tree: its folder says which tree is its own, and lies in the one that it shares. */
function commonOfTree(place: string, own: string, isFile: boolean): string | { why: string } {
  const back = lineOf(join(own, "gitdir"));
  if (!isFile || back === null || realPlace(resolve(own, back)) !== place) {
    return { why: 'it is the folder of another working tree (git mends a moved one: "git worktree repair")' };
  }
  const shared = lineOf(join(own, "commondir"));
  const common = shared === null ? null : realOrNull(resolve(own, shared));
  const isAround = common !== null && dirname(own) === join(common, "worktrees");
  return isAround ? common : { why: "it does not lie in the repository that it names" };
}

/** A submodule, or any other git folder of its own: its settings say which tree is its own. */
function commonOfModule(tree: string, own: string): string | { why: string } {
  const settings = ["config", "config.worktree"].flatMap((name) =>
    readGitSettings(readSettingsText(join(own, name), { maxBytes: MAX_SETTINGS }) ?? "")
  );
  const named = settings.findLast(({ section, subsection, name }) =>
    section === "core" && subsection === null && name === "worktree"
  )?.value;
  const leadsBack = named && realOrNull(resolve(own, named)) === tree;
  return leadsBack ? own : { why: 'its setting "core.worktree" does not name this working tree' };
}

/** The path behind the links of its folder. */
function realPlace(path: string): string | null {
  const folder = realOrNull(dirname(path));
  return folder && join(folder, basename(path));
}

function lineOf(path: string): string | null {
  return /^([^\n]+)\n?$/.exec(textOf(path) ?? "")?.[1] ?? null;
}

/** `null` for what is long, a link, or no file. */
function textOf(path: string): string | null {
  try {
    const bytes = readPlain(path, { maxBytes: MAX_POINTER });
    return bytes && new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof ToolError) return null;
    throw error;
  }
}
