import { assertEquals } from "@std/assert";

import { boundSeconds, roundSeconds } from "../../../../../tools/engine/program/bound_seconds.ts";

function bound(asked: number, leftMs: number): [number, string[]] {
  const warnings: string[] = [];
  const context = { deadline: Date.now() + leftMs, warn: (message: string) => void warnings.push(message) };
  return [boundSeconds(asked, context), warnings];
}

Deno.test("boundSeconds() takes what is asked for while the call lasts", () => {
  assertEquals(bound(2, 60_000), [2, []]);
  assertEquals(bound(30, 29_900), [30, []]);
});

Deno.test("boundSeconds() takes the rest of the call's time, and says so", () => {
  const lowered = (seconds: number) =>
    `timeout 90 was lowered to ${seconds} seconds, the longest time of this call`;
  assertEquals(bound(90, 60_000), [60, [lowered(60)]]);
  assertEquals(bound(90, -5), [0.1, [lowered(0.1)]]);
});

Deno.test("roundSeconds() keeps a decimal of short times", () => {
  assertEquals([4.996, 1.26, 0.01, 59.99, 10.4].map(roundSeconds), [5, 1.3, 0.1, 60, 10]);
});
