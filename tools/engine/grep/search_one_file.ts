import { collateMatches, type CollateOptions, type SearchOutcome } from "./collate_matches.ts";
import type { SearchPattern } from "../pattern/pattern.ts";
import { createFileScanner, type FileScan } from "./scan_file.ts";

/** Options of {@linkcode searchOneFile}. */
export interface OneFileOptions extends CollateOptions {
  pattern: SearchPattern;
}

/** The outcome, and what the file is: only `text` was searched. */
export interface OneFileOutcome extends SearchOutcome {
  kind: FileScan["kind"];
}

/** Searches one located file, by its real path. Needs `read`. */
export function searchOneFile(path: string, { pattern, limits, measure }: OneFileOptions): OneFileOutcome {
  const budget = { lines: limits.lines + 1, chars: limits.chars };
  const { kind, matches, pieces, encoding } = createFileScanner(pattern).scan(path, budget);
  const scan = {
    batch: 0,
    searched: Uint8Array.of(kind === "text" ? 1 : 0),
    matches: matches.map((match) => ({ ...match, file: 0 })),
    pieces: pieces ? 1 : 0,
    encodings: encoding === undefined ? [] : [{ file: 0, encoding }],
  };
  const run = { batches: [{ paths: [path], names: ["."], ignored: [0], hidden: [0] }], scans: [scan] };
  return {
    kind,
    ...collateMatches(run, { ignored: 0, hidden: 0, unnamed: 0, unfollowed: [] }, { limits, measure }),
  };
}
