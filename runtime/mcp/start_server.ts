import { entryUrl } from "../self/entry_urls.ts";
import { type EarlyWorker, startEarlyWorker } from "../self/net_worker.ts";
import type { FromServer, ServeWay } from "./protocol.ts";

/** The worker that speaks with clients. */
export type ServerWorker = EarlyWorker<FromServer>;

/**
 * Starts the worker of a server. It holds no permission but to listen on its port. Needs `net` for the port until it
 * has started.
 */
export function startServer(way: ServeWay, url: URL = entryUrl("mcp")): ServerWorker {
  return startEarlyWorker(url, way.kind === "http" ? [`127.0.0.1:${way.port}`] : false);
}
