import { assertEquals } from "@std/assert";

import type { LinkState, QueueEngine, TakenOrder } from "../../../runtime/queue/contract/engine.ts";
import { natsTest, startNatsCluster } from "../../support/queue/nats_server.ts";
import { bytes, openOn, queueScene } from "../../support/queue/queue_scene.ts";

const DONE = { declined: false, dead: null };
const ORDERS = 300;

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
  const place = { job: "j", number: 1, lane: "a" };
  await engine.submit(place, bytes("x"));
  const orders = engine.take("a", { places: 1, leaseMs: 60_000 });
  const { value: taken } = await orders.next();
  await scene.server.kill();
  const record = { digest: "d", client: "c", started: "2026-01-01T00:00:00Z", isCancelled: false };
  const by = { worker: "w", time: "2026-01-01T00:00:00Z" };
  const asked = Promise.all([
    engine.openJob("j", record),
    engine.submit({ ...place, number: 2 }, bytes("y")),
    engine.begin(taken, by, { once: true }),
    engine.finish(taken, bytes("done"), DONE),
    engine.putBlob(place, "f", bytes("file")),
    engine.announce("w", bytes("card")),
    engine.getBlob(place, "none"),
  ]);
  await scene.server.restart();
  assertEquals(await asked, [null, "taken", [], "kept", undefined, undefined, null]);
  // Its lease goes on, or what was kept of it is found: nobody gets it a second time.
  assertEquals((await orders.next()).value.number, 2);
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
    answers.push(
      ...await Promise.all(
        Array.from(
          { length: 10 },
          (_, at) => client.submit({ job: "j", number: from + at, lane: "a" }, bytes("x")),
        ),
      ),
    );
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
