import { assertEquals } from "@std/assert";

import { natsTest, startNatsServer } from "../../../../../../support/queue/nats_server.ts";
import { bytes, queueScene, textOf } from "../../../../../../support/queue/queue_scene.ts";

const PLACE = { job: "j", number: 1, lane: "a" };
const NAMES = ["plain.txt", "../../etc/passwd", "a.b.>", "*", "", " ", "x\r\nPUB y 0\r\n", "é".repeat(3_000)];

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
