import type { Location, ToolContext } from "../../../schemas/context.ts";
import { createPacer } from "../pacer.ts";
import { compileGlob } from "./glob.ts";
import { startWalk } from "./start_walk.ts";

/** Files that a glob leaves out since they lie deeper, and the glob that has them. */
export interface LeftBelow {
  count: number;
  /** There may be more: so many folders were not looked into. */
  isMore: boolean;
  /** Finds them, and what the first one finds. */
  glob: string;
}

/** Most folders that are looked into. */
const MAX_FOLDERS = 20_000;

/**
 * Returns the glob that finds the same names at any depth; `null` if a glob does so already, or names one place.
 *
 * @example `*.ts` gives `*.ts` behind two stars and a slash
 */
export function deeperGlob(glob: string): string | null {
  if (glob.includes("**") || /\{[^}]*\//.test(glob) || glob.endsWith("/")) return null;
  const at = glob.lastIndexOf("/") + 1;
  const last = glob.slice(at);
  // In a folder that is named, a name without a wildcard is one file.
  if (last === "" || at > 0 && !/[*?[{]/.test(last)) return null;
  return `${glob.slice(0, at)}**/${last}`;
}

/** Counts the files that a glob leaves out since it stays in one folder; `null` if there are none. */
export async function countLeftBelow(
  root: Location,
  { glob, respectGitignore }: { glob: string; respectGitignore: boolean },
  context: ToolContext,
): Promise<LeftBelow | null> {
  const deeper = deeperGlob(glob);
  if (deeper === null) return null;
  const depth = glob.split("/").filter((part) => part !== "" && part !== ".").length;
  // What the search itself has told is not told again.
  const { entries } = await startWalk(
    root,
    { glob: compileGlob(deeper), respectGitignore, quiet: true },
    context,
  );
  const pacer = createPacer(context.signal);
  let count = 0;
  let folders = 0;
  for (const entry of entries) {
    if (entry === null && ++folders >= MAX_FOLDERS) break;
    if (entry?.kind === "file" && entry.below.split("/").length > depth) count++;
    if (pacer.due()) await pacer.rest();
  }
  return count === 0 ? null : { count, isMore: folders >= MAX_FOLDERS, glob: deeper };
}

/** Tells what a glob leaves out, and what finds it. */
export function warnAboutLeft(left: LeftBelow | null, glob: string, context: ToolContext): void {
  if (left === null) return;
  const one = left.count === 1 && !left.isMore;
  const folder = glob.includes("/") ? glob.slice(0, glob.lastIndexOf("/")) : "the top folder";
  context.warn(
    `${glob} means ${folder} alone: ${left.isMore ? "at least " : ""}${left.count} more ${
      one ? "file lies" : "files lie"
    } below it, ${left.glob} has ${one ? "it" : "them"}.`,
  );
}
