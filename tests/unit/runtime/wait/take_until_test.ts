import { assertEquals } from "@std/assert";

import { takeUntil } from "../../../../runtime/wait/take_until.ts";

Deno.test(
  "takeUntil() passes all on, and ends while the next item is awaited",
  { permissions: "none" },
  async () => {
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
  },
);
