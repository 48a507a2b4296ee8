import { assertEquals } from "@std/assert";

import { isQuickPattern } from "../../../../schemas/json/quick_pattern.ts";

Deno.test("isQuickPattern() knows patterns that take long", { permissions: "none" }, () => {
  for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(?:a|aa){2,}$", "(x*)*", "^([a-z]+)+$", "a*a*a*a*a*b"]) {
    assertEquals(isQuickPattern(pattern, 60), false, pattern);
  }
  for (
    const pattern of ["^[a-z]+$", "^/", "^[A-Za-z_][A-Za-z0-9_-]{0,63}$", "^\\(a\\)+$", "^(a|b)?$", "x[)+*]y"]
  ) {
    assertEquals(isQuickPattern(pattern, 60), true, pattern);
  }
  assertEquals(isQuickPattern("^(a+)+$", 6), true);
  assertEquals([isQuickPattern("^a+$", 1_000_000), isQuickPattern("a+b", 1_000_000)], [true, false]);
});
