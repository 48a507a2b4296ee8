import { assertEquals } from "@std/assert";

import { bearerToken, isSameSecret } from "../../../../runtime/text/secrets/is_same_secret.ts";

Deno.test("isSameSecret() compares whole texts", async () => {
  assertEquals(await isSameSecret("abc", "abc"), true);
  assertEquals(await isSameSecret("abc", "abd"), false);
  assertEquals(await isSameSecret("abc", "ab"), false);
  assertEquals(await isSameSecret("", "abc"), false);
});

Deno.test("bearerToken() takes the token of one scheme only", () => {
  assertEquals(["Bearer a", "bearer  a", "Basic a", "Bearer", "Bearer a b", null].map(bearerToken), [
    ...["a", "a", "", "", "", ""],
  ]);
});
