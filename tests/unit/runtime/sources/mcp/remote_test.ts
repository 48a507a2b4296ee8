import { assert, assertEquals, assertRejects } from "@std/assert";

import { CallTime } from "../../../../../runtime/sources/mcp/client/call_time.ts";
import type { Progress } from "../../../../../schemas/context.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { echo, remoteScene, sseServer, streamableServer } from "../../../../support/mcp/remote_servers.ts";

Deno.test("a worker without permissions speaks with remote servers of both eras, and of both transports", async () => {
  await using both = streamableServer();
  await using legacy = streamableServer({ only: "legacy" });
  await using modern = streamableServer({ only: "modern" });
  await using old = sseServer();
  const cases = [
    [both.mcp, both.host, "either", "2026-07-28"],
    [both.mcp, both.host, "http", "2026-07-28"],
    [legacy.mcp, legacy.host, "either", "2025-11-25"],
    [modern.mcp, modern.host, "either", "2026-07-28"],
    [old.sse, old.host, "either", "2024-11-05"],
    [old.sse, old.host, "sse", "2024-11-05"],
  ] as const;
  for (const [url, host, transport, protocol] of cases) {
    await using scene = remoteScene(host, { way: { transport } });
    await using link = await scene.open(url);
    assertEquals((await link.facts()).protocol, protocol, `${url} ${transport}`);
    assertEquals(await echo(link, "hi"), "hi");
    const connections = await link.connections();
    assert(
      connections.length > 0 &&
        connections.every(({ who, decision }) => who === "mcp/test" && decision === "allowed"),
    );
  }
  // Each session was ended in words.
  assertEquals(legacy.sessions.size, 0);
});

Deno.test("calls of remote servers tell how far they are, and are cancelled", async () => {
  for (const only of ["legacy", "modern"] as const) {
    await using server = streamableServer({ only });
    await using scene = remoteScene(server.host);
    await using link = await scene.open(server.mcp);
    const told: Progress[] = [];
    const cancel = new AbortController();
    const slow = link.ask({ method: "tools/call", name: "slow", input: {} }, {
      signal: cancel.signal,
      time: new CallTime(20_000),
      onProgress(progress) {
        told.push(progress);
        cancel.abort();
      },
    });
    assertEquals((await assertRejects(() => slow, ToolError)).code, "cancelled");
    assertEquals(told, [{ done: 1, total: 2, message: "half" }]);
    assertEquals(await echo(link, "after"), "after");
  }
});

Deno.test("the gate's rules hold for remote servers: the error names the flag", async () => {
  await using server = streamableServer();
  for (const transport of ["either", "http", "sse"] as const) {
    await using scene = remoteScene(server.host, {
      rules: { allow: ["public"], deny: [], private: [] },
      way: { transport },
    });
    const { code, details } = await assertRejects(() => scene.open(server.mcp), ToolError);
    assertEquals(
      [code, details.flag],
      ["permission_denied", `--allow-private-net=${server.host}`],
      transport,
    );
  }
});

Deno.test("a redirect to another origin is not followed, and takes no header along", async () => {
  const heard: Request[] = [];
  await using other = streamableServer({ before: (request) => (heard.push(request), null) });
  await using server = streamableServer({
    before: ({ url }) => new URL(url).pathname === "/mcp" ? Response.redirect(other.mcp, 307) : null,
  });
  await using scene = remoteScene(server.host, {
    rules: { allow: ["public"], deny: [], private: true },
    way: { headers: { "X-Key": "a-secret-of-the-user" } },
  });
  await assertRejects(() => scene.open(server.mcp), ToolError);
  assertEquals(heard.length, 0);
});

Deno.test("headers of the configuration come with each request, and are seen nowhere", async () => {
  const key = "sk-the-key-of-the-user";
  const keys: (string | null)[] = [];
  await using server = streamableServer({
    before(request) {
      keys.push(request.headers.get("x-key"));
      return null;
    },
    note: () => ` ${key} ${encodeURIComponent(`${key}/`)}`,
  });
  await using scene = remoteScene(server.host, { way: { headers: { "X-Key": key } } });
  await using link = await scene.open(server.mcp);
  const text = await echo(link, "hi");
  assert(keys.length > 1 && keys.every((one) => one === key));
  assert(text.startsWith("hi ") && !text.includes(key), text);
  const connections = JSON.stringify(await link.connections());
  assert(!connections.includes(key), connections);
});

Deno.test("a key in the words of a refusal is masked", async () => {
  const key = "sk-the-key-of-the-user";
  await using server = streamableServer({ before: () => new Response(`bad key ${key}`, { status: 500 }) });
  await using scene = remoteScene(server.host, { way: { headers: { "X-Key": key } } });
  const error = await assertRejects(() => scene.open(server.mcp), ToolError);
  assert(!JSON.stringify(error.toInfo()).includes(key), error.message);
  assertEquals([error.code, error.details.status], ["external_failure", 500]);
});

Deno.test("a session that the server has forgotten ends the link, and the next one begins another", async () => {
  await using server = streamableServer({ only: "legacy" });
  await using scene = remoteScene(server.host);
  await using link = await scene.open(server.mcp);
  server.sessions.clear();
  await assertRejects(() => echo(link, "hi"), ToolError);
  assertEquals(link.end?.message, "it does not know this session any more");
  await using next = await scene.open(server.mcp);
  assertEquals(await echo(next, "again"), "again");
});

Deno.test("a stream of events that breaks off ends the link", async () => {
  await using server = sseServer();
  await using scene = remoteScene(server.host, { way: { transport: "sse" } });
  await using link = await scene.open(server.sse);
  assertEquals(await echo(link, "hi"), "hi");
  server.drop();
  await assertRejects(
    () => link.ask({ method: "tools/list" }, { signal: scene.signal, time: new CallTime(10_000) }),
    ToolError,
  );
});

Deno.test("answers beyond the bounds end, whatever their form", async () => {
  const big = "x".repeat(11 * 1024 * 1024);
  const forms: Record<string, (id: unknown) => Response> = {
    json: (id) => Response.json({ jsonrpc: "2.0", id, result: { big } }),
    events: () => new Response(`data: ${big}\n\n`, { headers: { "content-type": "text/event-stream" } }),
    packed: () =>
      new Response(new Blob([big.repeat(4)]).stream().pipeThrough(new CompressionStream("gzip")), {
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
      }),
    refusal: () => new Response(big, { status: 500 }),
  };
  for (const [name, form] of Object.entries(forms)) {
    await using server = streamableServer({ before: async (request) => form((await request.json()).id) });
    await using scene = remoteScene(server.host, { way: { transport: "http" } });
    const error = await assertRejects(() => scene.open(server.mcp), ToolError);
    assertEquals(error.code, "external_failure", name);
  }
});

Deno.test("the end of the gate ends the link", async () => {
  await using server = streamableServer();
  await using scene = remoteScene(server.host);
  await using link = await scene.open(server.mcp);
  await scene.gate.kill();
  await assertRejects(() => echo(link, "hi"), ToolError);
  assertEquals(link.end?.code, "unavailable");
  await using next = await scene.open(server.mcp);
  assertEquals(await echo(next, "again"), "again");
});

Deno.test("a server that wants a login says what helps", async () => {
  await using server = streamableServer({ before: () => new Response("no", { status: 401 }) });
  const cases = [
    [{}, "it wants a login: log in"],
    [
      { headers: { authorization: "Bearer of-the-user" } },
      "it does not accept the header Authorization of its configuration",
    ],
  ] as const;
  for (const [way, message] of cases) {
    await using scene = remoteScene(server.host, { way });
    const error = await assertRejects(() => scene.open(server.mcp), ToolError);
    assertEquals([error.code, error.message], ["unauthenticated", message]);
  }
});
