import { ToolError } from "../../../schemas/error.ts";
import { Counter, Gauge, Total } from "../../telemetry/metrics/metrics.ts";
import { OPEN_METRICS } from "../../telemetry/metrics/open_metrics.ts";
import type { WorkMetrics } from "../../telemetry/metrics/work_metrics.ts";
import { tellAll } from "../../telemetry/telemetry.ts";
import type { Handler, Handlers, Request } from "../contract/answer.ts";
import type { Served } from "../contract/served.ts";
import type { Runs } from "../runs/runs.ts";

/** Lets metrics hear of all that a server does, beside who hears of it already. */
export function servedWith(metrics: WorkMetrics, served: Served): Served {
  const { host } = served;
  const { telemetry } = host.control;
  const all = tellAll([metrics, ...telemetry ? [telemetry] : []]);
  return { ...served, host: { ...host, control: { ...host.control, telemetry: all } } };
}

/** Adds `/metrics` to what a server answers, and counts all requests that reach one of its operations. */
export function withMetrics(
  handlers: Handlers,
  { metrics, served, runs }: { metrics: WorkMetrics; served: Served; runs: Pick<Runs, "queued"> },
): Handlers {
  let connections = 0;
  const requests = new Counter({
    name: "bulkhead_http_requests",
    help: "Requests that reached an operation, by what it answered: ok, or the code of its error.",
    labels: ["operation", "outcome"],
  });
  metrics.add(
    requests,
    new Gauge({ name: "bulkhead_http_connections", help: "Connections that are open." }, () => connections),
    new Gauge({ name: "bulkhead_runs_queued", help: "Runs that wait for their turn." }, () => runs.queued),
    new Total(
      { name: "bulkhead_spans_dropped", help: "Spans of traces that could not be delivered." },
      () => served.host.control.telemetry?.lost() ?? 0,
    ),
  );
  const getMetrics = (request: Request) => {
    connections = request.connections;
    const bytes = new TextEncoder().encode(metrics.text());
    return { bytes: { bytes, type: OPEN_METRICS } };
  };
  const counted = ([operation, handler]: [string, Handler]): [string, Handler] => [
    operation,
    async (request) => {
      try {
        const answer = await handler(request);
        requests.add(1, operation, "ok");
        return answer;
      } catch (error) {
        requests.add(1, operation, error instanceof ToolError ? error.code : "internal");
        throw error;
      }
    },
  ];
  return Object.fromEntries(Object.entries<Handler>({ ...handlers, getMetrics }).map(counted));
}
