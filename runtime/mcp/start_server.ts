import { entryUrl } from "../self/entry_urls.ts";
import { requireWorkerOptions } from "../self/worker_options.ts";
import type { FromServer, ServeWay } from "./protocol.ts";

/** The worker that speaks with clients, started early: it loads while the host is set up. */
export interface ServerWorker {
  worker: Worker;
  /** What it said before anybody listened. */
  early: FromServer[];
}

/**
 * Starts the worker of a server. It holds no permission but to listen on its port. Needs `net` for the port until it
 * has started.
 */
export function startServer(way: ServeWay, url: URL = entryUrl("mcp")): ServerWorker {
  requireWorkerOptions();
  const none = { read: false, write: false, run: false, env: false, sys: false, ffi: false, import: false };
  const net = way.kind === "http" ? [`127.0.0.1:${way.port}`] : false;
  const worker = new Worker(url, { type: "module", deno: { permissions: { ...none, net } } });
  const early: FromServer[] = [];
  worker.onmessage = ({ data }: MessageEvent<FromServer>) => void early.push(data);
  return { worker, early };
}
