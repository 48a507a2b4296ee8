import { assertEquals } from "@std/assert";

import type {
  OrderOutcome,
  QueueEngine,
  TakenOrder,
} from "../../../../../../../runtime/queue/contract/engine.ts";
import { natsTest } from "../../../../../../support/queue/nats_server.ts";
import {
  assertLane,
  bytes,
  queueScene,
  takeItems,
  textOf,
} from "../../../../../../support/queue/queue_scene.ts";

const DONE = { declined: false, dead: null };
const DECLINED = { declined: true, dead: null };

natsTest("finish() keeps the first outcome, whoever comes second", async () => {
  await using scene = await queueScene();
  const engines = await Promise.all([1, 2, 3, 4].map(() => scene.open()));
  const answers = await Promise.all(
    engines.map((engine, at) => engine.finish(order(1), bytes(`${at}`), DONE)),
  );
  assertEquals(answers.toSorted(), ["kept", "known", "known", "known"]);
  const [outcome] = await takeItems(engines[0]!.outcomes("j"), 1);
  assertEquals(textOf(outcome!.body), String(answers.indexOf("kept")));
});

natsTest("outcomes() gives what is there, a mark, and what comes, in that order", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  for (const number of [3, 1, 2]) await engine.finish(order(number), bytes(`${number}`), DONE);
  await engine.finish({ ...order(1), job: "other" }, bytes("x"), DONE);
  const outcomes = engine.outcomes("j");
  assertEquals((await takeItems(outcomes, 4)).map(shown), ["3", "1", "2", null]);
  const next = outcomes.next();
  await engine.finish(order(9), bytes("9"), DONE);
  assertEquals(shown((await next).value), "9");
  const waiting = outcomes.next();
  await outcomes.return!();
  assertEquals((await waiting).done, true);
  assertEquals(await takeItems(engine.outcomes("none"), 1), [null]);
});

natsTest("finish() keeps that a lane leaves an order to others, until it has come out", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  assertEquals(await engine.finish(order(1), bytes("not here"), DECLINED), "kept");
  assertEquals(await engine.finish({ ...order(1), lane: "b" }, bytes("done"), DONE), "kept");
  assertEquals(await engine.finish({ ...order(1), lane: "c" }, bytes("no"), DECLINED), "known");
  const all = await takeItems(engine.outcomes("j"), 3);
  assertEquals(all.map((outcome) => outcome && [outcome.declinedBy, shown(outcome)]), [
    ["a", "not here"],
    [null, "done"],
    null,
  ]);
});

natsTest("finish() and outcomes() carry bodies that no message can hold", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  const body = new Uint8Array(5 * 1024 * 1024).fill(7);
  assertEquals(await engine.finish(order(1), body, DONE), "kept");
  assertEquals(await engine.finish(order(1), body, DONE), "known");
  const [outcome] = await takeItems(engine.outcomes("j"), 1);
  assertEquals([outcome!.body.length, outcome!.body.every((byte) => byte === 7)], [body.length, true]);
});

natsTest("finish() keeps dead letters with their reason", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  const reason = 'failed 3 times:\r\n"no" ✗';
  await engine.finish(order(4), bytes("x"), { declined: false, dead: reason });
  await engine.finish(order(4), bytes("x"), { declined: false, dead: "again" });
  const { dead: { count, newest }, outcomes } = await engine.status();
  assertEquals([count, outcomes], [1, 1]);
  assertEquals(newest.map(({ time: _, ...letter }) => letter), [{ job: "j", number: 4, reason }]);
});

natsTest("removeJob() forgets outcomes, beginnings and orders, and nothing of other jobs", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  for (const job of ["j", "k"]) await fill(engine, job);
  await engine.removeJob("j");
  assertEquals(await takeItems(engine.outcomes("j"), 1), [null]);
  assertEquals(await engine.openJob("j", record()), null);
  assertEquals(await engine.begin(order(1), by("w2"), { once: true }), []);
  assertEquals(await engine.getBlob(order(1), "file"), null);
  await assertLane(engine, { waiting: 1, taken: 0 });
  assertEquals((await takeItems(engine.outcomes("k"), 2)).map(shown), ["k", null]);
  assertEquals(await engine.begin({ ...order(1), job: "k" }, by("w2"), { once: true }), [by("w")]);
  assertEquals(textOf((await engine.getBlob({ ...order(1), job: "k" }, "file"))!), "k");
});

async function fill(engine: QueueEngine, job: string): Promise<void> {
  const taken = { ...order(1), job };
  await engine.openJob(job, record());
  await engine.submit({ job, number: 2, lane: "a" }, bytes("x"));
  await engine.begin(taken, by("w"), { once: false });
  await engine.finish(taken, bytes(job), DONE);
  await engine.putBlob(taken, "file", bytes(job));
}

/** An order as if it was taken: outcomes do not depend on who has it. */
function order(number: number): TakenOrder {
  return { job: "j", number, lane: "a", handle: 0, isFirst: true, body: new Uint8Array(0) };
}

function by(worker: string) {
  return { worker, time: "2026-01-01T00:00:00Z" };
}

function record() {
  return { digest: "d", client: "c", started: "2026-01-01T00:00:00Z", isCancelled: false };
}

function shown(outcome: OrderOutcome | null): string | null {
  return outcome && textOf(outcome.body);
}
