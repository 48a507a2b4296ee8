import { assertEquals } from "@std/assert";

import { bearerToken, isSameSecret } from "../../../../../runtime/text/secrets/is_same_secret.ts";

Deno.test("isSameSecret() compares whole texts", () => {
  assertEquals(isSameSecret("abc", "abc"), true);
  assertEquals(isSameSecret("abc", "abd"), false);
  assertEquals(isSameSecret("abc", "ab"), false);
  assertEquals(isSameSecret("", "abc"), false);
  assertEquals(isSameSecret("abcd", "abc"), false);
  assertEquals(isSameSecret("xbc", "abc"), false);
});

Deno.test("bearerToken() takes the token of one scheme only", () => {
  assertEquals(["Bearer a", "bearer  a", "Basic a", "Bearer", "Bearer a b", null].map(bearerToken), [
    ...["a", "a", "", "", "", ""],
  ]);
});
