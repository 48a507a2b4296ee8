import { assert, assertEquals } from "@std/assert";

import { renderRow } from "../../../../../runtime/cli/report/batch_row.ts";
import { call, CALLS } from "../../../../support/report/batch_answers.ts";

Deno.test("renderRow() tells a person a call in a row, and below why it failed", () => {
  const plain = { width: 60, colorful: false };
  assertEquals(
    renderRow(call("a", null, { input: { n: 1 } }), plain),
    "ok      a Tool n=1 (1.5 s): found 3\n",
  );
  const [row = "", why = "", end] = renderRow(CALLS[5]!, plain).split("\n");
  assert(row.startsWith("refused r Tool path=") && row.length <= 60, row);
  assert(why.startsWith("        permission_denied: Cannot: "), why);
  assertEquals(end, "");
  assert(renderRow(CALLS[0]!, { width: 60, colorful: true }).startsWith("\x1b[32mok     \x1b[0m 1 "));
});
