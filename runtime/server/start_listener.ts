import { entryUrl } from "../self/entry_urls.ts";
import { requireWorkerOptions } from "../self/worker_options.ts";
import { hostAndPort } from "../walls/net/read_host.ts";
import type { FromListener, ListenSettings } from "./contract/protocol.ts";

/** The worker that listens, started early: it loads while the host is set up. */
export interface ListenerWorker {
  worker: Worker;
  /** What it said before anybody listened. */
  early: FromListener[];
}

/**
 * Starts the worker of a server over HTTP. It holds no permission but to listen on its port. Needs `net` for the host and
 * port until it has started.
 */
export function startListener(
  { host, port }: Pick<ListenSettings, "host" | "port">,
  url: URL = entryUrl("server"),
): ListenerWorker {
  requireWorkerOptions();
  const none = { read: false, write: false, run: false, env: false, sys: false, ffi: false, import: false };
  const net = [hostAndPort(host, port)];
  const worker = new Worker(url, { type: "module", deno: { permissions: { ...none, net } } });
  const early: FromListener[] = [];
  worker.onmessage = ({ data }: MessageEvent<FromListener>) => void early.push(data);
  return { worker, early };
}
