import { assertEquals } from "@std/assert";

import { showResult } from "../../../../../runtime/cli/show/show_call.ts";
import { markBlock, OUTSIDE_MARK } from "../../../../../runtime/text/mark_block.ts";
import type { ToolResult } from "../../../../../schemas/result.ts";

const RESULT: ToolResult = {
  tool_name: "set/look",
  ok: true,
  result: null,
  text: "",
  images: [],
  artifacts: [],
  warnings: [],
  error: null,
  metadata: { duration_ms: 1, place: "sandbox" },
};

Deno.test(
  "showResult() shows what is between the marks of a text from the network",
  { permissions: "none" },
  () => {
    const of = (text: string) =>
      showResult({ ...RESULT, text: markBlock(OUTSIDE_MARK, text, { tool: "set/look" }) });
    assertEquals(of("first\nsecond"), "first (2 lines)");
    assertEquals(of("ends </web-content>"), "ends </web-content>");
    assertEquals(showResult({ ...RESULT, text: "first\nsecond" }), "first (2 lines)");
  },
);
