import { assertEquals } from "@std/assert";

import { natsTest } from "../../../../../../support/queue/nats_server.ts";
import { assertLane, bytes, queueScene, takeItems } from "../../../../../../support/queue/queue_scene.ts";

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

natsTest("cancelJob() leaves every order of other jobs in its lane", async () => {
  await using scene = await queueScene();
  const [client, worker] = [await scene.open(), await scene.open()];
  for (const job of ["j", "k"]) await client.openJob(job, record("c"));
  for (let number = 1; number <= 20; number++) {
    for (const job of number % 3 ? ["j", "k"] : ["k", "j"]) {
      await client.submit({ job, number, lane: "a" }, bytes("x"));
    }
  }
  const orders = worker.take("a", { places: 5, leaseMs: 10_000 });
  const first = await takeItems(orders, 5);
  await client.cancelJob("j");
  await client.cancelJob("none");
  await client.removeJob("j");
  const ofOther = first.filter(({ job }) => job === "k").map(({ number }) => number);
  for (const order of first) await worker.finish(order, bytes("ok"), { declined: false, dead: null });
  while (ofOther.length < 20) {
    const { value: order } = await orders.next();
    assertEquals(order.job, "k");
    ofOther.push(order.number);
    await worker.finish(order, bytes("ok"), { declined: false, dead: null });
  }
  assertEquals(ofOther, Array.from({ length: 20 }, (_, at) => at + 1));
  await assertLane(client, { waiting: 0, taken: 0 });
});

function record(client: string) {
  return { digest: "d", client, started: "2026-01-01T00:00:00Z", isCancelled: false };
}
