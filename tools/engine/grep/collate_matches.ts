import type { LineMatch } from "./scan_file.ts";
import type { SearchRun } from "./search_files.ts";
import type { SearchLimits } from "./shared_progress.ts";
import type { WalkCounts } from "../walk/walk.ts";

/** A matching line of a file. */
export interface FileMatch extends LineMatch {
  /** Real path. */
  path: string;
  /** The path as seen from the search's root. */
  below: string;
}

/** What a search found and checked, up to its end or to the first match that it leaves out. */
export interface SearchOutcome {
  matches: FileMatch[];
  /** True if and only if there are more matches. */
  truncated: boolean;
  searched: number;
  /** Files that are not text or could not be read, and entries that the path guard hides. */
  skipped: number;
  /** Entries that ignore files left out. */
  ignored: number;
  /** Files with a line so long that the regular expression saw it in pieces. */
  pieces: number;
  /** Files that are not UTF-8, by their paths from the root: as what they were read, `null` if that is not sure. */
  encodings: ReadonlyMap<string, string | null>;
}

/** Limits that count the characters of the final lines, joined by line feeds. */
export interface CollateOptions {
  limits: SearchLimits;
  /** Returns the length of a match as it will be shown, in characters. */
  measure(match: FileMatch): number;
}

/** Joins the results of the threads into one, in the order of the walk. */
export function collateMatches(run: SearchRun, counts: WalkCounts, options: CollateOptions): SearchOutcome {
  const { limits, measure } = options;
  const outcome: SearchOutcome = {
    matches: [],
    truncated: false,
    searched: 0,
    skipped: 0,
    ignored: 0,
    pieces: 0,
    encodings: new Map(
      run.scans.flatMap(({ batch, encodings }) =>
        encodings.map(({ file, encoding }) => [run.batches[batch]!.names[file]!, encoding] as const)
      ),
    ),
  };
  let chars = -1;
  for (const scan of run.scans) {
    const batch = run.batches[scan.batch]!;
    outcome.pieces += scan.pieces;
    let next = 0;
    for (let file = 0; file < scan.searched.length; file++) {
      if (scan.searched[file] === 1) outcome.searched++;
      else outcome.skipped++;
      for (; scan.matches[next]?.file === file; next++) {
        const { line, text } = scan.matches[next]!;
        const match: FileMatch = { path: batch.paths[file]!, below: batch.names[file]!, line, text };
        chars += measure(match) + 1;
        if (outcome.matches.length === limits.lines || chars > limits.chars) {
          outcome.skipped += batch.hidden[file]!;
          return { ...outcome, truncated: true, ignored: batch.ignored[file]! };
        }
        outcome.matches.push(match);
      }
    }
  }
  return { ...outcome, skipped: outcome.skipped + counts.hidden, ignored: counts.ignored };
}
