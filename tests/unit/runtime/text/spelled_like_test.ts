import { assertEquals } from "@std/assert";

import { isSpelledLike, plainName } from "../../../../runtime/text/spelled_like.ts";

Deno.test("isSpelledLike() leaves out letter case, _ and -, and holds a toolset to the tool's", () => {
  const tool = { toolset: "one", name: "web_search_tool" };
  const cases: [string, boolean][] = [
    ["WebSearchTool", true],
    ["websearchtool", true],
    ["web-search_TOOL", true],
    ["One/WebSearchTool", true],
    ["two/WebSearchTool", false],
    ["one/two/WebSearchTool", false],
    ["WebSearch", false],
    ["", false],
    ["_", false],
    ["one/", false],
  ];
  for (const [said, fits] of cases) assertEquals(isSpelledLike(said, tool), fits, said);
  assertEquals(isSpelledLike("_", { toolset: "one", name: "-" }), false);
  assertEquals(plainName("Pick_Up-One"), "pickupone");
});
