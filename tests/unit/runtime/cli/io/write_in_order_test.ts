import { assertEquals, assertRejects } from "@std/assert";

import { writeInOrder } from "../../../../../runtime/cli/io/write_in_order.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A sink that takes two bytes at a time, each time when it is let. */
function slowSink() {
  let text = "";
  const waiting: (() => void)[] = [];
  const asked = Promise.withResolvers<void>();
  return {
    text: () => text,
    /** Resolves when the first bytes have come. */
    asked: asked.promise,
    let: () => waiting.splice(0).forEach((go) => go()),
    async write(given: Uint8Array) {
      asked.resolve();
      await new Promise<void>((go) => waiting.push(go));
      text += new TextDecoder().decode(given.subarray(0, 2));
      return Math.min(2, given.length);
    },
  };
}

Deno.test("texts that nobody waits for come out whole and in order, and an empty one waits for them", async () => {
  const sink = slowSink();
  const write = writeInOrder(sink);
  let isDone = false;
  write(bytes("first "));
  write(bytes("second"));
  const done = write(bytes("")).then(() => void (isDone = true));
  await sink.asked;
  while (sink.text() !== "first second") {
    assertEquals(isDone, false);
    sink.let();
    await Promise.resolve();
  }
  await done;
});

Deno.test("a failed write is told to its caller, and the next text is written", async () => {
  const texts: string[] = [];
  const write = writeInOrder({
    write(given) {
      const text = new TextDecoder().decode(given);
      if (text === "bad") return Promise.reject(new Deno.errors.BrokenPipe("gone"));
      texts.push(text);
      return Promise.resolve(given.length);
    },
  });
  const bad = write(bytes("bad"));
  const good = write(bytes("good"));
  await assertRejects(() => bad, Deno.errors.BrokenPipe);
  await good;
  assertEquals(texts, ["good"]);
});
