import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { renderAnnotation, renderStepSummary } from "../../../../../runtime/cli/report/github.ts";
import { CALLS } from "../../../../support/report/batch_answers.ts";

Deno.test("reports for GitHub escape what its commands and tables read", () => {
  const line = renderAnnotation(CALLS[1]!, "a,b:c.jsonl");
  assert(line.startsWith("::error file=a%2Cb%3Ac.jsonl,line=1,title=bulkhead%3A call "), line);
  assertEquals([line.includes("\n"), line.includes("100%25")], [false, true]);
  assert(renderAnnotation(CALLS[2]!, null).startsWith("::error title=bulkhead%3A call x failed::"));
  const summary = renderStepSummary(CALLS, "6 calls: 2 ok");
  const rows = summary.split("\n").filter((row) => row.startsWith("| "));
  assertEquals(rows.length, CALLS.length + 2);
  for (const row of rows) assertEquals(row.split("|").length, 7, row);
  assertStringIncludes(summary, "6 calls: 2 ok");
  assertEquals(/<&|`x`/.test(summary), false);
});
