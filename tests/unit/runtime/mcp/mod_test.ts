import { assertEquals, assertRejects } from "@std/assert";

import { serveMcp, ToolError } from "../../../../runtime/mcp/mod.ts";
import { workspace } from "../../../support/run_tool.ts";

const TOKEN = "a token of thirty letters here".replaceAll(" ", "-");

Deno.test("serveMcp() serves functions and tools of a program over HTTP, until its signal", async () => {
  using ws = workspace({ "a.txt": "text" });
  const end = new AbortController();
  const ready = Promise.withResolvers<number | null>();
  const served = serveMcp({
    ...{ workspace: ws.path, sandbox: "off", config: false, signal: end.signal },
    here: [{ name: "add", description: "Add.", run: () => 3 }],
    tools: ["here/add", "Read"],
    http: { port: 0, token: TOKEN },
    onReady: ready.resolve,
  });
  served.catch(ready.reject);
  const port = await ready.promise;
  const ask = async (method: string, params: unknown = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(method === "tools/call" && { "mcp-name": "add" }),
      },
      body: JSON.stringify({
        ...{ jsonrpc: "2.0", id: 1, method },
        params: {
          ...params as object,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
          },
        },
      }),
    });
    const text = await answer.text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
  };
  const { tools } = await ask("tools/list");
  assertEquals(tools.map(({ name }: { name: string }) => name), ["add", "Read"]);
  assertEquals((await ask("tools/call", { name: "add", arguments: {} })).content[0].text, "3");
  end.abort();
  await served;
});

Deno.test("serveMcp() says what cannot be served", async () => {
  using ws = workspace();
  const base = { workspace: ws.path, sandbox: "off", config: false } as const;
  await assertRejects(() => serveMcp({ ...base, tools: ["Read"], toolsets: ["par"] }), TypeError, "complete");
  await assertRejects(() => serveMcp({ ...base, http: { port: 0, token: "short" } }), TypeError, "16");
  await assertRejects(() => serveMcp({ ...base, http: { port: 70_000, token: TOKEN } }), TypeError, "port");
  const error = await assertRejects(() => serveMcp({ ...base, tools: ["Nope"] }), ToolError);
  assertEquals(error.code, "invalid_input");
});
