import { assertEquals, assertThrows } from "@std/assert";

import { chooseTools } from "../../../../../runtime/calls/catalog/choose_tools.ts";
import { SEARCH_TOOL, withSearch } from "../../../../../runtime/agent/tool_search/search_tool.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { catalogOf, entryOf } from "../../../../support/manifest_entry.ts";

const OFFERED = chooseTools(
  catalogOf(
    entryOf("harness/Read", { description: "Reads a file." }),
    entryOf("harness/Paint", { description: "Paints a picture." }),
    entryOf("harness/Sing", { description: "Sings a song.\nOf any length." }),
  ),
  {},
);

Deno.test("withSearch() leaves tools that all may go as they are", () => {
  assertEquals(withSearch(OFFERED, 3), OFFERED);
  const names = withSearch(OFFERED, 2).map(({ name }) => name);
  assertEquals(names, ["search_tools", "Read", "Paint", "Sing"]);
});

Deno.test("withSearch() describes what there is to find", () => {
  const [{ entry: { tool } }] = withSearch(OFFERED, 2) as [typeof OFFERED[number]];
  assertEquals(tool.full_name, SEARCH_TOOL.fullName);
  assertEquals(tool.description.includes("There are 3 tools"), true);
  assertEquals(tool.description.endsWith("They come from harness (3)."), true);
  assertEquals(tool.description.length < 1024, true);
});

Deno.test("withSearch() refuses a second tool of its name", () => {
  const taken = chooseTools(catalogOf(entryOf("own/search_tools"), entryOf("own/b")), { toolsets: ["own"] });
  const error = assertThrows(() => withSearch(taken, 1), ToolError);
  assertEquals([error.code, error.message.endsWith("or all tools at once with --max-tools=2")], [
    "configuration",
    true,
  ]);
});

Deno.test("search_tools tells what it opened, and repairs what models send", async () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [
      { query: "song" },
      "Opened, to be called from your next reply on:\n- Sing: Sings a song. Of any length.",
    ],
    [
      { query: "reading files", limit: "1" },
      "Opened, to be called from your next reply on:\n- Read: Reads a file.",
    ],
    [{ query: "zebra" }, "None of the 3 tools fits these words: try other ones, or fewer."],
  ];
  const [{ entry: { tool, carrier } }] = withSearch(OFFERED, 2) as [typeof OFFERED[number]];
  for (const [input, text] of cases) {
    const { result } = await carrier.call(tool, input, {});
    assertEquals([result.ok, result.text], [true, text]);
    assertEquals((await carrier.explain(tool, input, {})).error, null);
  }
  for (const input of [{}, { query: "" }, { query: "a", limit: 0 }, { query: "a", limit: 21 }]) {
    const { result } = await carrier.call(tool, input, {});
    assertEquals(result.error?.code, "invalid_input", result.text);
    assertEquals((await carrier.explain(tool, input, {})).error?.code, "invalid_input");
  }
});
