import { assertEquals, assertRejects } from "@std/assert";

import { untilAborted } from "../../../../runtime/wait/until_aborted.ts";

const LONG_MS = 60_000;

Deno.test("untilAborted() gives what the work gives, or throws", { permissions: "none" }, async () => {
  const never = { signal: new AbortController().signal, endingMs: LONG_MS, end: () => Promise.resolve() };
  assertEquals(await untilAborted(Promise.resolve(1), never), 1);
  await assertRejects(() => untilAborted(Promise.reject(new Error("broken")), never), Error, "broken");
});

Deno.test("untilAborted() leaves work alone that ends by itself", { permissions: "none" }, async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = new AbortController();
  let ended = 0;
  const end = () => Promise.resolve(void ended++);
  const waiting = untilAborted(promise, { signal: stop.signal, endingMs: LONG_MS, end });
  stop.abort(new Error("the call has ended"));
  resolve();
  await assertRejects(() => waiting, Error, "the call has ended");
  assertEquals(ended, 0);
});

Deno.test("untilAborted() ends work that does not end by itself", { permissions: "none" }, async () => {
  const stop = new AbortController();
  const { promise: forever } = Promise.withResolvers<void>();
  let ended = 0;
  const end = () => Promise.resolve(void ended++);
  const waiting = untilAborted(forever, { signal: stop.signal, endingMs: 1, end });
  stop.abort(new Error("the call has ended"));
  await assertRejects(() => waiting, Error, "the call has ended");
  assertEquals(ended, 1);
});
