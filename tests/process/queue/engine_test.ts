import { assertEquals, assertRejects } from "@std/assert";

import type { EngineSettings, QueueEngine } from "../../../runtime/queue/contract/engine.ts";
import type { WorkerCard } from "../../../runtime/queue/orders/orders.ts";
import { readOrder, toBody } from "../../../runtime/queue/orders/read_orders.ts";
import { QueueJob } from "../../../runtime/queue/submit/queue_job.ts";
import { WorkerBoard } from "../../../runtime/queue/submit/worker_board.ts";
import { ToolError } from "../../../schemas/error.ts";
import { type NatsServerOptions, natsTest, startNatsServer } from "../../support/queue/nats_server.ts";
import { certificates } from "../../support/net/certificates.ts";
import { makeNatsAccount } from "../../support/queue/nats_account.ts";
import {
  begunBy,
  bytes,
  jobRecord,
  openOn,
  queueScene,
  takeItems,
  textOf,
} from "../../support/queue/queue_scene.ts";

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
      engines.map((engine, at) => engine.begin({ ...ORDER, number }, begunBy(`w${at}`), { once: true })),
    );
    const winner = answers.findIndex((before) => before.length === 0);
    const expected = answers.map((_, at) => at === winner ? [] : [begunBy(`w${winner}`)]);
    assertEquals(answers, expected);
  }
});

natsTest("begin() returns all that began before, the oldest first", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => engine.begin(ORDER, begunBy(`w${at}`), { once: false })),
  );
  assertEquals(answers.map(({ length }) => length).toSorted(), [0, 1, 2, 3, 4, 5, 6, 7]);
  const longest = answers.find(({ length }) => length === 7)!;
  for (const before of answers) assertEquals(before, longest.slice(0, before.length));
  assertEquals((await engine.begin(ORDER, begunBy("late"), { once: true })).length, 8);
  assertEquals((await engine.begin(ORDER, begunBy("later"), { once: true })).length, 8);
  for (let at = 8; at < 25; at++) await engine.begin(ORDER, begunBy(`w${at}`), { once: false });
  const before = await engine.begin(ORDER, begunBy("last"), { once: true });
  assertEquals(before.length, 20);
  assertEquals(before.at(-1), begunBy("w24"));
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
  const answers = await Promise.all(engines.map((engine, at) => engine.openJob("j", jobRecord(`c${at}`))));
  const winner = answers.indexOf(null);
  assertEquals(answers, answers.map((_, at) => at === winner ? null : jobRecord(`c${winner}`)));
  const { jobs } = await engines[0]!.status();
  assertEquals(jobs, [{ job: "j", ...jobRecord(`c${winner}`) }]);
});

natsTest("cancelJob() marks a job, tells workers, and removes its orders", async () => {
  await using scene = await queueScene();
  const [client, worker] = [await scene.open(), await scene.open()];
  for (const job of ["old", "j", "k"]) await client.openJob(job, jobRecord("c"));
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
  assertEquals((await client.openJob("j", jobRecord("again")))?.isCancelled, true);
});

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
