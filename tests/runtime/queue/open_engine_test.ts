import { assertEquals } from "@std/assert";

import { natsTest } from "../../support/queue/nats_server.ts";
import { bytes, queueScene, takeItems, textOf } from "../../support/queue/queue_scene.ts";

const ORDER = { job: "j", number: 1, lane: "a" };

natsTest("openEngine() moves an order to a worker and its outcome back", async () => {
  await using scene = await queueScene();
  const client = await scene.open();
  const worker = await scene.open();
  assertEquals(await client.openJob("j", record()), null);
  assertEquals(await client.submit(ORDER, bytes("what to do")), "taken");
  const orders = worker.take("a", { places: 1, leaseMs: 10_000 });
  const [taken] = await takeItems(orders, 1);
  assertEquals({ ...taken!, body: textOf(taken!.body) }, { ...ORDER, handle: 1, body: "what to do" });
  const by = { worker: "w", time: "2026-01-01T00:00:00Z" };
  assertEquals(await worker.begin(taken!, by, { once: true }), []);
  assertEquals(await worker.finish(taken!, bytes("done"), { declined: false, dead: null }), "kept");
  const [outcome, mark] = await takeItems(client.outcomes("j"), 2);
  assertEquals({ ...outcome!, body: textOf(outcome!.body) }, {
    job: "j",
    number: 1,
    declinedBy: null,
    body: "done",
  });
  assertEquals(mark, null);
});

function record() {
  return { digest: "d", client: "c", started: "2026-01-01T00:00:00Z", isCancelled: false };
}
