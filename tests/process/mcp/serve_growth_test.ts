import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";

import { connect, type PipeClient } from "../../support/cli/mcp/client.ts";
import { makeScene } from "../../support/cli/scene.ts";

const SERVER = join(import.meta.dirname!, "../../fixtures/mcp/growing_server.sh");
/** Nothing here is about walls. */
const MCP = ["--mcp=../mcp.json", "--toolset=mcp", "--sandbox=off", "--allow-run=sh"];
const FIRST = ["mcp_g_grow", "mcp_g_shrink"];

/** Waits until the client was told that there are other tools. */
async function toldOfTools(client: PipeClient): Promise<void> {
  const isTold = () => client.notes.some(({ method }) => method === "notifications/tools/list_changed");
  while (!isTold()) await client.ask("ping");
}

Deno.test("mcp serve tells its client of added tools, and serves them", async () => {
  using made = makeScene({
    "mcp.json": JSON.stringify({ mcpServers: { g: { command: "sh", args: [SERVER] } } }),
  });
  await using client = await connect(made, { flags: MCP });
  const names = async () => {
    const { result } = await client.ask("tools/list");
    return (result?.tools as { name: string }[]).map(({ name }) => name);
  };
  assertEquals(await names(), FIRST);
  const unknown = await client.ask("tools/call", { name: "mcp_g_grown", arguments: {} });
  assertEquals(unknown.error?.code, -32602);
  assertEquals((await client.call("mcp_g_grow", {})).text, "grew");
  await toldOfTools(client);
  assertEquals(await names(), [...FIRST, "mcp_g_grown"]);
  assertEquals((await client.call("mcp_g_grown", { word: "served" })).text, "danced served");
  // Nothing else has it, and one that is gone says so.
  await using other = await connect(made, { flags: MCP });
  const { result } = await other.ask("tools/list");
  assertEquals((result?.tools as unknown[]).length, 2);
  await client.call("mcp_g_shrink", {});
  const gone = await client.call("mcp_g_grown", {});
  assert(gone.isError && gone.text.includes("any more"), gone.text);
});
