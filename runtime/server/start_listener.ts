import { entryUrl } from "../self/entry_urls.ts";
import { type EarlyWorker, startEarlyWorker } from "../self/net_worker.ts";
import { hostAndPort } from "../walls/net/read_host.ts";
import type { FromListener, ListenSettings } from "./contract/protocol.ts";

/** The worker that listens. */
export type ListenerWorker = EarlyWorker<FromListener>;

/**
 * Starts the worker of a server over HTTP. It holds no permission but to listen on its port, and with TLS on the one behind
 * it. Needs `net` for them until it has started.
 */
export function startListener(
  { host, port, tls }: Pick<ListenSettings, "host" | "port" | "tls">,
  url: URL = entryUrl("server"),
): ListenerWorker {
  return startEarlyWorker(url, [hostAndPort(host, port), ...tls ? [hostAndPort("127.0.0.1", tls.port)] : []]);
}
