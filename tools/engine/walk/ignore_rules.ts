import type { Ignore } from "ignore";
import { dirname, join } from "@std/path";

import { readStart } from "../file/read_start.ts";

/** The rules of one `.gitignore`; those of the folders above follow in `outer`. */
export interface IgnoreRules {
  folder: string;
  matcher: Ignore;
  outer: IgnoreRules | null;
}

/** Adds the rules of a folder's `.gitignore` to those of the folders above it. */
export type EnterFolder = (folder: string, outer: IgnoreRules | null) => IgnoreRules | null;

const MAX_RULE_BYTES = 1024 * 1024;

/**
 * Loads the matcher library. Returns the function that reads the `.gitignore` of a folder; a walk calls it
 * for each folder.
 */
export async function loadIgnoreRules(): Promise<EnterFolder> {
  const { default: ignore } = await import("ignore");
  return (folder, outer) => {
    const text = readRules(join(folder, ".gitignore"));
    if (!text?.trim()) return outer;
    return { folder, matcher: ignore({ ignorecase: false }).add(text), outer };
  };
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
export function rulesAbove(folder: string, top: string, enter: EnterFolder): IgnoreRules | null {
  const above: string[] = [];
  for (let at = folder; at !== top && at !== dirname(at); at = dirname(at)) above.unshift(dirname(at));
  let rules: IgnoreRules | null = null;
  above.forEach((at, index) => {
    rules = enter(at, rules);
    if (isIgnored(rules, above[index + 1] ?? folder, "folder")) rules = null;
  });
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
