import { assert, assertEquals } from "@std/assert";

import { callAnswer } from "../../support/cli/mcp/client.ts";
import { beginSession, messagesOf, post, rawRequest, serveHttp, TOKEN } from "../../support/cli/mcp/http.ts";
import { makeScene } from "../../support/cli/scene.ts";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

Deno.test("mcp serve --http answers clients of both eras", async () => {
  using scene = makeScene({ "ws/a.txt": "hello" });
  await using server = await serveHttp(scene);
  const session = await beginSession(server.url);
  const read = { name: "Read", arguments: { path: "a.txt" } };
  assert(callAnswer(await session.ask("tools/call", read)).text.includes("hello"));
  await session.end();
  assertEquals((await session.ask("tools/call", read)).error?.code, -32001);
  const params = { ...read, _meta: META };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "Read" };
  const answer = await post(server.url, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers);
  const [message] = (await messagesOf(answer)).slice(-1);
  assert(callAnswer(message!).text.includes("hello"));
});

Deno.test("mcp serve --http bounds what it reads, and survives nonsense", async () => {
  using scene = makeScene({ "ws/a.txt": "hello" });
  await using server = await serveHttp(scene);
  const head = ["POST /mcp HTTP/1.1", `Host: 127.0.0.1:${server.port}`, `Authorization: Bearer ${TOKEN}`];
  const told = await rawRequest(server.port, [...head, "Content-Length: 104857600"]);
  assert(told.startsWith("HTTP/1.1 413 "), told);
  const deep = await post(server.url, "[".repeat(1_000_000));
  assertEquals([deep.status, (await messagesOf(deep))[0]?.error?.code], [400, -32700]);
  const broken = await post(server.url, "{");
  assertEquals([broken.status, (await messagesOf(broken))[0]?.error?.code], [400, -32700]);
  const long = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20)),
  });
  // The server stops reading: the client sees the refusal, or that the connection broke off.
  const endless = await fetch(server.url, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}` },
    body: long,
  }).then(async ({ status, body }) => (await body?.cancel(), status), () => 413);
  assertEquals(endless, 413);
  const sessions = [];
  for (let at = 0; at < 40; at++) sessions.push((await beginSession(server.url)).id);
  assertEquals(sessions.filter((id) => id !== "").length, 32);
});
