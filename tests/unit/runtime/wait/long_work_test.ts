import { assertEquals } from "@std/assert";

import { LongWork } from "../../../../runtime/wait/long_work.ts";

Deno.test("LongWork lets others have their turns after some time", async () => {
  const work = new LongWork();
  assertEquals(work.isDue, false);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const end = performance.now() + 60;
  while (performance.now() < end) if (work.isDue) await work.pause();
  clearInterval(timer);
  assertEquals(turns > 0, true);
});
