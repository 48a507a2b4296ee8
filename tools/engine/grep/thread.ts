import type { SearchPattern } from "../pattern/pattern.ts";
import { type BatchScan, type BatchScanning, scanBatch } from "./scan_batch.ts";
import { createFileScanner } from "./scan_file.ts";
import { openSharedProgress, type SearchLimits } from "./shared_progress.ts";

/** Opens a search on a helper thread; sent over the thread's port with a port of the search's own. */
export interface SearchRequest {
  pattern: SearchPattern;
  limits: SearchLimits;
  memory: SharedArrayBuffer;
  /**
   * Brings the paths of each batch, one message a batch; takes a {@linkcode BatchScan} or an {@linkcode
   * ThreadFailure}.
   */
  port: MessagePort;
}

/** Tells that the thread cannot go on with the search. */
export interface ThreadFailure {
  failure: string;
}

/**
 * Serves searches in a helper thread, which needs `read` of the folders: one after the other, until the port
 * closes.
 */
export function serveSearchThread(port: MessagePort): void {
  port.onmessage = ({ data }: MessageEvent<SearchRequest>) => serveSearch(data);
}

function serveSearch({ pattern, limits, memory, port }: SearchRequest): void {
  const scanning: BatchScanning = {
    scanner: createFileScanner(pattern),
    shared: openSharedProgress(memory, limits),
    limits,
  };
  const batches: string[][] = [];
  port.onmessage = ({ data }: MessageEvent<string[]>) => {
    batches.push(data);
    try {
      scanPublished(batches, scanning, port);
    } catch (error) {
      scanning.shared.stop();
      port.postMessage({ failure: String(error) } satisfies ThreadFailure);
    }
  };
}

function scanPublished(batches: readonly string[][], scanning: BatchScanning, port: MessagePort): void {
  while (!scanning.shared.isStopped()) {
    const batch = scanning.shared.claim(batches.length);
    if (batch < 0) return;
    const result: BatchScan | null = scanBatch(batch, batches[batch]!, scanning);
    if (result) port.postMessage(result);
  }
}
