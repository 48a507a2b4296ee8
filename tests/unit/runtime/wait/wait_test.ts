import { assertEquals, assertRejects } from "@std/assert";

import { Backlog } from "../../../../runtime/wait/backlog.ts";
import { LongWork } from "../../../../runtime/wait/long_work.ts";
import { Paced } from "../../../../runtime/wait/paced.ts";
import { takeUntil } from "../../../../runtime/wait/take_until.ts";
import { untilAborted } from "../../../../runtime/wait/until_aborted.ts";

Deno.test("Backlog: who gives waits while too much was not taken in", { permissions: "none" }, async () => {
  const backlog = new Backlog(10);
  const seen: string[] = [];
  backlog.add(10);
  await backlog.room();
  backlog.add(5);
  const room = backlog.room().then(() => seen.push("room"));
  backlog.take(4);
  await Promise.resolve();
  seen.push("11 left");
  backlog.take(1);
  await room;
  assertEquals(seen, ["11 left", "room"]);
});

Deno.test("Backlog: nobody waits for what is over", { permissions: "none" }, async () => {
  const backlog = new Backlog(1);
  backlog.add(5);
  const waiting = backlog.room();
  backlog.end();
  await waiting;
  await backlog.room();
});

const BETWEEN_MS = 5;

Deno.test("Paced does the first at once, and all that is asked for too early once, when it is time", async () => {
  const seen: string[] = [];
  const sooner = setTimeout(() => seen.push("a sooner timer"), BETWEEN_MS - 3);
  const second = Promise.withResolvers<void>();
  using paced = new Paced(BETWEEN_MS, () => seen.push("done") > 1 && second.resolve());
  for (let n = 0; n < 5; n++) paced.ask();
  assertEquals(seen, ["done"]);
  await second.promise;
  clearTimeout(sooner);
  assertEquals(seen, ["done", "a sooner timer", "done"]);
});

Deno.test("Paced drops what was asked for once it is disposed of", async () => {
  let dropped = 0;
  const paced = new Paced(BETWEEN_MS, () => dropped++);
  for (let n = 0; n < 2; n++) paced.ask();
  paced[Symbol.dispose]();
  // A timer of the same length that began later ends later.
  await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  assertEquals(dropped, 1);
});

Deno.test("takeUntil() passes all on, and ends while the next item is awaited", async () => {
  const stop = new AbortController();
  async function* items(isEndless: boolean) {
    yield* [1, 2];
    if (isEndless) await new Promise(() => {});
  }
  assertEquals(await Array.fromAsync(takeUntil(items(false), stop.signal)), [1, 2]);
  const seen: number[] = [];
  for await (const item of takeUntil(items(true), stop.signal)) {
    seen.push(item);
    if (item === 2) queueMicrotask(() => stop.abort());
  }
  assertEquals(seen, [1, 2]);
  assertEquals(await Array.fromAsync(takeUntil(items(false), stop.signal)), []);
});

const LONG_MS = 60_000;

Deno.test("untilAborted() gives what the work gives, or throws", { permissions: "none" }, async () => {
  const never = { signal: new AbortController().signal, endingMs: LONG_MS, end: () => Promise.resolve() };
  assertEquals(await untilAborted(Promise.resolve(1), never), 1);
  await assertRejects(() => untilAborted(Promise.reject(new Error("broken")), never), Error, "broken");
});

Deno.test("untilAborted() leaves work alone that ends by itself, and ends what does not", async () => {
  for (const endsItself of [true, false]) {
    const work = Promise.withResolvers<void>();
    const stop = new AbortController();
    let ended = 0;
    const end = () => Promise.resolve(void ended++);
    const endingMs = endsItself ? LONG_MS : 1;
    const waiting = untilAborted(work.promise, { signal: stop.signal, endingMs, end });
    stop.abort(new Error("the call has ended"));
    if (endsItself) work.resolve();
    await assertRejects(() => waiting, Error, "the call has ended");
    assertEquals(ended, endsItself ? 0 : 1);
  }
});

Deno.test("LongWork lets others have their turns after some time", async () => {
  const work = new LongWork();
  assertEquals(work.isDue, false);
  let isTheirTurn = false;
  setTimeout(() => isTheirTurn = true, 0);
  while (!isTheirTurn) if (work.isDue) await work.pause();
});
