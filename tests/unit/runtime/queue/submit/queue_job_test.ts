import { assertEquals } from "@std/assert";

import type { QueueEngine } from "../../../../../runtime/queue/contract/engine.ts";
import type { WorkerCard } from "../../../../../runtime/queue/orders/orders.ts";
import { readOrder, toBody } from "../../../../../runtime/queue/orders/read_orders.ts";
import { QueueJob } from "../../../../../runtime/queue/submit/queue_job.ts";
import { WorkerBoard } from "../../../../../runtime/queue/submit/worker_board.ts";
import { natsTest } from "../../../../support/queue/nats_server.ts";
import { queueScene } from "../../../../support/queue/queue_scene.ts";

const CARD: WorkerCard = {
  ...{ v: 1, worker: "w", lane: "a", version: "1", host: "h", pid: 1, started: "now", policy: "coder" },
  ...{ grants: [], hasSandbox: true, tools: [{ name: "harness/Read", parallel: true }], agents: [] },
  ...{ models: [], places: 1, busy: 0, done: 0, failed: 0, isLeaving: false },
};
const SETTINGS = { job: "j", client: "me", workerMs: 60_000, onWait() {} };

/** Submits a line of a job and answers it; says what its order says of having been in the queue. */
async function isNewOrder(engine: QueueEngine, number: number): Promise<boolean> {
  await using board = new WorkerBoard(engine);
  await board.first;
  await using job = await QueueJob.open({ engine, board }, "calls", SETTINGS);
  const answer = job.answer({
    ...{ id: number, number, work: { kind: "call", tool: "Read", arguments: {} } },
    terms: { tries: 3, retriesUnsafe: false, isWatched: false },
  }, { signal: new AbortController().signal });
  const orders = engine.take("a", { places: 1, leaseMs: 30_000 });
  const { value: taken } = await orders.next();
  const { digest, terms } = readOrder(taken!.body);
  const body = toBody({ v: 1, digest, worker: "w", result: null, task: { ok: true }, files: [] });
  await engine.finish(taken!, body, { declined: false, dead: null });
  assertEquals((await answer).task, { ok: true });
  await orders.return?.();
  return terms.isNew;
}

natsTest("an order is new only if no earlier submitter may have put it into the queue", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  await engine.announce("w", toBody(CARD));
  assertEquals(await isNewOrder(engine, 1), true);
  assertEquals(await isNewOrder(engine, 2), false);
});
