import { Counter } from "../../../telemetry/metrics/metrics.ts";
import type { WorkMetrics } from "../../../telemetry/metrics/work_metrics.ts";
import { serveApi } from "../../../server/serve_api.ts";
import { startListener } from "../../../server/start_listener.ts";
import { withMetrics } from "../../../server/requests/metrics_handler.ts";
import type { Served } from "../../../server/contract/served.ts";
import type { Options } from "../../args/options/option_table.ts";
import { type Io, printError } from "../../io/io.ts";
import { serverToken } from "../../setup/server_token.ts";
import { listenSettings } from "../serve/listen_settings.ts";
import { TOKEN_VARIABLE } from "../serve/serve.ts";

/** What counts a worker's orders. */
export interface OrderCount {
  /** @param outcome `ok`, or the code of the error */
  add(outcome: string): void;
}

/** Counts orders among the metrics of a worker. */
export function countOrders(metrics: WorkMetrics): OrderCount {
  const orders = new Counter({
    name: "bulkhead_orders",
    help: "Orders of a queue that have come out here: ok, or the code of the error.",
    labels: ["outcome"],
  });
  metrics.add(orders);
  return { add: (outcome) => orders.add(1, outcome) };
}

/**
 * Answers `/health`, and `/metrics` with the token, until the signal aborts. Needs `net` for the port until it has started.
 *
 * @returns What settles when nothing is served any more
 */
export function serveMetrics(
  { metrics, served }: { metrics: WorkMetrics; served: Served },
  { options, io, signal }: { options: Options; io: Io; signal: AbortSignal },
): Promise<unknown> {
  const { token, isOwn } = serverToken(TOKEN_VARIABLE, io);
  const settings = listenSettings(options, token, io);
  const say = (text: string) => options.quiet ? Promise.resolve() : printError(io, `bulkhead: ${text}\n`);
  return serveApi(startListener(settings), {
    ...{ settings, signal },
    handlers: withMetrics({}, { metrics, served, runs: { queued: 0 } }),
    onReady: (port) =>
      void say(`metrics on http://${settings.host}:${port}/metrics${isOwn ? "" : `, token ${token}`}`),
    warn: (message) => void say(message),
  }).then(async (failure) => {
    if (failure !== null) await say(`no metrics: ${failure.message}`);
  });
}
