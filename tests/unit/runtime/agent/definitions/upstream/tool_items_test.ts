import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import type {
  PlainObject,
  PlainValue,
} from "../../../../../../runtime/agent/definitions/upstream/plain_tree.ts";
import {
  definedTools,
  readToolItems,
  renamedTools,
} from "../../../../../../runtime/agent/definitions/upstream/tool_items.ts";
import { entryOf } from "../../../../../support/manifest_entry.ts";

const tools = ["sgr/web_search_tool", "sgr/final_answer_tool", "par/bash", "manus/bash"].map((name) =>
  entryOf(name)
);
const manifest = { tools };

function read(items: readonly PlainValue[], defined: PlainObject = {}) {
  const warnings: string[] = [];
  const { items: found, own } = readToolItems(items, "a.tools", {
    manifest,
    defined,
    warn: (message) => void warnings.push(message),
  });
  return { found: found.map(({ entry, settings }) => [entry.full_name, settings]), own, warnings };
}

Deno.test("readToolItems() looks into the section first, then among all tools, in every spelling", () => {
  const defined = { quick: { base_class: "WebSearchTool", max_results: 3 }, final_answer_tool: null };
  const web = "sgr/web_search_tool";
  assertEquals(read(["quick"], defined).found, [[web, { max_results: 3 }]]);
  for (const name of ["web_search_tool", "WebSearchTool", "websearchtool", "sgr/web_search_tool"]) {
    assertEquals(read([name], defined).found, [[web, {}]], name);
  }
  assertEquals(read(["WebSearchTool"], { web_search_tool: { engine: "brave" } }).found, [[web, {
    engine: "brave",
  }]]);
  const paths = { search: { base_class: "sgr_agent_core.tools.WebSearchTool" } };
  assertEquals(read([{ search: { max_results: 9 } }], paths).found, [[web, { max_results: 9 }]]);
  // The section gives another tool this name.
  assertEquals(read(["web_search_tool"], { web_search_tool: { base_class: "FinalAnswerTool" } }).found, [
    ["sgr/final_answer_tool", {}],
  ]);
});

Deno.test("readToolItems() lets the last settings of a tool count", () => {
  const defined = { web_search_tool: { max_results: 5, engine: "tavily" } };
  const items = [{ web_search_tool: { max_results: 2 } }, { name: "WebSearchTool", max_results: 7 }];
  assertEquals(read(items, defined).found, [["sgr/web_search_tool", { max_results: 7, engine: "tavily" }]]);
  assertEquals(read([{ web_search_tool: null }], defined).found, [["sgr/web_search_tool", {
    ...defined.web_search_tool,
  }]]);
});

Deno.test("readToolItems() tells a mistyped name from one that bulkhead cannot know", () => {
  assertThrows(() => read(["web_serch_tool"]), ToolError, 'did you mean "web_search_tool"?');
  const { own, warnings } = read(["GoToLinkTool", "mine.tools.Own"]);
  assertEquals(own, ["GoToLinkTool", "mine.tools.Own"]);
  assertEquals(warnings.length, 2);
  assertThrows(
    () => read(["bash"]),
    ToolError,
    'a.tools[0]: "bash" is ambiguous: say par/bash or manus/bash',
  );
  assertThrows(() => read([7]), ToolError, "a.tools[0] must be the name of a tool");
  assertThrows(() => read(["x"], { x: 3 }), ToolError, "tools.x must be a mapping");
});

Deno.test("definedTools() and renamedTools() tell a tool's own name from another one", () => {
  const defined = {
    WebSearchTool: { max_results: 3 },
    quick: { base_class: "web_search_tool" },
    mine: { base_class: "a.Mine" },
    final_answer_tool: null,
  };
  assertEquals(
    definedTools({ manifest, defined }).map(({ entry, settings }) => [entry.full_name, settings]),
    [["sgr/web_search_tool", { max_results: 3 }], ["sgr/final_answer_tool", {}]],
  );
  assertEquals(renamedTools({ manifest, defined }), { quick: "sgr/web_search_tool" });
});
