import { assertEquals } from "@std/assert";

import { natsTest } from "../../../../../../support/queue/nats_server.ts";
import { queueScene } from "../../../../../../support/queue/queue_scene.ts";

const ORDER = { job: "j", number: 1, lane: "a", handle: 0, isFirst: true, body: new Uint8Array(0) };

natsTest("begin() lets one of many begin an order once", async () => {
  await using scene = await queueScene();
  const engines = await Promise.all([1, 2, 3, 4].map(() => scene.open()));
  for (let number = 1; number <= 10; number++) {
    const answers = await Promise.all(
      engines.map((engine, at) => engine.begin({ ...ORDER, number }, by(`w${at}`), { once: true })),
    );
    const winner = answers.findIndex((before) => before.length === 0);
    const expected = answers.map((_, at) => at === winner ? [] : [by(`w${winner}`)]);
    assertEquals(answers, expected);
  }
});

natsTest("begin() returns all that began before, the oldest first", async () => {
  await using scene = await queueScene();
  const engine = await scene.open();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => engine.begin(ORDER, by(`w${at}`), { once: false })),
  );
  assertEquals(answers.map(({ length }) => length).toSorted(), [0, 1, 2, 3, 4, 5, 6, 7]);
  const longest = answers.find(({ length }) => length === 7)!;
  for (const before of answers) assertEquals(before, longest.slice(0, before.length));
  assertEquals((await engine.begin(ORDER, by("late"), { once: true })).length, 8);
  assertEquals((await engine.begin(ORDER, by("later"), { once: true })).length, 8);
  for (let at = 8; at < 25; at++) await engine.begin(ORDER, by(`w${at}`), { once: false });
  const before = await engine.begin(ORDER, by("last"), { once: true });
  assertEquals(before.length, 20);
  assertEquals(before.at(-1), by("w24"));
});

function by(worker: string) {
  return { worker, time: "2026-01-01T00:00:00Z" };
}
