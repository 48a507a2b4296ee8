import { assertEquals, assertThrows } from "@std/assert";

import type { AgentTool } from "../../../../runtime/agent/loop/parts.ts";
import { ModelTools } from "../../../../runtime/agent/tool_search/model_tools.ts";
import { SEARCH_TOOL, withSearch } from "../../../../runtime/agent/tool_search/search_tool.ts";
import { makeToolIndex, type SearchedTool } from "../../../../runtime/agent/tool_search/tool_index.ts";
import { makeShelf } from "../../../../runtime/agent/tool_search/tool_shelf.ts";
import { wordsOf } from "../../../../runtime/agent/tool_search/words_of.ts";
import { chooseTools, type OfferedTool } from "../../../../runtime/calls/catalog/choose_tools.ts";
import type { TraceLine } from "../../../../schemas/agent/trace.ts";
import { ToolError } from "../../../../schemas/error.ts";
import manifest from "../../../../tools/manifest.json" with { type: "json" };
import { ask, calls, run, tool } from "../../../support/agent_scene.ts";
import { catalogOf, entryOf } from "../../../support/manifest_entry.ts";

const REAL = manifest.tools.map(({ full_name, description, input_schema }) => (
  { name: full_name, description, parameters: input_schema as SearchedTool["parameters"] }
));

Deno.test("makeToolIndex() finds the tools of the manifest by what they do", () => {
  const index = makeToolIndex(REAL);
  const cases: readonly (readonly [string, string])[] = [
    ["harness/Grep", "harness/Grep"],
    ["search file contents with a regular expression", "harness/Grep"],
    ["find files by name pattern glob", "harness/Glob"],
    ["run a shell command", "harness/Bash"],
    ["look at a picture", "harness/ReadImage"],
    ["search scientific papers", "harness/ScholarSearch"],
    ["ask the user a question", "harness/AskUser"],
    ["calculate an arithmetic expression", "par/calculator"],
  ];
  for (const [query, name] of cases) {
    const found = index.search(query, 5).map(({ tool }) => tool.name);
    assertEquals(found.includes(name), true, `${query}: ${found}`);
  }
});

Deno.test("makeToolIndex() looks at arguments, puts a searched name first, and keeps the order of equals", () => {
  const made = (name: string, description: string, parameters = {}) => ({ name, description, parameters });
  const index = makeToolIndex([
    made("send", "Sends it", { properties: { recipients: { items: { properties: { email: {} } } } } }),
    made("b", "Paint a wall"),
    made("a", "Paint a wall"),
    made("paint", "Nothing of the kind, just a long text about something else entirely, and more of it"),
  ]);
  const names = (query: string) => index.search(query, 9).map(({ tool }) => tool.name);
  assertEquals(names("recipient email"), ["send"]);
  assertEquals(names("wall"), ["b", "a"]);
  assertEquals(names("PAINT")[0], "paint");
  assertEquals(names("nothing like that fits"), ["paint"]);
  assertEquals(names("zebra"), []);
  assertEquals(names(""), []);
  assertEquals(makeToolIndex([]).search("a", 5), []);
});

Deno.test("makeToolIndex() bears schemas of any shape", () => {
  let deep: Record<string, unknown> = { description: "bottom" };
  for (let at = 0; at < 10_000; at++) deep = { properties: { [`p${at}`]: deep } };
  const odd = { properties: { a: true, b: null, c: { description: 5, items: [] } }, items: "x" };
  const index = makeToolIndex(
    [deep, odd].map((parameters, at) => ({ name: `t${at}`, description: "", parameters })),
  );
  assertEquals(index.search("c", 5).map(({ tool }) => tool.name), ["t1"]);
});

Deno.test("wordsOf() splits names and leaves bent endings out", () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["list_files", ["list", "file"]],
    ["readImage", ["read", "imag", "readimage"]],
    ["HTTPServer2x", ["http", "server", "2", "x", "httpserver2x"]],
    ["get-issues.by-label", ["get", "issu", "by", "label"]],
    ["Searches, matching queries; editing classes", ["search", "match", "query", "edit", "class"]],
    ["bus is as this string", ["bus", "is", "as", "this", "string"]],
    ["resizing resized resizes resize", ["resiz", "resiz", "resiz", "resiz"]],
    ["running settings getting", ["run", "set", "get"]],
    ["Straße öffnen 読む", ["straß", "öffnen", "読む"]],
    ["", []],
  ];
  for (const [text, words] of cases) assertEquals(wordsOf(text), words, text);
});

const OFFERED = chooseTools(
  catalogOf(
    entryOf("harness/Read", { description: "Reads a file." }),
    entryOf("harness/Paint", { description: "Paints a picture." }),
    entryOf("harness/Sing", { description: "Sings a song.\nOf any length." }),
  ),
  {},
);

Deno.test("withSearch() leaves tools that all may go as they are, and describes what there is to find", () => {
  assertEquals(withSearch(OFFERED, 3), OFFERED);
  const offered = withSearch(OFFERED, 2);
  assertEquals(offered.map(({ name }) => name), ["search_tools", "Read", "Paint", "Sing"]);
  const { full_name, description } = offered[0]!.entry.tool;
  assertEquals([full_name, description.length < 1024], [SEARCH_TOOL.fullName, true]);
  assertEquals(description.includes("There are 3 tools"), true);
  assertEquals(description.endsWith("They come from harness (3)."), true);
});

Deno.test("withSearch() refuses a second tool of its name", () => {
  const taken = chooseTools(catalogOf(entryOf("own/search_tools"), entryOf("own/b")), { toolsets: ["own"] });
  const { code } = assertThrows(
    () => withSearch(taken, 1),
    ToolError,
    "all tools at once with --max-tools=2",
  );
  assertEquals(code, "configuration");
});

Deno.test("search_tools tells what it opened, and repairs what models send", async () => {
  const opened = "Opened, to be called from your next reply on:\n-";
  const cases: readonly (readonly [unknown, string])[] = [
    [{ query: "song" }, `${opened} Sing: Sings a song. Of any length.`],
    [{ query: "reading files", limit: "1" }, `${opened} Read: Reads a file.`],
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

const SEARCH = tool(SEARCH_TOOL.name, { full_name: SEARCH_TOOL.fullName, parallel: true, read_only: true });
const SHELVED: readonly AgentTool[] = [
  SEARCH,
  tool("Read", { description: "Reads a file" }),
  tool("Paint", { description: "Paints a picture" }),
  tool("Sing", { description: "Sings a song" }),
  tool("terminate", { ends_run: { status: "status", failed: "failure", answer: null } }),
];

Deno.test("without a search all tools are open, also those that are added", () => {
  const shelf = makeShelf(SHELVED.slice(1), []);
  assertEquals(shelf.open, SHELVED.slice(1));
  shelf.add([tool("Dance")]);
  assertEquals(shelf.open, [...SHELVED.slice(1), tool("Dance")]);
});

Deno.test("what is added to a shelf is found by the search, and what is open stays open", () => {
  const names = (shelf: ReturnType<typeof makeShelf>) => shelf.open.map(({ name }) => name);
  const shelf = makeShelf(SHELVED, []);
  const before = names(shelf);
  shelf.add([tool("Dance", { description: "Dances a waltz" })]);
  assertEquals(names(shelf), before);
  shelf.note(SEARCH_TOOL.fullName, { query: "waltz" });
  assertEquals(names(shelf), ["search_tools", "terminate", "Dance"]);
  const late = makeShelf(SHELVED.slice(1, 3), []);
  late.add([SEARCH, tool("Dance", { description: "Dances a waltz" })]);
  assertEquals(names(late), ["Read", "Paint", "search_tools"]);
  late.note(SEARCH_TOOL.fullName, { query: "waltz" });
  assertEquals(names(late), ["Read", "Paint", "search_tools", "Dance"]);
});

Deno.test("a shelf opens what a search finds and what is called, in the order of the tools", () => {
  const shelf = makeShelf(SHELVED, []);
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
  const open = makeShelf(SHELVED, earlier).open.map(({ name }) => name);
  assertEquals(open, ["search_tools", "Paint", "Sing", "terminate"]);
});

Deno.test("a tool whose call failed is open: the model sees its schema then", async () => {
  const turns = [calls(ask("Sing", { loud: 1 }, "1")), { content: "done" }];
  const { requests } = await run(turns, {
    parts: { tools: makeShelf(SHELVED, []) },
    call: () => ({ ok: false }),
  });
  assertEquals(requests[1]?.tools.map(({ name }) => name), ["search_tools", "Sing", "terminate"]);
});

const offeredTool = (fullName: string, name = fullName.split("/")[1]!): OfferedTool => ({
  entry: catalogOf(entryOf(fullName, { description: `Does ${name}.` })).entries[0]!,
  name,
});
const names = (tools: readonly OfferedTool[]) => tools.map(({ name }) => name);
const never = new AbortController().signal;

/** The tools of a run, and what is added to them with each request. */
function growing(chosen: readonly OfferedTool[], most: number, rounds: readonly OfferedTool[][]) {
  const warnings: string[] = [];
  const rest = [...rounds];
  const warn = (message: string) => void warnings.push(message);
  const findAdded = () => Promise.resolve(rest.shift() ?? []);
  return { tools: new ModelTools({ chosen, most, findAdded, warn }), warnings };
}

Deno.test("the search comes with the tool that is one too many, and finds all of them", async () => {
  const more = offeredTool("mcp/mcp_a_dance");
  const paint = offeredTool("a/Paint");
  const { tools } = growing([offeredTool("a/Read")], 2, [[paint], [paint, more], [more]]);
  assertEquals(names(await tools.grow(never)), ["Paint"]);
  assertEquals(names(await tools.grow(never)), ["search_tools", "mcp_a_dance"]);
  assertEquals(await tools.grow(never), []);
  const search = tools.offered.entryOf("agent/search_tools")!;
  const { result } = await search.carrier.call(search.tool, { query: "dance" }, {});
  assertEquals(result.result, {
    opened: [{ name: "mcp_a_dance", description: "Does mcp_a_dance." }],
    total: 3,
  });
});

Deno.test("a search of the beginning finds what is added", async () => {
  const { tools } = growing([offeredTool("a/Read"), offeredTool("a/Paint")], 1, [[offeredTool("a/Dance")]]);
  const search = tools.offered.entryOf("agent/search_tools")!;
  const find = async () => (await search.carrier.call(search.tool, { query: "dance" }, {})).result.text;
  assertEquals(await find(), "None of the 2 tools fits these words: try other ones, or fewer.");
  assertEquals(names(await tools.grow(never)), ["Dance"]);
  assertEquals(await find(), "Opened, to be called from your next reply on:\n- Dance: Does Dance.");
  const { description } = search.tool;
  assertEquals(description.includes("There are 2 tools"), true);
});

Deno.test("where another tool has the name of the search, no more tools come than may go", async () => {
  const chosen = [offeredTool("a/Read"), offeredTool("a/Paint", "search_tools")];
  const { tools } = growing(chosen, 3, [[offeredTool("a/B"), offeredTool("a/C")], [offeredTool("a/C")]]);
  assertEquals(names(await tools.grow(never)), ["B"]);
  assertEquals(names(await tools.grow(never)), []);
  assertEquals(names(tools.offered.all), ["Read", "search_tools", "B"]);
});
