import { assertEquals } from "@std/assert";

import { mapTexts } from "../../../../runtime/text/map_texts.ts";

Deno.test("mapTexts() changes every text of plain data and nothing else", { permissions: "none" }, () => {
  const bytes = Uint8Array.of(1);
  assertEquals<unknown>(
    mapTexts({ a: ["b", 1, null, { c: "d" }], e: bytes, f: true, g: undefined }, (text) => `${text}!`),
    { "a!": ["b!", 1, null, { "c!": "d!" }], "e!": bytes, "f!": true, "g!": undefined },
  );
  assertEquals(mapTexts("a", (text) => `${text}!`), "a!");
});
