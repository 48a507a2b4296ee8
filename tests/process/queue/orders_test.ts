import { assertEquals, assertRejects } from "@std/assert";

import type { OrderOutcome, QueueEngine, TakenOrder } from "../../../runtime/queue/contract/engine.ts";
import { ToolError } from "../../../schemas/error.ts";
import { natsTest } from "../../support/queue/nats_server.ts";
import {
  assertLane,
  begunBy,
  bytes,
  jobRecord,
  queueScene,
  takeItems,
  textOf,
} from "../../support/queue/queue_scene.ts";

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

natsTest("removeJob() forgets outcomes, beginnings and orders, and nothing of other jobs", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  for (const job of ["j", "k"]) await fill(engine, job);
  await engine.removeJob("j");
  assertEquals(await takeItems(engine.outcomes("j"), 1), [null]);
  assertEquals(await engine.openJob("j", jobRecord("c")), null);
  assertEquals(await engine.begin(order(1), begunBy("w2"), { once: true }), []);
  assertEquals(await engine.getBlob(order(1), "file"), null);
  await assertLane(engine, { waiting: 1, taken: 0 });
  assertEquals((await takeItems(engine.outcomes("k"), 2)).map(shown), ["k", null]);
  assertEquals(await engine.begin({ ...order(1), job: "k" }, begunBy("w2"), { once: true }), [begunBy("w")]);
  assertEquals(textOf((await engine.getBlob({ ...order(1), job: "k" }, "file"))!), "k");
});

async function fill(engine: QueueEngine, job: string): Promise<void> {
  const taken = { ...order(1), job };
  await engine.openJob(job, jobRecord("c"));
  await engine.submit({ job, number: 2, lane: "a" }, bytes("x"));
  await engine.begin(taken, begunBy("w"), { once: false });
  await engine.finish(taken, bytes(job), DONE);
  await engine.putBlob(taken, "file", bytes(job));
}

/** An order as if it was taken: outcomes do not depend on who has it. */
function order(number: number): TakenOrder {
  return { job: "j", number, lane: "a", handle: 0, isFirst: true, body: new Uint8Array(0) };
}

function shown(outcome: OrderOutcome | null): string | null {
  return outcome && textOf(outcome.body);
}

const LEASE = { places: 10, leaseMs: 10_000 };

natsTest("submit() says what the queue holds already, taken or not", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  const place = { job: "j", number: 7, lane: "a" };
  assertEquals(await engine.submit(place, bytes("first")), "taken");
  assertEquals(await engine.submit(place, bytes("second")), "known");
  const [taken] = await takeItems(engine.take("a", LEASE), 1);
  assertEquals(textOf(taken!.body), "first");
  assertEquals(await engine.submit(place, bytes("third")), "known");
  assertEquals(await engine.submit({ ...place, lane: "b" }, bytes("other lane")), "taken");
});

natsTest("submit() takes no more than the queue may hold, until some are gone", async () => {
  await using scene = await queueScene();
  const engine = await scene.open({ mostOrders: 3 });
  const submit = (number: number) => engine.submit({ job: "j", number, lane: "a" }, bytes("x"));
  const answers = await Promise.all([1, 2, 3, 4, 5].map(submit));
  assertEquals(answers.toSorted(), ["full", "full", "taken", "taken", "taken"]);
  assertEquals(await submit(1 + answers.indexOf("taken")), "known");
  await engine.recall({ job: "j", number: 1 + answers.indexOf("taken"), lane: "a" });
  assertEquals(await submit(9), "taken");
  assertEquals(await submit(10), "full");
});

natsTest("recall() removes an order that waits", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  for (const number of [1, 2]) await engine.submit({ job: "j", number, lane: "a" }, bytes(`${number}`));
  await engine.recall({ job: "j", number: 1, lane: "a" });
  const [taken] = await takeItems(engine.take("a", LEASE), 1);
  assertEquals(taken!.number, 2);
  await assertLane(engine, { waiting: 0, taken: 1 });
});

natsTest("submit() refuses names that would be more than one word of a subject", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  const hostile = [
    { job: "a.b", number: 1, lane: "a" },
    { job: "*", number: 1, lane: "a" },
    { job: ">", number: 1, lane: "a" },
    { job: "", number: 1, lane: "a" },
    { job: "x\r\nPUB bh.job.y 0\r\n", number: 1, lane: "a" },
    { job: "j".repeat(65), number: 1, lane: "a" },
    { job: "j", number: 0, lane: "a" },
    { job: "j", number: 1.5, lane: "a" },
    { job: "j", number: 1, lane: "A" },
    { job: "j", number: 1, lane: "a.>" },
  ];
  for (const place of hostile) {
    const error = await assertRejects(() => engine.submit(place, bytes("x")), ToolError);
    assertEquals(error.code, "invalid_input", JSON.stringify(place));
  }
  assertEquals((await engine.status()).lanes.map(({ waiting }) => waiting).filter((count) => count > 0), []);
});

natsTest("take() gives the oldest orders first, and no more at once than there are places", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  await submitMany(engine, 30);
  const orders = engine.take("a", { places: 4, leaseMs: 10_000 });
  const given: number[] = [];
  while (given.length < 30) {
    const taken = await takeItems(orders, Math.min(4, 30 - given.length));
    given.push(...taken.map(({ number }) => number));
    // Not one more is on its way, though it asks for the next.
    const next = orders.next();
    await assertLane(engine, { waiting: 30 - given.length, taken: taken.length });
    await Promise.all(taken.map((order) => engine.finish(order, bytes("ok"), DONE)));
    if (given.length < 30) {
      const { value } = await next;
      given.push(value.number);
      await engine.finish(value, bytes("ok"), DONE);
    }
  }
  assertEquals(given, Array.from({ length: 30 }, (_, at) => at + 1));
  await assertLane(engine, { waiting: 0, taken: 0 });
});

natsTest("giveBack() lets others take an order at once", async () => {
  await using scene = await queueScene();
  const [first, second] = [await scene.open(), await scene.open()];
  await submitMany(first, 1);
  const lease = { places: 1, leaseMs: 60_000 };
  const orders = first.take("a", lease);
  const [taken] = await takeItems(orders, 1);
  await orders.return!();
  const next = second.take("a", lease).next();
  await first.giveBack(taken!);
  const { number, isFirst } = (await next).value;
  assertEquals([taken!.isFirst, number, isFirst], [true, 1, false]);
});

natsTest("take() leaves what nobody has asked it for to others when it is returned", async () => {
  await using scene = await queueScene();
  const [first, second] = [await scene.open(), await scene.open()];
  await submitMany(first, 5);
  const lease = { places: 5, leaseMs: 60_000 };
  const orders = first.take("a", lease);
  const [taken] = await takeItems(orders, 1);
  await orders.return!();
  assertEquals(await orders.next(), { done: true, value: undefined });
  const others = await takeItems(second.take("a", lease), 4);
  assertEquals(others.map(({ number }) => number).toSorted(), [2, 3, 4, 5]);
  assertEquals(await first.finish(taken!, bytes("ok"), DONE), "kept");
});

natsTest("take() gives nothing that has come out already", async () => {
  await using scene = await queueScene();
  const [first, second] = [await scene.open(), await scene.open()];
  await submitMany(first, 2);
  const [, order] = await takeItems(first.take("a", { places: 2, leaseMs: 60_000 }), 2);
  // The outcome is kept, but the order was not let go: its worker was lost in between.
  await first.finish({ ...order!, handle: 999 }, bytes("ok"), DONE);
  await first[Symbol.asyncDispose]();
  const others = second.take("a", { places: 2, leaseMs: 60_000 });
  assertEquals((await others.next()).value!.number, 1);
  await second.submit({ job: "j", number: 3, lane: "a" }, bytes("x"));
  assertEquals((await others.next()).value!.number, 3);
});

async function submitMany(engine: QueueEngine, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await engine.submit({ job: "j", number, lane: "a" }, bytes(`${number}`));
  }
}
