import { assertEquals } from "@std/assert";

import { visible } from "../../../../../../../runtime/server/page/show/text/visible.ts";

Deno.test("visible shows what hides itself, and leaves lines, letters and signs of all languages", () => {
  assertEquals(visible("a\u202Eb\u0007\u2066"), "a⟨U+202E⟩b⟨U+0007⟩⟨U+2066⟩");
  const plain = "line\n\ttab\r\n שלום 👩‍👩‍👧 é";
  assertEquals(visible(plain), plain);
});
