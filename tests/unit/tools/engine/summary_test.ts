import { assertEquals } from "@std/assert";

import { changeSummary, countOf, exitSummary, matchSummary } from "../../../../tools/engine/summary.ts";

Deno.test("summaries say what came out in one line", () => {
  const cases: readonly (readonly [string, string])[] = [
    [countOf(1, "page", "pages"), "1 page"],
    [countOf(0, "page", "pages"), "0 pages"],
    [matchSummary([], { truncated: false }), "0 matches"],
    [matchSummary(["a", "b", "a"], { truncated: false }), "3 matches in 2 files"],
    [matchSummary(["a"], { truncated: true }), "1 match in 1 file, and more"],
    [exitSummary(0, "a\nlast\n", "warned\n"), "exit 0 · last"],
    [exitSummary(1, "a\n", "broken\n"), "exit 1 · broken"],
    [exitSummary(127, "", ""), "exit 127"],
    [exitSummary(null, " \n"), ""],
    [changeSummary("--- a\n+++ b\n@@ -1 +1,2 @@\n-x\n+y\n+++z\n"), "+2 -1"],
  ];
  for (const [found, expected] of cases) assertEquals(found, expected);
});
