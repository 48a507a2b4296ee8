import { assertEquals } from "@std/assert";

import type { AgentTool } from "../../../../../runtime/agent/loop/parts.ts";
import { SEARCH_TOOL } from "../../../../../runtime/agent/tool_search/search_tool.ts";
import { makeShelf } from "../../../../../runtime/agent/tool_search/tool_shelf.ts";
import type { TraceLine } from "../../../../../schemas/agent/trace.ts";
import { ask, calls, run, tool } from "../../../../support/agent_scene.ts";

const SEARCH = tool(SEARCH_TOOL.name, { full_name: SEARCH_TOOL.fullName, parallel: true, read_only: true });
const TOOLS: readonly AgentTool[] = [
  SEARCH,
  tool("Read", { description: "Reads a file" }),
  tool("Paint", { description: "Paints a picture" }),
  tool("Sing", { description: "Sings a song" }),
  tool("terminate", { ends_run: { status: "status", failed: "failure", answer: null } }),
];

Deno.test("without a search all tools are open, also those that are added", () => {
  const shelf = makeShelf(TOOLS.slice(1), []);
  assertEquals(shelf.open, TOOLS.slice(1));
  shelf.add([tool("Dance")]);
  assertEquals(shelf.open, [...TOOLS.slice(1), tool("Dance")]);
});

Deno.test("what is added to a shelf is found by the search, and what is open stays open", () => {
  const names = (shelf: ReturnType<typeof makeShelf>) => shelf.open.map(({ name }) => name);
  const shelf = makeShelf(TOOLS, []);
  const before = names(shelf);
  shelf.add([tool("Dance", { description: "Dances a waltz" })]);
  assertEquals(names(shelf), before);
  shelf.note(SEARCH_TOOL.fullName, { query: "waltz" });
  assertEquals(names(shelf), ["search_tools", "terminate", "Dance"]);
  const late = makeShelf(TOOLS.slice(1, 3), []);
  late.add([SEARCH, tool("Dance", { description: "Dances a waltz" })]);
  assertEquals(names(late), ["Read", "Paint", "search_tools"]);
  late.note(SEARCH_TOOL.fullName, { query: "waltz" });
  assertEquals(names(late), ["Read", "Paint", "search_tools", "Dance"]);
});

Deno.test("a shelf opens what a search finds and what is called, in the order of the tools", () => {
  const shelf = makeShelf(TOOLS, []);
  const open = () => shelf.open.map(({ name }) => name);
  assertEquals(open(), ["search_tools", "terminate"]);
  const before = shelf.open;
  shelf.note(SEARCH_TOOL.fullName, { query: "zebra" });
  shelf.note(SEARCH_TOOL.fullName, "no object");
  shelf.note("set/unknown", {});
  assertEquals(shelf.open === before, true);
  shelf.note(SEARCH_TOOL.fullName, { query: "song" });
  assertEquals(open(), ["search_tools", "Sing", "terminate"]);
  shelf.note("set/Read", {});
  assertEquals(open(), ["search_tools", "Read", "Sing", "terminate"]);
});

Deno.test("makeShelf() opens what earlier runs of the session opened", () => {
  const earlier: TraceLine[] = [
    { t: "call", id: "1", tool: SEARCH_TOOL.fullName, arguments: { query: "picture" } },
    { t: "call", id: "2", tool: "set/Sing", arguments: {} },
  ];
  assertEquals(makeShelf(TOOLS, earlier).open.map(({ name }) => name), [
    "search_tools",
    "Paint",
    "Sing",
    "terminate",
  ]);
});

Deno.test("requests have the search and the tools that it opened", async () => {
  const turns = [
    calls(ask("search_tools", { query: "song" }, "1")),
    calls(ask("Sing", {}, "2"), ask("Unknown", {}, "3")),
    calls(ask("Paint", {}, "4")),
    { content: "done" },
  ];
  const { requests, outcome, lines } = await run(turns, {
    parts: { tools: makeShelf(TOOLS, []) },
  });
  assertEquals(outcome.termination_reason, "completed");
  assertEquals(requests.map(({ tools }) => tools.map(({ name }) => name)), [
    ["search_tools", "terminate"],
    ["search_tools", "Sing", "terminate"],
    ["search_tools", "Sing", "terminate"],
    ["search_tools", "Paint", "Sing", "terminate"],
  ]);
  const unknown = lines.find((line) => line.t === "result" && line.id === "3");
  assertEquals(
    unknown?.t === "result" && unknown.content,
    'Unknown tool "Unknown": the tools are search_tools, Sing, terminate',
  );
});

Deno.test("a tool whose call failed is open: the model sees its schema then", async () => {
  const turns = [calls(ask("Sing", { loud: 1 }, "1")), { content: "done" }];
  const { requests } = await run(turns, {
    parts: { tools: makeShelf(TOOLS, []) },
    call: () => ({ ok: false }),
  });
  assertEquals(requests[1]?.tools.map(({ name }) => name), ["search_tools", "Sing", "terminate"]);
});
