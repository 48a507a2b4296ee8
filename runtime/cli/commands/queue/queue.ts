import { ToolError } from "../../../../schemas/error.ts";
import type { QueueEngine } from "../../../queue/contract/engine.ts";
import { WorkerBoard } from "../../../queue/submit/worker_board.ts";
import { jsonLine } from "../../../text/json_line.ts";
import { sleep } from "../../../wait/sleep.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { type Io, print } from "../../io/io.ts";
import { openQueue } from "./queue_link.ts";
import { type QueueLook, renderQueue } from "../../show/render_queue.ts";

/** Between two looks, whose difference is a rate, in milliseconds. */
const RATE_MS = 1_000;

/** `queue status|cancel|rm URL [JOB]`. */
export async function queueCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [action, url, job = ""] = positionals;
  await using engine = await openQueue(url, options, io);
  if (action === "status") {
    const look = await lookAt(engine, io.interrupt);
    await print(io, options.json ? jsonLine(look) : renderQueue(look, io.stdoutWidth()));
    return 0;
  }
  const { jobs } = await engine.status();
  if (jobs.every((known) => known.job !== job)) {
    throw new ToolError(
      "not_found",
      `The queue has no job ${JSON.stringify(job)}, see: bulkhead queue status URL`,
    );
  }
  if (action === "cancel") await engine.cancelJob(job);
  else await engine.removeJob(job);
  return 0;
}

/** Looks twice: rates are differences. */
async function lookAt(engine: QueueEngine, signal: AbortSignal): Promise<QueueLook> {
  await using board = new WorkerBoard(engine);
  const first = await engine.status();
  const begun = performance.now();
  await sleep(RATE_MS, signal);
  const status = await engine.status();
  await board.first;
  const seconds = (performance.now() - begun) / 1_000;
  const rate = Math.round((status.outcomes - first.outcomes) / seconds * 10) / 10;
  return { v: 1, ...status, outcomes_per_second: rate, workers: board.all };
}
