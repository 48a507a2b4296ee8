import { assertEquals } from "@std/assert";

import { shapeOf } from "../../../../../../../runtime/server/page/show/result/shapes.ts";

const DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

Deno.test("shapeOf tells changes, pages, steps and screens by their shape, and else a text", () => {
  assertEquals(shapeOf({ path: "x", diff: DIFF }, "Edited."), { kind: "diff", text: DIFF });
  assertEquals(shapeOf(null, DIFF).kind, "diff");
  assertEquals(shapeOf({ results: [{ url: "https://a", title: "A", snippet: "s" }] }, ""), {
    kind: "pages",
    pages: [{ url: "https://a", title: "A", snippet: "s", number: null }],
  });
  assertEquals(shapeOf({ citations: [{ url: "https://a", number: 2 }] }, ""), {
    kind: "pages",
    pages: [{ url: "https://a", title: "https://a", snippet: "", number: 2 }],
  });
  const steps = [{ text: "do", status: "completed", notes: "" }];
  assertEquals(shapeOf({ plan: { id: "p", title: "t", steps } }, "").kind, "steps");
  assertEquals(shapeOf({ output: "\u001b[31mred\u001b[0m" }, "red").kind, "terminal");
  const screen = { session_id: "term_1", alive: true, output: "$ ls\na.txt" };
  assertEquals(shapeOf(screen, "[TerminalRead] …"), { kind: "terminal", text: "$ ls\na.txt" });
  assertEquals(shapeOf({ ...screen, output: "\n" }, "text"), { kind: "text" });
  for (
    const other of [{ results: [] }, { results: [1] }, { url: "https://a" }, null, { steps: [{ text: 1 }] }]
  ) {
    assertEquals(shapeOf(other, "text"), { kind: "text" });
  }
});
