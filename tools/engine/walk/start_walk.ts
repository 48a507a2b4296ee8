import type { Location, ToolContext } from "../../../schemas/context.ts";
import type { Glob } from "./glob.ts";
import { type EnterFolder, loadIgnoreRules, rulesAbove } from "./ignore_rules.ts";
import { warnAboutUnnamed } from "../file/unnamed.ts";
import { walk, type WalkCounts, type WalkEntry } from "./walk.ts";

/** What a walk is asked for. */
export interface WalkRequest {
  glob: Glob;
  respectGitignore: boolean;
  /** Names of folders that are never entered, beside `.git`. @default none */
  skipFolders?: ReadonlySet<string>;
}

/** A walk under way: the counts grow while the entries are taken. */
export interface Walking {
  /** What was found, and `null` now and then, as {@linkcode walk} yields them. */
  entries: Iterable<WalkEntry | null>;
  counts: WalkCounts;
}

/**
 * Starts a walk of a located folder with the guard's view and, if asked for, the ignore files that hold
 * there.
 */
export async function startWalk(
  root: Location,
  request: WalkRequest,
  context: ToolContext,
): Promise<Walking> {
  const { files } = context;
  const counts: WalkCounts = { ignored: 0, hidden: 0, unnamed: 0 };
  const enter: EnterFolder | null = request.respectGitignore ? await loadIgnoreRules() : null;
  const entries = walk(root.real, {
    ...request,
    counts,
    enter,
    rules: enter ? rulesAbove(root.real, files.rootOf(root.real), enter) : null,
    mayRead: (path) => files.mayRead(path),
  });
  return { entries: telling(entries, counts, context), counts };
}

/** However the walk ends, it says what it could not name. */
function* telling<Entry>(
  entries: Iterable<Entry>,
  counts: WalkCounts,
  context: ToolContext,
): Generator<Entry> {
  try {
    yield* entries;
  } finally {
    warnAboutUnnamed(counts.unnamed, context);
  }
}
