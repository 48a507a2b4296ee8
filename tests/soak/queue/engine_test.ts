import { assertEquals, assertRejects } from "@std/assert";

import type { LinkState, QueueEngine, TakenOrder } from "../../../runtime/queue/contract/engine.ts";
import { ToolError } from "../../../schemas/error.ts";
import { natsTest, startNatsCluster, startNatsServer } from "../../support/queue/nats_server.ts";
import {
  assertLane,
  begunBy,
  bytes,
  jobRecord,
  openOn,
  queueScene,
  takeItems,
} from "../../support/queue/queue_scene.ts";

const DONE = { declined: false, dead: null };
const ORDERS = 300;
const PLACE = { job: "j", number: 1, lane: "a" };

natsTest("every verb waits out a crash of the engine, and nothing is lost or doubled", async () => {
  await using scene = await queueScene();
  const states: LinkState[] = [];
  const client = await scene.open({}, (state) => void states.push(state));
  const workers = [await scene.open(), await scene.open()];
  const crash = async () => {
    await scene.server.kill();
    await scene.server.restart();
  };
  const { outcomes, begun } = await moveOrders(client, workers, { at: [60, 150, 240], crash });
  assertEquals(outcomes, everyNumber());
  assertEquals(begun, everyNumber());
  // What comes out last may have come before the last crash: an answer shows that the link is there again.
  await client.status();
  assertEquals(states.map(({ isUp }) => isUp), [true, false, true, false, true, false, true]);
});

natsTest("a cluster goes on while one of its nodes is lost", async () => {
  await using nodes = await startNatsCluster(3);
  const engines = await Promise.all([1, 2, 3].map(() => openOn(nodes, { replicas: 3 })));
  const [client, ...workers] = engines;
  const lost = nodes[1]!;
  const { outcomes, begun } = await moveOrders(client!, workers, { at: [100], crash: () => lost.kill() });
  assertEquals(outcomes, everyNumber());
  assertEquals(begun, everyNumber());
  await lost.restart();
  await Promise.all(engines.map((engine) => engine[Symbol.asyncDispose]()));
});

natsTest("verbs that were asked while the engine was gone are done once it is there again", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  await engine.submit(PLACE, bytes("x"));
  const orders = engine.take("a", { places: 1, leaseMs: 60_000 });
  const { value: taken } = await orders.next();
  await scene.server.kill();
  const asked = Promise.all([
    engine.openJob("j", jobRecord()),
    engine.submit({ ...PLACE, number: 2 }, bytes("y")),
    engine.begin(taken, begunBy("w"), { once: true }),
    engine.finish(taken, bytes("done"), DONE),
    engine.putBlob(PLACE, "f", bytes("file")),
    engine.announce("w", bytes("card")),
    engine.getBlob(PLACE, "none"),
  ]);
  await scene.server.restart();
  assertEquals(await asked, [null, "taken", [], "kept", undefined, undefined, null]);
  // Its lease goes on, or what was kept of it is found: nobody gets it a second time.
  assertEquals((await orders.next()).value.number, 2);
});

natsTest("putBlob() replaces a file of the same name, whatever their sizes", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  for (const size of [3_000_000, 0, 10, 700_000]) {
    await engine.putBlob(PLACE, "f", new Uint8Array(size).fill(size % 251));
    const read = await engine.getBlob(PLACE, "f");
    assertEquals([read!.length, read!.every((byte) => byte === size % 251)], [size, true]);
  }
});

natsTest("putBlob() fits what it sends to what the engine takes", async () => {
  await using scene = await queueScene(await startNatsServer({ config: "max_payload: 16384\n" }));
  const engine = await scene.open();
  await engine.putBlob(PLACE, "f", new Uint8Array(200_000).fill(5));
  assertEquals((await engine.getBlob(PLACE, "f"))!.length, 200_000);
});

natsTest("cancelJob() leaves every order of other jobs in its lane", async () => {
  await using scene = await queueScene();
  const [client, worker] = [await scene.open(), await scene.open()];
  for (const job of ["j", "k"]) await client.openJob(job, jobRecord());
  for (let number = 1; number <= 20; number++) {
    const jobs = number % 3 ? ["j", "k"] : ["k", "j"];
    for (const job of jobs) await client.submit({ job, number, lane: "a" }, bytes("x"));
  }
  const orders = worker.take("a", { places: 5, leaseMs: 10_000 });
  const first = await takeItems(orders, 5);
  await client.cancelJob("j");
  await client.cancelJob("none");
  await client.removeJob("j");
  const ofOther = first.filter(({ job }) => job === "k").map(({ number }) => number);
  for (const order of first) await worker.finish(order, bytes("ok"), DONE);
  while (ofOther.length < 20) {
    const { value: order } = await orders.next();
    assertEquals(order.job, "k");
    ofOther.push(order.number);
    await worker.finish(order, bytes("ok"), DONE);
  }
  assertEquals(ofOther, Array.from({ length: 20 }, (_, at) => at + 1));
  await assertLane(client, { waiting: 0, taken: 0 });
});

natsTest("submit() and take() carry bodies that no message can hold", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  const body = patterned(5 * 1024 * 1024);
  assertEquals(await engine.submit(PLACE, body), "taken");
  assertEquals(await engine.submit(PLACE, body), "known");
  const [taken] = await takeItems(engine.take("a", { places: 10, leaseMs: 10_000 }), 1);
  assertEquals(sameBytes(taken!.body, body), true);
  const tooLarge = new Uint8Array(64 * 1024 * 1024 + 1);
  const submit = () => engine.submit({ ...PLACE, number: 2 }, tooLarge);
  await assertRejects(submit, ToolError, "at most 67108864");
});

natsTest("take() keeps an order for as long as its worker lives", async () => {
  await using scene = await queueScene();
  const [client, holder, other] = [await scene.open(), await scene.open(), await scene.open()];
  await client.submit(PLACE, bytes("x"));
  const lease = { places: 1, leaseMs: 2_000 };
  const [taken] = await takeItems(holder.take("a", lease), 1);
  const rest = other.take("a", lease);
  const next = rest.next();
  // Longer than two leases: the second order shows that the first one was not given again.
  const later = Promise.withResolvers<void>();
  setTimeout(later.resolve, 5_000);
  await later.promise;
  await client.submit({ ...PLACE, number: 2 }, bytes("x"));
  assertEquals((await next).value.number, 2);
  assertEquals(await holder.finish(taken!, bytes("ok"), DONE), "kept");
});

/** Moves orders through a queue while it crashes, and returns what came out and what began, each by number. */
async function moveOrders(
  client: QueueEngine,
  workers: readonly QueueEngine[],
  { at, crash }: { at: readonly number[]; crash(): Promise<void> },
): Promise<{ outcomes: number[]; begun: number[] }> {
  const begun: number[] = [];
  const outcomes: number[] = [];
  const work = workers.map((engine, index) => serve(engine, `w${index}`, begun));
  const submitted = submitAll(client);
  const crashes: Promise<void>[] = [];
  for await (const outcome of client.outcomes("j")) {
    if (!outcome) continue;
    outcomes.push(outcome.number);
    if (at.includes(outcomes.length)) crashes.push(crash());
    if (outcomes.length === ORDERS) break;
  }
  assertEquals((await submitted).filter((answer) => answer !== "taken"), []);
  await Promise.all(crashes);
  await Promise.all(work.map((worker) => worker.end()));
  return { outcomes: ascending(outcomes), begun: ascending(begun) };
}

async function submitAll(client: QueueEngine): Promise<string[]> {
  const answers: string[] = [];
  for (let from = 1; from <= ORDERS; from += 10) {
    const numbers = Array.from({ length: 10 }, (_, at) => from + at);
    const submitted = numbers.map((number) => client.submit({ ...PLACE, number }, bytes("x")));
    answers.push(...await Promise.all(submitted));
  }
  return answers;
}

/** A worker that begins no order that another one has begun. */
function serve(engine: QueueEngine, worker: string, begun: number[]) {
  const orders = engine.take("a", { places: 4, leaseMs: 3_000 });
  const one = async (order: TakenOrder) => {
    const by = { worker, time: new Date().toISOString() };
    const before = await engine.begin(order, by, { once: true });
    if (before.length > 0) return await engine.giveBack(order);
    begun.push(order.number);
    await engine.finish(order, bytes(`${order.number}`), DONE);
  };
  const all = (async () => {
    const working: Promise<void>[] = [];
    for await (const order of orders) working.push(one(order));
    await Promise.all(working);
  })();
  return {
    async end() {
      await orders.return!();
      await all;
    },
  };
}

function everyNumber(): number[] {
  return Array.from({ length: ORDERS }, (_, at) => at + 1);
}

function ascending(numbers: readonly number[]): number[] {
  return numbers.toSorted((a, b) => a - b);
}

function patterned(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 256);
}

/** `assertEquals` would take seconds. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
