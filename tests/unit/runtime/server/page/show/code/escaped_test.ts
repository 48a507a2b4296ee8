import { assertEquals } from "@std/assert";

import { escaped } from "../../../../../../../runtime/server/page/show/code/escaped.ts";

Deno.test("a text stays a text in SVG", () => {
  assertEquals(escaped("<a>\u0000 & b"), "&lt;a&gt;  &amp; b");
});
