import { assertEquals } from "@std/assert";

import { Paced } from "../../../../runtime/wait/paced.ts";

const BETWEEN_MS = 5;

/** Counts what is done, and tells when it has been done so often. */
function counted() {
  const times: number[] = [];
  const twice = Promise.withResolvers<void>();
  return {
    times,
    twice: twice.promise,
    work() {
      times.push(performance.now());
      if (times.length === 2) twice.resolve();
    },
  };
}

Deno.test("Paced does the first at once, and all that is asked for too early once, when it is time", async () => {
  const { times, twice, work } = counted();
  using paced = new Paced(BETWEEN_MS, work);
  for (let n = 0; n < 5; n++) paced.ask();
  assertEquals(times.length, 1);
  await twice;
  assertEquals(times.length, 2);
  // The clock of timers is rounded.
  assertEquals(times[1]! - times[0]! >= BETWEEN_MS - 1, true);
});

Deno.test("Paced drops what was asked for once it is disposed of", async () => {
  const dropped = counted();
  const paced = new Paced(BETWEEN_MS, dropped.work);
  paced.ask();
  paced.ask();
  paced[Symbol.dispose]();
  // A timer of the same length that began later ends later.
  const kept = counted();
  using later = new Paced(BETWEEN_MS, kept.work);
  later.ask();
  later.ask();
  await kept.twice;
  assertEquals(dropped.times.length, 1);
});
