import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../../../schemas/error.ts";
import { natsTest } from "../../../../../../support/queue/nats_server.ts";
import {
  assertLane,
  bytes,
  queueScene,
  takeItems,
  textOf,
} from "../../../../../../support/queue/queue_scene.ts";

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

natsTest("submit() and take() carry bodies that no message can hold", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  const body = patterned(5 * 1024 * 1024);
  assertEquals(await engine.submit({ job: "j", number: 1, lane: "a" }, body), "taken");
  assertEquals(await engine.submit({ job: "j", number: 1, lane: "a" }, body), "known");
  const [taken] = await takeItems(engine.take("a", LEASE), 1);
  assertEquals(sameBytes(taken!.body, body), true);
  await assertRejects(
    () => engine.submit({ job: "j", number: 2, lane: "a" }, new Uint8Array(64 * 1024 * 1024 + 1)),
    ToolError,
    "at most 67108864",
  );
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

function patterned(size: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 256);
}

/** `assertEquals` would take seconds. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
