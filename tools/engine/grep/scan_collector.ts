import { ToolError } from "../../../schemas/error.ts";
import { countCharacters } from "../file/characters.ts";
import type { BatchScan } from "./scan_batch.ts";
import type { SearchRequest, ThreadFailure } from "./thread.ts";

/** Gives batches to the helper threads and puts the results of all threads in order. */
export interface ScanCollector {
  /** Offers the paths of the next batch to every helper thread. */
  publish(paths: string[]): void;
  /** Adds what this thread found. */
  add(scan: BatchScan): void;
  /**
   * Waits until the first `published` batches are there, or fewer that hold enough, and returns them.
   *
   * @throws {ToolError} `internal` if a helper thread failed; the signal's reason if it aborts
   */
  settle(published: number, signal: AbortSignal): Promise<BatchScan[]>;
  close(): void;
}

/** Opens the search on the helper threads. */
export function openScanCollector(
  threads: readonly MessagePort[],
  request: Omit<SearchRequest, "port">,
): ScanCollector {
  const scans: BatchScan[] = [];
  let failure: string | null = null;
  let wake = () => {};
  const ports = threads.map((thread) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<BatchScan | ThreadFailure>) => {
      if ("failure" in data) failure = data.failure;
      else scans[data.batch] = data;
      wake();
    };
    thread.postMessage({ ...request, port: port2 } satisfies SearchRequest, [port2]);
    return port1;
  });
  return {
    publish: (paths) => ports.forEach((port) => port.postMessage(paths)),
    add: (scan) => void (scans[scan.batch] = scan),
    async settle(published, signal) {
      signal.addEventListener("abort", () => wake(), { once: true });
      while (true) {
        const settled = settledScans(scans, published, request.limits);
        if (settled) return settled;
        if (failure !== null) throw new ToolError("internal", `A search thread failed: ${failure}`);
        signal.throwIfAborted();
        await new Promise<void>((resolve) => wake = resolve);
      }
    },
    close: () => ports.forEach((port) => port.close()),
  };
}

/** Returns the finished batches from the first on, if all are finished or they hold enough. */
function settledScans(
  scans: readonly (BatchScan | undefined)[],
  published: number,
  limits: { lines: number; chars: number },
): BatchScan[] | null {
  const settled: BatchScan[] = [];
  let lines = 0;
  let chars = 0;
  while (settled.length < published && lines <= limits.lines && chars <= limits.chars) {
    const scan = scans[settled.length];
    if (!scan) return null;
    settled.push(scan);
    lines += scan.matches.length;
    for (const { text } of scan.matches) chars += countCharacters(text) + 1;
  }
  return settled;
}
