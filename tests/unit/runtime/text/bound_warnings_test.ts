import { assertEquals } from "@std/assert";

import { boundWarnings } from "../../../../runtime/text/bound_warnings.ts";

Deno.test("boundWarnings() keeps what people read, and counts the rest", { permissions: "none" }, () => {
  assertEquals(boundWarnings(["a", "b"]), ["a", "b"]);
  const many = boundWarnings(["x".repeat(9_000), ...Array.from({ length: 500 }, String)]);
  assertEquals([many.length, many[0]?.length, many.at(-1)], [101, 2_000, "401 more warnings were left out"]);
});
