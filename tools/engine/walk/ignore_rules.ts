import type { Ignore } from "ignore";
import { dirname, join, resolve } from "@std/path";

import type { IgnoreLists } from "../../../schemas/context.ts";
import { readStart } from "../file/read_start.ts";

/** The rules of one list of ignored files; those of the folders above follow in `outer`. */
export interface IgnoreRules {
  folder: string;
  matcher: Ignore;
  outer: IgnoreRules | null;
}

/** Adds the rules of a folder to those of the folders above it, which end where a repository begins. */
export type EnterFolder = (folder: string, outer: IgnoreRules | null) => IgnoreRules | null;

/** What reads the rules of folders. */
export interface IgnoreReader {
  enter: EnterFolder;
  /** Rules that lie outside of what is walked. */
  above: IgnoreRules | null;
}

const MAX_RULE_BYTES = 1024 * 1024;

/**
 * Loads the matcher library. A walk calls `enter` for each folder that has a `.gitignore` or a `.git`.
 *
 * @param top The folder from which on lists are read here
 * @param lists What main tells of lists that lie elsewhere, those of a repository that begins at the top among them
 */
export async function loadIgnoreRules(top: string, { user, above }: IgnoreLists): Promise<IgnoreReader> {
  const { default: ignore } = await import("ignore");
  const add = (folder: string, text: string | null, outer: IgnoreRules | null): IgnoreRules | null =>
    text?.trim() ? { folder, matcher: ignore({ ignorecase: false }).add(text), outer } : outer;
  return {
    enter(folder, outer) {
      const own = folder === top ? null : gitFolderOf(folder);
      const around = own === null
        ? outer
        : add(folder, readRules(join(own, "info/exclude")), add(folder, user, null));
      return add(folder, readRules(join(folder, ".gitignore")), around);
    },
    above: above.reduce<IgnoreRules | null>((outer, { folder, text }) => add(folder, text, outer), null),
  };
}

/** The folder that holds the lists of a repository whose top this folder is; `null` if it is none. */
function gitFolderOf(folder: string): string | null {
  const path = join(folder, ".git");
  try {
    if (Deno.lstatSync(path).isDirectory) {
      Deno.lstatSync(join(path, "HEAD"));
      return path;
    }
    const own = /^gitdir: ([^\r\n]+)/.exec(readRules(path) ?? "")?.[1];
    if (own === undefined) return null;
    const real = resolve(folder, own);
    return resolve(real, readRules(join(real, "commondir"))?.trim() || ".");
  } catch {
    return null;
  }
}

/** A link is not followed, as in git: its target may lie anywhere. */
function readRules(path: string): string | null {
  try {
    if (!Deno.lstatSync(path).isFile) return null;
    return new TextDecoder().decode(readStart(path, MAX_RULE_BYTES));
  } catch {
    return null;
  }
}

/**
 * Collects the rules of the folders above `folder`, from `top` down. If those rules ignore `folder`, the
 * caller named it explicitly, and they do not count inside it.
 *
 * @param top Folder where ignore files start to count
 */
export function rulesAbove(folder: string, top: string, { enter, above }: IgnoreReader): IgnoreRules | null {
  const folders: string[] = [];
  for (let at = folder; at !== top && at !== dirname(at); at = dirname(at)) folders.unshift(dirname(at));
  let rules = above;
  for (const [index, at] of folders.entries()) {
    rules = enter(at, rules);
    if (isIgnored(rules, folders[index + 1] ?? folder, "folder")) rules = null;
  }
  return rules;
}

/** Says whether an entry is ignored; its folder is not. The deepest file that has a rule for it decides. */
export function isIgnored(rules: IgnoreRules | null, path: string, kind: "file" | "folder"): boolean {
  for (let at = rules; at; at = at.outer) {
    const inside = path.slice(at.folder === "/" ? 1 : at.folder.length + 1);
    const verdict = at.matcher.test(kind === "folder" ? `${inside}/` : inside);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}
