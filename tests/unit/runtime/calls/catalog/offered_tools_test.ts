import { assertEquals } from "@std/assert";

import { chooseTools } from "../../../../../runtime/calls/catalog/choose_tools.ts";
import { laterTools, OfferedTools } from "../../../../../runtime/calls/catalog/offered_tools.ts";
import { catalogOf, entryOf } from "../../../../support/manifest_entry.ts";

const plain = catalogOf(entryOf("harness/Read"), entryOf("par/bash"), entryOf("mcp/mcp_a_b"));
const catalog = { ...plain, addedToolsets: ["mcp"] };
const grown = {
  ...catalog,
  entries: [
    ...catalog.entries,
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
  const offered = new OfferedTools(chooseTools(catalog, { extraTools: ["par/bash=MCP_A_C"] }));
  const before = offered.all;
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  assertEquals(offered.add(laterTools(catalog, {}), warn), []);
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
