import { assertEquals } from "@std/assert";

import { ListRest } from "../../../../../../runtime/sources/mcp/client/list_rest.ts";

Deno.test("ListRest allows a burst, then one a second, and a long rest after a failure", () => {
  let now = 0;
  const rest = new ListRest(() => now);
  const burst = Array.from({ length: 20 }, () => rest.take());
  assertEquals(burst, Array(20).fill(0));
  assertEquals(rest.take(), 1_000);
  now = 400;
  assertEquals(rest.take(), 600);
  now = 1_000;
  assertEquals([rest.take(), rest.take()], [0, 1_000]);
  now = 100_000;
  assertEquals(Array.from({ length: 21 }, () => rest.take() === 0).filter(Boolean).length, 20);
  rest.fail();
  now += 59_000;
  assertEquals(rest.take(), 1_000);
  now += 1_000;
  assertEquals(rest.take(), 0);
});
