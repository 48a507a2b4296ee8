import type { FileScanner, LineMatch } from "./scan_file.ts";
import type { SearchLimits, SharedProgress } from "./shared_progress.ts";

/** The result of searching one batch of files, in the order of its files. Plain data: it crosses threads. */
export interface BatchScan {
  batch: number;
  /**
   * For each file 1 if it was searched, 0 if it was skipped; files after the one at which the search had
   * enough are missing.
   */
  searched: Uint8Array;
  /** The matches, each with the index of its file. */
  matches: (LineMatch & { file: number })[];
  /** How many files had a line that the regular expression saw in pieces. */
  pieces: number;
  /** Files that are not UTF-8, and as what they were read. */
  encodings: { file: number; encoding: string | null }[];
}

/** What a thread needs to search batches. */
export interface BatchScanning {
  scanner: FileScanner;
  shared: SharedProgress;
  limits: SearchLimits;
}

/**
 * Searches the files of a batch and tells the other threads.
 *
 * @returns `null` if the search was stopped meanwhile: then this batch is not needed
 */
export function scanBatch(
  batch: number,
  paths: readonly string[],
  scanning: BatchScanning,
): BatchScan | null {
  const { scanner, shared, limits } = scanning;
  const budget = { lines: limits.lines + 1, chars: limits.chars };
  const result: BatchScan = {
    batch,
    searched: new Uint8Array(paths.length),
    matches: [],
    pieces: 0,
    encodings: [],
  };
  let file = 0;
  while (file < paths.length && budget.lines > 0 && budget.chars >= 0) {
    if (shared.isStopped()) return null;
    const scan = scanner.scan(paths[file]!, budget);
    if (scan.kind === "text") result.searched[file] = 1;
    if (scan.pieces) result.pieces++;
    if (scan.encoding !== undefined) result.encodings.push({ file, encoding: scan.encoding });
    for (const match of scan.matches) result.matches.push({ ...match, file });
    file++;
  }
  shared.finish(batch, result.matches.length, limits.chars - budget.chars);
  return { ...result, searched: result.searched.subarray(0, file) };
}
