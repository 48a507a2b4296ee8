import { assertEquals } from "@std/assert";

import { natsTest } from "../../../../../../support/queue/nats_server.ts";
import { bytes, queueScene, takeItems, textOf } from "../../../../../../support/queue/queue_scene.ts";

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
