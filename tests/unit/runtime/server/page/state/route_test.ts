import { assertEquals } from "@std/assert";

import { readRoute, runAddress } from "../../../../../../runtime/server/page/state/route.ts";

Deno.test("the address says what is shown", () => {
  assertEquals(readRoute(""), { at: "new" });
  assertEquals(readRoute("#/"), { at: "new" });
  assertEquals(readRoute("#/runs"), { at: "list" });
  assertEquals(readRoute("#/runs/a/b"), { at: "new" });
  assertEquals(readRoute("#/runs/%E0"), { at: "new" });
});

Deno.test("the address of a run leads back to it", () => {
  for (const id of ["2026-01-01_ab", "a b/c?d#e"]) {
    assertEquals(readRoute(runAddress(id)), { at: "run", id });
  }
});
