import { CallMachines } from "../../../server/calls/call_machines.ts";
import { cardFacts } from "../../../queue/work/worker_card.ts";
import { work } from "../../../queue/work/worker.ts";
import { giveUpSetup } from "../../../host/give_up.ts";
import { DEFAULT_PARALLEL } from "../../../host/host_settings.ts";
import { shownQueue } from "../../../queue/address/read_queue_url.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import { plural } from "../../../text/plural.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { type Io, printError } from "../../io/io.ts";
import { WorkMetrics } from "../../../telemetry/metrics/work_metrics.ts";
import { openRuns } from "../../../server/runs/open_runs.ts";
import { servedWith } from "../../../server/requests/metrics_handler.ts";
import { countOrders, serveMetrics } from "./serve_metrics.ts";
import { servedBy } from "../../setup/served_by.ts";
import { openQueue } from "./queue_link.ts";

/** How long the place of a job stays open for its next order, in milliseconds. */
const IDLE_MS = 10_000;

/** `worker`: does what a queue has to do, until it is told to end. */
export async function workerCommand({ options }: Invocation, io: Io): Promise<number> {
  const { queue, lease = 30, drain = 30, quiet } = options;
  const places = options.maxParallel ?? DEFAULT_PARALLEL;
  const say = (text: string) => quiet ? Promise.resolve() : printError(io, `bulkhead: ${onOneLine(text)}\n`);
  const metrics = new WorkMetrics();
  const given = await servedBy({ ...options, maxRuns: places }, { io, secrets: [], apiRunsDir: null });
  const served = servedWith(metrics, given);
  const count = countOrders(metrics);
  await using engine = await openQueue(queue, options, io);
  await using machines = new CallMachines(served, { most: 2 * places, idleMs: IDLE_MS });
  await using runs = openRuns(served);
  const card = await cardFacts(served, machines, { places, signal: io.interrupt });
  await say(
    `worker ${card.worker} takes ${places} at once from ${shownQueue(queue!)}: ${
      plural(card.tools.length, "tool")
    }, policy ${card.policy}`,
  );
  const ended = new AbortController();
  const told = options.port === undefined
    ? null
    : serveMetrics({ metrics, served }, { options, io, signal: ended.signal });
  giveUpSetup(io.process);
  await work({
    ...{ engine, machines, runs, served, card, worker: card.worker },
    onDone({ order: { job, number }, error, ms }) {
      count.add(error?.code ?? "ok");
      void say(`${job} ${number} ${error === null ? "ok" : error.code} ${Math.round(ms)} ms`);
    },
  }, { leaseMs: lease * 1_000, drainMs: drain * 1_000, signal: io.interrupt });
  ended.abort();
  await told;
  return 0;
}
