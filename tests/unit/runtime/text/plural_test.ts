import { assertEquals } from "@std/assert";

import { plural } from "../../../../runtime/text/plural.ts";

Deno.test("plural() leaves out the s for one alone", () => {
  assertEquals([0, 1, 2, 21].map((count) => plural(count, "call")), [
    "0 calls",
    "1 call",
    "2 calls",
    "21 calls",
  ]);
});
