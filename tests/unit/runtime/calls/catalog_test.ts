import { assertEquals, assertThrows } from "@std/assert";

import { chooseTools } from "../../../../runtime/calls/catalog/choose_tools.ts";
import { findTool, noteOnName } from "../../../../runtime/calls/catalog/find_tool.ts";
import { laterTools, OfferedTools } from "../../../../runtime/calls/catalog/offered_tools.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { catalogOf, entryOf, NAME_CATALOG as catalog } from "../../../support/manifest_entry.ts";

Deno.test("findTool() takes full names, unique bare names, and prefers the default set", () => {
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

Deno.test("findTool() takes other spellings of a name that fit one tool only; an exact name wins", () => {
  const searches = ["first/Web_Search", "first/WebSearch", "second/web_search_tool"];
  const names = [...searches, "third/pick_one", "fourth/PickOne"];
  const entries = names.map((name) => ({ tool: entryOf(name) }));
  const found = (name: string) => findTool({ entries, defaultToolset: "first" }, name).tool.full_name;
  for (const said of ["web_search_tool", "WebSearchTool", "SECOND/WebSearchTool"]) {
    assertEquals(found(said), "second/web_search_tool", said);
  }
  assertEquals([found("Web_Search"), found("WebSearch")], ["first/Web_Search", "first/WebSearch"]);
  assertEquals(found("PickOne"), "fourth/PickOne");
  const rows = [["pickone", names.slice(3)], ["web-search", names.slice(0, 2)]] as const;
  for (const [said, candidates] of rows) {
    const ambiguous = assertThrows(() => found(said), ToolError, "ambiguous");
    assertEquals(ambiguous.details.candidates, candidates);
  }
  assertThrows(() => found("third/WebSearchTool"), ToolError, "Unknown tool");
  const near = assertThrows(() => found("web_serch_tool"), ToolError, "did you mean");
  assertEquals((near.details.candidates as string[])[0], "web_search_tool");
});

Deno.test("findTool() says which tools are left out, as one of them may be meant", () => {
  const find = (leftOut: readonly string[]) => findTool({ ...catalog, leftOut }, "mcp_notes_find");
  const lead = 'Unknown tool "mcp_notes_find"; some tools are left out: ';
  assertThrows(() => find(['server "notes" failed']), ToolError, `${lead}server "notes" failed`);
  assertThrows(() => find([..."abcdefg"]), ToolError, `${lead}a; b; c; d; e; and 2 more`);
});

const namesOf = (choice: Parameters<typeof chooseTools>[1]) =>
  chooseTools(catalog, choice).map(({ entry, name }) => `${entry.tool.full_name}=${name}`);

Deno.test("chooseTools() offers the default set without its optional tools", { permissions: "none" }, () => {
  assertEquals(namesOf({}), ["harness/Read=Read", "harness/edit_all=edit_all"]);
  for (const extraTools of [["editor"], ["editor", "editor"]]) {
    assertEquals(namesOf({ extraTools }).slice(2), ["harness/editor=editor"]);
  }
  assertEquals(namesOf({ toolsets: ["par"] }), ["par/read=read", "par/edit_all=edit_all", "par/bash=bash"]);
  assertEquals(namesOf({ tools: ["par/bash=par_bash", "Read"] }), ["par/bash=par_bash", "harness/Read=Read"]);
});

Deno.test("chooseTools() refuses what cannot stand together", { permissions: "none" }, () => {
  const cases: [Parameters<typeof chooseTools>[1], string][] = [
    [{ toolsets: ["par", "manus"] }, "with --toolset par --extra-tool manus/bash=manus_bash"],
    [{ toolsets: ["par"], extraTools: ["manus/bash"] }, "rename one with --extra-tool manus/bash=manus_bash"],
    [{ tools: ["par/bash", "manus/bash"] }, "rename one with --tool manus/bash=manus_bash"],
    [{ tools: ["Read", "Read"] }, "Duplicate tools requested: harness/Read is chosen twice, name it once"],
    [
      { extraTools: ["Read"] },
      "harness/Read is chosen twice, it is in harness already, so leave the extra one out",
    ],
    [{ toolsets: ["par", "par"], extraTools: ["par/bash"] }, "Duplicate tools requested: par/bash"],
    [{ tools: ["Read"], extraTools: ["editor"] }, "--tool names the complete choice"],
    [{ toolsets: ["pan"] }, 'Unknown toolset "pan"'],
    [{ tools: ["Read=no good"] }, "letters, digits"],
  ];
  for (const [choice, message] of cases) {
    assertEquals(assertThrows(() => namesOf(choice), ToolError, message).code, "invalid_input");
  }
});

Deno.test("chooseTools() describes a tool by the names of those that are offered", () => {
  const see_also = ["Use {other} for more.", "See {other|third}[, then {third}]."];
  const tools = ["one", "other", "third"].map((name) => entryOf(`harness/${name}`, { see_also }));
  const described = (choice: string[]) =>
    chooseTools(catalogOf(...tools), { tools: choice })[0]!.entry.tool.description;
  assertEquals(described(["one"]), "Does it.");
  assertEquals(described(["one", "other=o"]), "Does it. Use o for more. See o.");
  assertEquals(described(["one", "third"]), "Does it. See third, then third.");
  const told = "Does it. Use other for more. See other and third, then third.";
  assertEquals(described(["one", "other", "third"]), told);
});

Deno.test("chooseTools() leaves of the toolsets' tools those that are named", { permissions: "none" }, () => {
  assertEquals(namesOf({ only: ["Read"] }), ["harness/Read=Read"]);
  assertEquals(namesOf({ only: ["edit_all=all", "par/bash"] }), ["harness/edit_all=all"]);
  assertEquals(namesOf({ only: [] }), []);
  const two = namesOf({ only: ["Read"], extraTools: ["editor"] });
  assertEquals(two, ["harness/Read=Read", "harness/editor=editor"]);
  assertThrows(() => namesOf({ only: ["Raed"] }), ToolError, 'Unknown tool "Raed"');
});

Deno.test("chooseTools() adds toolsets and tools as far as they are there", { permissions: "none" }, () => {
  const beside = ["manus", "ParRead", "par/edit_all", "bash", "nobody"];
  const [first, second] = namesOf({ tools: ["Read"], beside });
  assertEquals([first, second], ["harness/Read=Read", "par/edit_all=edit_all"]);
  assertEquals(namesOf({ tools: ["Read"], beside: ["gone"] }), ["harness/Read=Read"]);
});

const plain = catalogOf(entryOf("harness/Read"), entryOf("par/bash"), entryOf("mcp/mcp_a_b"));
const small = { ...plain, addedToolsets: ["mcp"] };
const grown = {
  ...small,
  entries: [
    ...small.entries,
    ...catalogOf(entryOf("mcp/mcp_a_c"), entryOf("mcp/mcp_a_d", { optional: true })).entries,
  ],
};
const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

Deno.test("laterTools() takes in what whole toolsets get, and nothing where tools were named", () => {
  assertEquals(names(laterTools(grown, {})), ["Read", "mcp_a_b", "mcp_a_c"]);
  assertEquals(names(laterTools(grown, { toolsets: ["mcp"] })), ["mcp_a_b", "mcp_a_c"]);
  assertEquals(names(laterTools(grown, { toolsets: ["harness"] })), ["Read"]);
  assertEquals(laterTools(grown, { tools: ["Read"] }), []);
});

Deno.test("offered tools only grow, and none takes the name of another", () => {
  const offered = new OfferedTools(chooseTools(small, { extraTools: ["par/bash=MCP_A_C"] }));
  const before = offered.all;
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  assertEquals(offered.add(laterTools(small, {}), warn), []);
  assertEquals(offered.all === before, true);
  for (let times = 0; times < 2; times++) assertEquals(offered.add(laterTools(grown, {}), warn), []);
  assertEquals(warnings, ['mcp/mcp_a_c was added and is not offered: another tool is offered as "mcp_a_c"']);
  const more = [{ entry: entryIn("mcp/mcp_a_d"), name: "mcp_a_d" }];
  assertEquals(names(offered.add(more, warn)), ["mcp_a_d"]);
  assertEquals(names(offered.all), ["Read", "mcp_a_b", "MCP_A_C", "mcp_a_d"]);
  assertEquals(offered.entryOf("mcp/mcp_a_d") === more[0]!.entry, true);
  assertEquals(offered.names.get("par/bash"), "MCP_A_C");
});

function entryIn(fullName: string) {
  return grown.entries.find(({ tool }) => tool.full_name === fullName)!;
}
