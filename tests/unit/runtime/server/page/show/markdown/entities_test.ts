import { assertEquals } from "@std/assert";

import { withoutEntities } from "../../../../../../../runtime/server/page/show/markdown/entities.ts";

Deno.test("withoutEntities puts characters for the names that it knows, and leaves others", () => {
  assertEquals(withoutEntities("&lt;a&gt; &amp;amp; &#65;&#x42; &hellip;"), "<a> &amp; AB …");
  assertEquals(withoutEntities("&nonsense; &constructor; &"), "&nonsense; &constructor; &");
  assertEquals(withoutEntities("&#0; &#9999999;"), "\ufffd \ufffd");
});
