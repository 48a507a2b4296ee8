import { basename, dirname, join, resolve } from "@std/path";

import { isInside } from "../../walls/grants/inside.ts";
import { isHarmlessConfig, isHarmlessRebase } from "../git/harmless_settings.ts";
import { identityOf } from "../git/executed_files.ts";
import { GIT_PARTS, gitPlaceOf, holdsRepository } from "../../walls/git/git_folder.ts";
import { lstat, namesIn, realOrNull } from "../../walls/files/file_facts.ts";
import { readSettingsText } from "../../walls/files/open_plain.ts";
import { type Finding, isGitFolder } from "./scan_folder.ts";

/** Largest file of git's that is read, in bytes. */
const MAX_READ = 64 * 1024;

/**
 * Says whether git makes a new protected entry by itself and the entry starts nothing. Needs `read`.
 *
 * @param roots Folders that programs may write
 */
export function isHarmless(finding: Finding, roots: readonly string[]): boolean {
  const { path, info } = finding;
  if (isGitFolder(finding)) return true;
  if (info.isDirectory) return isRebase(path) && isPlainRebase(path);
  if (!info.isFile || !isOfGit(path)) return false;
  if (/\/hooks\/[^/]+\.sample$/.test(path)) return true;
  const text = readText(path);
  const leadsInside = (target: string) => {
    const place = resolve(dirname(path), target);
    return roots.some((root) => isInside(root, realOrNull(place) ?? place));
  };
  switch (basename(path).toLowerCase()) {
    case "config":
    case "config.worktree":
      return isHarmlessConfig(text, { mayWorkIn: leadsInside });
    case "commondir":
      return text.trim() === "../..";
    case "gitdir":
      return leadsInside(text.trim());
    case ".git":
      return leadsToModule(path, text) && leadsInside(text.slice("gitdir: ".length).trim());
    default:
      return false;
  }
}

/** What is known when a new repository is judged. */
interface Surroundings {
  /** Folders that programs may write. */
  roots: readonly string[];
  /** The git folders that were there before. */
  known: ReadonlySet<string>;
}

/**
 * Returns what must be moved of a folder that git takes for a repository: its file HEAD, if it is new and makes git run
 * something. Without that file, git does not see the rest, which may be the user's. Needs `read`.
 */
export function newRepository({ path, info }: Finding, options: Surroundings): Finding[] {
  if (options.known.has(identityOf(info)) || isHarmlessRepository(path, options)) return [];
  const head = join(path, "HEAD");
  const found = lstat(head);
  const why = `git would take "${path}" for a repository and run what its settings or hooks say`;
  return found === null ? [] : [{ path: head, kind: "protected", info: found, why }];
}

function isHarmlessRepository(folder: string, options: Surroundings, depth = 0): boolean {
  const parts = GIT_PARTS.flatMap((part) => {
    const path = join(folder, part);
    const info = lstat(path);
    return info === null ? [] : [{ path, kind: "protected" as const, info }];
  });
  // Links could lead anywhere later.
  if (["info", "HEAD"].some((name) => lstat(join(folder, name))?.isSymlink)) return false;
  const isPlain = parts.every((part) =>
    basename(part.path) === "hooks" ? areSamples(part) : isHarmless(part, options.roots)
  );
  if (!isPlain || !parts.some(({ path }) => basename(path) === "commondir")) return isPlain;
  const common = join(folder, "../..");
  const info = lstat(common);
  if (info === null || options.known.has(identityOf(info)) || /\/\.git$/i.test(common)) return true;
  return depth === 0 && isHarmlessRepository(common, options, 1);
}

function areSamples({ path, info }: Finding): boolean {
  return info.isDirectory &&
    namesIn(path).every((name) => /\.sample$/.test(name) && lstat(join(path, name))?.isFile);
}

function isOfGit(path: string): boolean {
  return /\/\.git(\/|$)/i.test(path) || gitPlaceOf(path, (at) => lstat(at) !== null)?.isNew === false;
}

/** Says whether a path is the state of a rebase in progress. */
export function isRebase(path: string): boolean {
  return basename(path).toLowerCase() === "rebase-merge";
}

/** Says whether a rebase continues without starting programs; some strategies are programs. Needs `read`. */
export function isPlainRebase(folder: string): boolean {
  if (namesIn(folder).some((name) => /^strategy/.test(name))) return false;
  const path = join(folder, "git-rebase-todo");
  const info = lstat(path);
  if (info === null) return true;
  return info.isFile && isHarmlessRebase(readText(path));
}

/** Submodules and working trees have a file that names a git folder elsewhere, which is looked at by itself. */
function leadsToModule(path: string, text: string): boolean {
  const [, target] = /^gitdir: (.+)\n?$/.exec(text) ?? [];
  const real = target === undefined ? null : realOrNull(resolve(dirname(path), target));
  if (real === null) return false;
  return /\/\.git\/(modules|worktrees)\//.test(real) ||
    holdsRepository((name) => lstat(join(real, name)) !== null);
}

/** What cannot be read is not harmless. */
function readText(path: string): string {
  return readSettingsText(path, { maxBytes: MAX_READ }) ?? "\0";
}
