import type { ToolContext } from "../../../schemas/context.ts";
import { createPacer, type Pacer } from "../pacer.ts";
import type { SearchPattern } from "../pattern/pattern.ts";
import { type BatchScan, type BatchScanning, scanBatch } from "./scan_batch.ts";
import { createFileScanner } from "./scan_file.ts";
import { openScanCollector, type ScanCollector } from "./scan_collector.ts";
import { createSharedMemory, openSharedProgress, type SearchLimits } from "./shared_progress.ts";
import type { Walking } from "../walk/start_walk.ts";

/** Options of {@linkcode searchFiles}. */
export interface SearchOptions {
  pattern: SearchPattern;
  limits: SearchLimits;
}

/** Files that go to one thread at once, and what the walk had left out by the time it found each. */
export interface Batch {
  /** Real paths. */
  paths: string[];
  /** The same as seen from the walk's root. */
  names: string[];
  ignored: number[];
  hidden: number[];
}

/**
 * What {@linkcode searchFiles} did: `scans[n]` belongs to `batches[n]`; the last ones are missing if the
 * search had enough.
 */
export interface SearchRun {
  batches: Batch[];
  scans: BatchScan[];
}

const FIRST_BATCH = 16;
const LARGEST_BATCH = 256;

interface Search {
  batches: Batch[];
  scanning: BatchScanning;
  collector: ScanCollector;
  pacer: Pacer;
  progress: ToolContext["progress"];
}

/**
 * Searches the files of a walk on this thread and the helper threads of the room. This thread walks while the
 * others search what it has found; then it searches as well. The result does not depend on the number of
 * threads.
 *
 * @throws {ToolError} What the walk throws; the signal's reason if it aborts
 */
export async function searchFiles(
  walking: Walking,
  options: SearchOptions,
  context: ToolContext,
): Promise<SearchRun> {
  const { pattern, limits } = options;
  const memory = createSharedMemory();
  const shared = openSharedProgress(memory, limits);
  const search: Search = {
    batches: [],
    scanning: { scanner: createFileScanner(pattern), shared, limits },
    collector: openScanCollector(context.threads, { pattern, limits, memory }),
    pacer: createPacer(context.signal),
    progress: context.progress,
  };
  try {
    await publishFiles(walking, search, context.threads.length > 0);
    await scanClaimed(search);
    return {
      batches: search.batches,
      scans: await search.collector.settle(search.batches.length, context.signal),
    };
  } finally {
    shared.stop();
    search.collector.close();
  }
}

async function publishFiles(
  { entries, counts }: Walking,
  search: Search,
  othersScan: boolean,
): Promise<void> {
  const { shared } = search.scanning;
  let size = FIRST_BATCH;
  let batch: Batch = { paths: [], names: [], ignored: [], hidden: [] };
  for (const entry of entries) {
    if (search.pacer.due()) await search.pacer.rest();
    if (shared.isStopped()) return;
    if (entry?.kind !== "file") continue;
    batch.paths.push(entry.path);
    batch.names.push(entry.below);
    batch.ignored.push(counts.ignored);
    batch.hidden.push(counts.hidden);
    if (batch.paths.length < size) continue;
    publish(batch, search);
    if (!othersScan) await scanClaimed(search);
    size = Math.min(size * 2, LARGEST_BATCH);
    batch = { paths: [], names: [], ignored: [], hidden: [] };
  }
  if (batch.paths.length > 0) publish(batch, search);
}

function publish(batch: Batch, { batches, collector }: Search): void {
  batches.push(batch);
  collector.publish(batch.paths);
}

/** Searches on this thread until every batch is taken. */
async function scanClaimed({ batches, scanning, collector, pacer, progress }: Search): Promise<void> {
  while (!scanning.shared.isStopped()) {
    const index = scanning.shared.claim(batches.length);
    if (index < 0) return;
    const scan = scanBatch(index, batches[index]!.paths, scanning);
    if (scan) collector.add(scan);
    if (!pacer.due()) continue;
    progress({ done: index + 1, total: batches.length, message: "parts of the tree searched" });
    await pacer.rest();
  }
}
