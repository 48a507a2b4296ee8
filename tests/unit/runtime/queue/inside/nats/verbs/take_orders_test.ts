import { assertEquals } from "@std/assert";

import type { QueueEngine } from "../../../../../../../runtime/queue/contract/engine.ts";
import { natsTest } from "../../../../../../support/queue/nats_server.ts";
import { assertLane, bytes, queueScene, takeItems } from "../../../../../../support/queue/queue_scene.ts";

const DONE = { declined: false, dead: null };

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

natsTest("take() keeps an order for as long as its worker lives", async () => {
  await using scene = await queueScene();
  const [client, holder, other] = [await scene.open(), await scene.open(), await scene.open()];
  await submitMany(client, 1);
  const lease = { places: 1, leaseMs: 2_000 };
  const [taken] = await takeItems(holder.take("a", lease), 1);
  const rest = other.take("a", lease);
  const next = rest.next();
  // Longer than two leases: the second order shows that the first one was not given again.
  const later = Promise.withResolvers<void>();
  setTimeout(later.resolve, 5_000);
  await later.promise;
  await client.submit({ job: "j", number: 2, lane: "a" }, bytes("x"));
  assertEquals((await next).value.number, 2);
  assertEquals(await holder.finish(taken!, bytes("ok"), DONE), "kept");
});

natsTest("take() gives the orders of a worker that was killed to others", async () => {
  await using scene = await queueScene();
  const [client, other] = [await scene.open(), await scene.open()];
  await submitMany(client, 3);
  await using killed = startTaker(scene.server.port);
  assertEquals(await killed.taken(3), [1, 2, 3]);
  const again = other.take("a", { places: 3, leaseMs: 700 });
  const next = again.next();
  await killed.kill();
  const numbers = [(await next).value, ...await takeItems(again, 2)].map(({ number }) => number);
  assertEquals(numbers.toSorted(), [1, 2, 3]);
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

/** A process that takes orders and holds them. */
function startTaker(port: number) {
  const script = new URL("../../../../../../support/queue/hold_orders.ts", import.meta.url);
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-check",
      "--quiet",
      "--allow-read",
      "--allow-net",
      "--allow-env",
      script.pathname,
      String(port),
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = process.stdout.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
  let text = "";
  const kill = async () => {
    try {
      process.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    await lines.return?.();
    await process.status;
  };
  return {
    async taken(count: number): Promise<number[]> {
      while (text.split("\n").length <= count) {
        const { done, value } = await lines.next();
        if (done) throw new Error("the taker has ended");
        text += value;
      }
      return text.trim().split("\n").map(Number).toSorted();
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
