import type { Location, ToolContext } from "../../../schemas/context.ts";
import type { Glob } from "./glob.ts";
import { loadIgnoreRules, rulesAbove } from "./ignore_rules.ts";
import { warnAboutUnnamed } from "../file/unnamed.ts";
import { walk, type WalkCounts, type WalkEntry } from "./walk.ts";

/** Most links that are told of. */
const MAX_TOLD = 5;

/** What a walk is asked for. */
export interface WalkRequest {
  glob: Glob;
  respectGitignore: boolean;
  /** Names of folders that are never entered, beside `.git`. @default none */
  skipFolders?: ReadonlySet<string>;
  /** Another walk tells what could not be named or followed. @default false */
  quiet?: boolean;
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
  const counts: WalkCounts = { ignored: 0, hidden: 0, unnamed: 0, unfollowed: [] };
  const top = files.rootOf(root.real);
  const reader = request.respectGitignore ? await loadIgnoreRules(top, await context.ignoreLists(top)) : null;
  const entries = walk(root.real, {
    ...request,
    counts,
    enter: reader?.enter ?? null,
    rulesAbove(folder) {
      if (reader === null) return null;
      const own = files.rootOf(folder);
      return rulesAbove(folder, own, own === top ? reader : { ...reader, above: null });
    },
    mayRead: (path) => files.mayRead(path),
    folderBehind: (link) => files.folderBehind(link),
  });
  return { entries: request.quiet ? entries : telling(entries, counts, context), counts };
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
    for (const why of counts.unfollowed.slice(0, MAX_TOLD)) context.warn(`A link was not followed: ${why}`);
  }
}
