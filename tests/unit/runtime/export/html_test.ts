import { assertEquals } from "@std/assert";

import { Html, markup } from "../../../../runtime/export/html.ts";

Deno.test("markup\u0060\u0060 escapes what its template does not say", { permissions: "none" }, () => {
  const said = `&<>"'\u0060`;
  const escaped = "&amp;&lt;&gt;&quot;&#39;&#96;";
  assertEquals(markup`<p title="${said}">${said}</p>`.text, `<p title="${escaped}">${escaped}</p>`);
  assertEquals(markup`${[markup`<b>${1}</b>`, "<", [new Html("<i>")]]}`.text, "<b>1</b>&lt;<i>");
});
