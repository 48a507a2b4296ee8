import { assertEquals } from "@std/assert";
import { Server } from "@modelcontextprotocol/server";

import { HttpSessions } from "../../../../../runtime/mcp/inside/http_sessions.ts";

const HELLO = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};

function begin(sessions: HttpSessions, accept = "application/json, text/event-stream"): Promise<Response> {
  const headers = { accept, "content-type": "application/json" };
  const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers, body: "{}" });
  return sessions.fetch(request, HELLO);
}

Deno.test("clients that come at the same moment do not pass the bound of sessions", async () => {
  const ended: string[] = [];
  const sessions = new HttpSessions(
    () => new Server({ name: "test", version: "1" }, { capabilities: {} }),
    (connection) => void ended.push(connection),
  );
  // A session that was refused takes no place.
  assertEquals((await begin(sessions, "text/html")).status, 406);
  assertEquals(ended.length, 1);
  const responses = await Promise.all(Array.from({ length: 40 }, () => begin(sessions)));
  const count = (status: number) => responses.filter((response) => response.status === status).length;
  assertEquals([count(200), count(503)], [32, 8]);
  await Promise.all(responses.map((response) => response.body?.cancel()));
  await sessions.close();
  assertEquals(ended.length, 33);
});
