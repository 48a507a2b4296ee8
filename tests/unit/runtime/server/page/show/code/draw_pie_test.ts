import { assertEquals, assertStringIncludes } from "@std/assert";

import { drawPie } from "../../../../../../../runtime/server/page/show/code/draw_pie.ts";

Deno.test("a pie has a piece and a line for each part", () => {
  const svg = drawPie('pie showData title Pets <b>\n  "Dogs & <i>" : 3\n  "Cats" : 1\n  "None" : 0\n');
  assertStringIncludes(svg!, "Pets &lt;b&gt;");
  assertStringIncludes(svg!, "Dogs &amp; &lt;i&gt; (3), 75 %");
  assertStringIncludes(svg!, "Cats (1), 25 %");
  assertEquals(svg!.match(/<path /g)?.length, 2);
  assertStringIncludes(drawPie('pie\ntitle All\n"One" : 5')!, '<circle r="100"');
});

Deno.test("what is no pie is not drawn as one", () => {
  for (const text of ["graph TD\nA-->B", "pie", "pie title x\nnothing", "piece"]) {
    assertEquals(drawPie(text), null, text);
  }
});
