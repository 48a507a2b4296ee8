import { entryUrl } from "../self/entry_urls.ts";
import { type EarlyWorker, startEarlyWorker } from "../self/net_worker.ts";
import { hostAndPort } from "../walls/net/read_host.ts";
import type { FromListener, ListenSettings } from "./contract/protocol.ts";

/** The worker that listens. */
export type ListenerWorker = EarlyWorker<FromListener>;

/**
 * Starts the worker of a server over HTTP. It holds no permission but to listen on its port. Needs `net` for the host and
 * port until it has started.
 */
export function startListener(
  { host, port }: Pick<ListenSettings, "host" | "port">,
  url: URL = entryUrl("server"),
): ListenerWorker {
  return startEarlyWorker(url, [hostAndPort(host, port)]);
}
