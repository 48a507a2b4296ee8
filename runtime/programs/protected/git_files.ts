import { basename, dirname, join, resolve } from "@std/path";

import { isInside } from "../../walls/grants/inside.ts";
import { isHarmlessConfig, isHarmlessRebase } from "../git/harmless_settings.ts";
import { lstat, namesIn, realOrNull } from "../../walls/files/file_facts.ts";
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
  if (!info.isFile || info.size > MAX_READ || !/\/\.git(\/|$)/i.test(path)) return false;
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
  return info.isFile && info.size <= MAX_READ && isHarmlessRebase(readText(path));
}

/** Submodules and working trees have a file that names a folder in the `.git` of another repository. */
function leadsToModule(path: string, text: string): boolean {
  const [, target] = /^gitdir: (.+)\n?$/.exec(text) ?? [];
  const real = target === undefined ? null : realOrNull(resolve(dirname(path), target));
  return real !== null && /\/\.git\/(modules|worktrees)\//.test(real);
}

function readText(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "\0";
  }
}
