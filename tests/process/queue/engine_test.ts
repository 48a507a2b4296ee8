import { assertEquals, assertRejects } from "@std/assert";

import type {
  EngineSettings,
  OrderOutcome,
  QueueEngine,
  TakenOrder,
} from "../../../runtime/queue/contract/engine.ts";
import type { WorkerCard } from "../../../runtime/queue/orders/orders.ts";
import { readOrder, toBody } from "../../../runtime/queue/orders/read_orders.ts";
import { QueueJob } from "../../../runtime/queue/submit/queue_job.ts";
import { WorkerBoard } from "../../../runtime/queue/submit/worker_board.ts";
import { ToolError } from "../../../schemas/error.ts";
import { type NatsServerOptions, natsTest, startNatsServer } from "../../support/queue/nats_server.ts";
import { certificates } from "../../support/net/certificates.ts";
import { makeNatsAccount } from "../../support/queue/nats_account.ts";
import { assertLane, bytes, openOn, queueScene, takeItems, textOf } from "../../support/queue/queue_scene.ts";

const PLACE = { job: "j", number: 1, lane: "a" };
const NAMES = ["plain.txt", "../../etc/passwd", "a.b.>", "*", "", " ", "x\r\nPUB y 0\r\n", "é".repeat(3_000)];

natsTest("openEngine() says what a server or its user lacks", async () => {
  const user = 'authorization { users: [{ user: u, password: p, permissions: { publish: "x.>" } }] }\n';
  const { ca, cert, key } = await certificates();
  const folder = Deno.makeTempDirSync({ prefix: "bulkhead-nats-tls-" });
  for (const [name, pem] of Object.entries({ cert, key })) Deno.writeTextFileSync(`${folder}/${name}`, pem);
  const tls = `tls { cert_file: "${folder}/cert", key_file: "${folder}/key" }\n`;
  const cases: [NatsServerOptions, Partial<EngineSettings>, code: string, message: string][] = [
    [{}, { tls: { ca } }, "external_failure", "it offers no TLS, write nats:// for a queue without it"],
    [{ config: tls }, {}, "external_failure", "it wants TLS, write tls:// for it"],
    [{ args: [] }, {}, "external_failure", "its JetStream is not enabled, start it with nats-server -js"],
    [
      { config: user },
      { credentials: { kind: "user", user: "u", password: "p" } },
      "external_failure",
      'does not let this user write to "$JS.API.',
    ],
    [
      { config: makeNatsAccount().config },
      { credentials: { kind: "creds", text: "secret-4711" } },
      "unauthenticated",
      "holds no JWT with its seed",
    ],
  ];
  for (const [options, settings, code, message] of cases) {
    await using server = await startNatsServer(options);
    const error = await assertRejects(() => openOn([server], settings), ToolError, message);
    assertEquals([error.code, error.message.includes("4711")], [code, false], message);
  }
  Deno.removeSync(folder, { recursive: true });
});

natsTest("openEngine() finds an engine that comes a moment later", async () => {
  await using server = await startNatsServer();
  await server.kill();
  const opening = openOn([server]);
  await server.restart();
  await using engine = await opening;
  assertEquals(await engine.submit(PLACE, bytes("x")), "taken");
});

natsTest("putBlob() and getBlob() keep files of any name apart", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  for (const [at, name] of NAMES.entries()) await engine.putBlob(PLACE, name, bytes(`file ${at}`));
  for (const [at, name] of NAMES.entries()) {
    assertEquals(textOf((await engine.getBlob(PLACE, name))!), `file ${at}`);
  }
  assertEquals(await engine.getBlob(PLACE, "other"), null);
  assertEquals(await engine.getBlob({ ...PLACE, number: 2 }, "plain.txt"), null);
});

const ORDER = { job: "j", number: 1, lane: "a", handle: 0, isFirst: true, body: new Uint8Array(0) };

natsTest("begin() lets one of many begin an order once", async () => {
  await using scene = await queueScene();
  const engines = await Promise.all([1, 2, 3, 4].map(() => scene.open()));
  for (let number = 1; number <= 10; number++) {
    const answers = await Promise.all(
      engines.map((engine, at) => engine.begin({ ...ORDER, number }, by(`w${at}`), { once: true })),
    );
    const winner = answers.findIndex((before) => before.length === 0);
    const expected = answers.map((_, at) => at === winner ? [] : [by(`w${winner}`)]);
    assertEquals(answers, expected);
  }
});

natsTest("begin() returns all that began before, the oldest first", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => engine.begin(ORDER, by(`w${at}`), { once: false })),
  );
  assertEquals(answers.map(({ length }) => length).toSorted(), [0, 1, 2, 3, 4, 5, 6, 7]);
  const longest = answers.find(({ length }) => length === 7)!;
  for (const before of answers) assertEquals(before, longest.slice(0, before.length));
  assertEquals((await engine.begin(ORDER, by("late"), { once: true })).length, 8);
  assertEquals((await engine.begin(ORDER, by("later"), { once: true })).length, 8);
  for (let at = 8; at < 25; at++) await engine.begin(ORDER, by(`w${at}`), { once: false });
  const before = await engine.begin(ORDER, by("last"), { once: true });
  assertEquals(before.length, 20);
  assertEquals(before.at(-1), by("w24"));
});

natsTest("cards() gives the cards of all workers, and again after each change", async () => {
  await using scene = await queueScene();
  const [client, worker] = [await scene.open(), await scene.open()];
  await worker.announce("w.*>\r\n 1", bytes("one"));
  const cards = client.cards();
  const next = async () => (await takeItems(cards, 1))[0]!.map(textOf).toSorted();
  assertEquals(await next(), ["one"]);
  await worker.announce("w2", bytes("two"));
  assertEquals(await next(), ["one", "two"]);
  await worker.announce("w2", bytes("two"));
  await worker.announce("w2", bytes("two, busy"));
  assertEquals(await next(), ["one", "two, busy"]);
  const change = next();
  await worker.leave("w.*>\r\n 1");
  assertEquals(await change, ["two, busy"]);
  await worker.leave("w2");
  assertEquals(await next(), []);
});

natsTest("openJob() makes a job once, whoever asks", async () => {
  await using scene = await queueScene();
  const engines = await Promise.all([1, 2, 3].map(() => scene.open()));
  const answers = await Promise.all(engines.map((engine, at) => engine.openJob("j", record(`c${at}`))));
  const winner = answers.indexOf(null);
  assertEquals(answers, answers.map((_, at) => at === winner ? null : record(`c${winner}`)));
  const { jobs } = await engines[0]!.status();
  assertEquals(jobs, [{ job: "j", ...record(`c${winner}`) }]);
});

natsTest("cancelJob() marks a job, tells workers, and removes its orders", async () => {
  await using scene = await queueScene();
  const [client, worker] = [await scene.open(), await scene.open()];
  for (const job of ["old", "j", "k"]) await client.openJob(job, record("c"));
  await client.cancelJob("old");
  await client.cancelJob("unknown");
  const cancelled = worker.cancelled();
  assertEquals(await takeItems(cancelled, 1), ["old"]);
  for (const job of ["j", "k"]) await client.submit({ job, number: 1, lane: "a" }, bytes(job));
  const next = cancelled.next();
  await client.cancelJob("j");
  assertEquals((await next).value, "j");
  const [taken] = await takeItems(worker.take("a", { places: 2, leaseMs: 10_000 }), 1);
  assertEquals(taken!.job, "k");
  const { jobs, lanes } = await client.status();
  assertEquals(jobs.map(({ job, isCancelled }) => [job, isCancelled]).toSorted(), [
    ["j", true],
    ["k", false],
    ["old", true],
  ]);
  assertEquals(lanes, [{ lane: "a", waiting: 0, taken: 1 }]);
  assertEquals((await client.openJob("j", record("again")))?.isCancelled, true);
});

function record(client: string) {
  return { digest: "d", client, started: "2026-01-01T00:00:00Z", isCancelled: false };
}

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
  assertEquals(await engine.openJob("j", record("c")), null);
  assertEquals(await engine.begin(order(1), by("w2"), { once: true }), []);
  assertEquals(await engine.getBlob(order(1), "file"), null);
  await assertLane(engine, { waiting: 1, taken: 0 });
  assertEquals((await takeItems(engine.outcomes("k"), 2)).map(shown), ["k", null]);
  assertEquals(await engine.begin({ ...order(1), job: "k" }, by("w2"), { once: true }), [by("w")]);
  assertEquals(textOf((await engine.getBlob({ ...order(1), job: "k" }, "file"))!), "k");
});

async function fill(engine: QueueEngine, job: string): Promise<void> {
  const taken = { ...order(1), job };
  await engine.openJob(job, record("c"));
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
