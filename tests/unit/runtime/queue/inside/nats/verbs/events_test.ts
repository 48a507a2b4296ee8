import { assertEquals } from "@std/assert";

import { natsTest } from "../../../../../../support/queue/nats_server.ts";
import { bytes, queueScene, takeItems, textOf } from "../../../../../../support/queue/queue_scene.ts";

natsTest("events() gives what is told of a job from now on", async () => {
  await using scene = await queueScene();
  const [client, worker] = [await scene.open(), await scene.open()];
  const events = client.events("j");
  // A question after it shows that the engine knows of it.
  await client.status();
  await worker.tell({ job: "other", number: 1, lane: "a" }, bytes("no"));
  await worker.tell({ job: "j", number: 3, lane: "a" }, bytes("half"));
  const [event] = await takeItems(events, 1);
  assertEquals({ ...event!, body: textOf(event!.body) }, { job: "j", number: 3, body: "half" });
  const next = events.next();
  await events.return!();
  assertEquals((await next).done, true);
});
