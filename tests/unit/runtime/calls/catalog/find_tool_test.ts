import { assertEquals, assertThrows } from "@std/assert";

import { findTool, noteOnName } from "../../../../../runtime/calls/catalog/find_tool.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { entryOf, NAME_CATALOG as catalog } from "../../../../support/manifest_entry.ts";

Deno.test("findTool() takes full names, unique bare names, and prefers the default set", {
  permissions: "none",
}, () => {
  assertEquals(findTool(catalog, "par/read").tool.full_name, "par/read");
  assertEquals(findTool(catalog, "read").tool.full_name, "harness/Read");
  assertEquals(findTool(catalog, "READ").tool.full_name, "harness/Read");
  assertEquals(findTool(catalog, "edit_all").tool.full_name, "harness/edit_all");
});

Deno.test("noteOnName() tells which tool a name was taken for", { permissions: "none" }, () => {
  const note = (name: string) => noteOnName(catalog, name, findTool(catalog, name));
  assertEquals(note("read"), '"read" was taken for harness/Read; for par/read say the full name');
  assertEquals(note("READ"), '"READ" was taken for harness/Read');
  assertEquals([note("Read"), note("par/read"), note("edit_all")], [null, null, null]);
});

Deno.test("findTool() names the candidates", { permissions: "none" }, () => {
  const ambiguous = assertThrows(() => findTool(catalog, "bash"), ToolError);
  assertEquals(ambiguous.code, "invalid_input");
  assertEquals(ambiguous.details.candidates, ["par/bash", "manus/bash"]);
  const unknown = assertThrows(() => findTool(catalog, "Raed"), ToolError);
  assertEquals((unknown.details.candidates as string[]).includes("Read"), true);
});

Deno.test("findTool() takes other spellings of a name that fit one tool only; an exact name wins", {
  permissions: "none",
}, () => {
  const names = [
    "first/Web_Search",
    "first/WebSearch",
    "second/web_search_tool",
    "third/pick_one",
    "fourth/PickOne",
  ];
  const entries = names.map((name) => ({ tool: entryOf(name) }));
  const found = (name: string) => findTool({ entries, defaultToolset: "first" }, name).tool.full_name;
  for (
    const said of [
      "web_search_tool",
      "WebSearchTool",
      "websearchtool",
      "Web-Search-Tool",
      "SECOND/WebSearchTool",
    ]
  ) {
    assertEquals(found(said), "second/web_search_tool", said);
  }
  assertEquals([found("Web_Search"), found("WebSearch")], ["first/Web_Search", "first/WebSearch"]);
  assertEquals(found("PickOne"), "fourth/PickOne");
  for (
    const [said, candidates] of [["pickone", names.slice(3)], ["web-search", names.slice(0, 2)]] as const
  ) {
    const ambiguous = assertThrows(() => found(said), ToolError, "ambiguous");
    assertEquals(ambiguous.details.candidates, candidates);
  }
  assertThrows(() => found("third/WebSearchTool"), ToolError, "Unknown tool");
  const near = assertThrows(() => found("web_serch_tool"), ToolError, "did you mean");
  assertEquals((near.details.candidates as string[])[0], "web_search_tool");
});

Deno.test(
  "findTool() says which tools are left out, as one of them may be meant",
  { permissions: "none" },
  () => {
    const message = (name: string, leftOut: readonly string[]) =>
      assertThrows(() => findTool({ ...catalog, leftOut }, name), ToolError).message;
    assertEquals(
      message("mcp_notes_find", ['server "notes" failed']),
      'Unknown tool "mcp_notes_find"; some tools are left out: server "notes" failed',
    );
    const many = message("mcp_notes_find", ["a", "b", "c", "d", "e", "f", "g"]);
    assertEquals(many.endsWith("left out: a; b; c; d; e; and 2 more"), true);
  },
);
