import { assertEquals } from "@std/assert";

import type { OfferedTool } from "../../../../../runtime/calls/catalog/choose_tools.ts";
import { ModelTools } from "../../../../../runtime/agent/tool_search/model_tools.ts";
import { catalogOf, entryOf } from "../../../../support/manifest_entry.ts";

const tool = (fullName: string, name = fullName.split("/")[1]!): OfferedTool => ({
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
  const more = tool("mcp/mcp_a_dance");
  const { tools } = growing([tool("a/Read")], 2, [[tool("a/Paint")], [tool("a/Paint"), more], [more]]);
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
  const { tools } = growing([tool("a/Read"), tool("a/Paint")], 1, [[tool("a/Dance")]]);
  const search = tools.offered.entryOf("agent/search_tools")!;
  const find = async () => (await search.carrier.call(search.tool, { query: "dance" }, {})).result.text;
  assertEquals(await find(), "None of the 2 tools fits these words: try other ones, or fewer.");
  assertEquals(names(await tools.grow(never)), ["Dance"]);
  assertEquals(await find(), "Opened, to be called from your next reply on:\n- Dance: Does Dance.");
  const { description } = search.tool;
  assertEquals(description.includes("There are 2 tools"), true);
});

Deno.test("where another tool has the name of the search, no more tools come than may go", async () => {
  const chosen = [tool("a/Read"), tool("a/Paint", "search_tools")];
  const { tools } = growing(chosen, 3, [[tool("a/B"), tool("a/C")], [tool("a/C")]]);
  assertEquals(names(await tools.grow(never)), ["B"]);
  assertEquals(names(await tools.grow(never)), []);
  assertEquals(names(tools.offered.all), ["Read", "search_tools", "B"]);
});
