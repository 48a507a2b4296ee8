import { startWorker } from "./start_worker.ts";

/** A worker that was started early, and what it said before anybody listened: it loads while the rest is set up. */
export interface EarlyWorker<Said> {
  worker: Worker;
  early: Said[];
}

/**
 * Starts a worker that holds no permission but to reach these hosts, or to listen on them. Needs `net` for them until it has
 * started.
 *
 * @param net Hosts with their ports, `false` for none
 */
export function startNetWorker(url: URL, net: string[] | false): Worker {
  const none = { read: false, write: false, run: false, env: false, sys: false, ffi: false, import: false };
  return startWorker(url, { ...none, net });
}

/** Starts one whose owner is not there yet. */
export function startEarlyWorker<Said>(url: URL, net: string[] | false): EarlyWorker<Said> {
  const worker = startNetWorker(url, net);
  const early: Said[] = [];
  worker.onmessage = ({ data }: MessageEvent<Said>) => void early.push(data);
  return { worker, early };
}
