import { assert, assertEquals, assertRejects } from "@std/assert";

import { makeGate } from "../../../../../runtime/net/open_gate.ts";
import { fetchOverPort, type GateFetch } from "../../../../../runtime/net/port/fetch_over_port.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { NetRules } from "../../../../../schemas/net.ts";
import { DIRECT, onlyTo, rawServer, testServer } from "../../../../support/net/gate_scene.ts";

/** A gate with one port, and a `fetch` over it. */
async function portScene(rules: NetRules) {
  const gate = makeGate({ upstream: DIRECT });
  const door = await gate.portDoor({ who: "test/server", rules, secrets: [] });
  const fetch: GateFetch = fetchOverPort(door);
  return {
    gate,
    door,
    fetch,
    async [Symbol.asyncDispose]() {
      door.port.close();
      await gate[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a request over a port comes as it was made, and its answer too", async () => {
  await using server = testServer(async (request) => {
    const body = await request.text();
    const { method, headers, url } = request;
    const [own, type] = [headers.get("x-own"), headers.get("content-type")];
    const answer = { method, body, path: new URL(url).pathname, own, type };
    return Response.json(answer, { status: 201, headers: { "x-told": "yes", "set-cookie": "a=b" } });
  });
  await using scene = await portScene(onlyTo(server.host));
  const response = await scene.fetch(new URL(`${server.url}/a b?c#d`), {
    method: "POST",
    headers: { "x-own": "1", "content-type": "application/json" },
    body: "{}",
  });
  assertEquals([response.status, response.headers.get("x-told")], [201, "yes"]);
  const asked = { method: "POST", body: "{}", path: "/a%20b", own: "1", type: "application/json" };
  assertEquals(await response.json(), asked);
  const form = await scene.fetch(server.url, { method: "POST", body: new URLSearchParams({ a: "ü" }) });
  assertEquals((await form.json()).body, "a=%C3%BC");
  const [one, ...more] = await scene.door.take(null);
  assertEquals([one?.who, one?.decision, one?.port, more.length], ["test/server", "allowed", server.port, 1]);
});

Deno.test("bodies of any size and packing come whole, and answers without a body", async () => {
  const text = "0123456789abcdef".repeat(200_000);
  await using server = testServer(async (request) => {
    const { pathname } = new URL(request.url);
    if (request.method === "POST") return new Response(await request.text());
    if (pathname === "/none") return new Response(null, { status: 204 });
    if (pathname === "/empty") return new Response("", { status: 200 });
    if (pathname === "/redirect") return new Response(null, { status: 307, headers: { location: "/none" } });
    const headers = { "content-encoding": "gzip" };
    if (pathname === "/packed") {
      return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip")), { headers });
    }
    return new Response(text, { headers: { "cache-control": "no-transform" } });
  });
  await using scene = await portScene(onlyTo(server.host));
  const get = async (path: string) => await scene.fetch(`${server.url}/${path}`);
  assertEquals(await (await get("plain")).text(), text);
  const packed = await get("packed");
  assertEquals([await packed.text(), packed.headers.get("content-encoding")], [text, null]);
  assertEquals([(await get("none")).status, await (await get("empty")).text()], [204, ""]);
  const redirect = await get("redirect");
  assertEquals([redirect.status, redirect.headers.get("location")], [307, "/none"]);
  const long = await scene.fetch(server.url, { method: "POST", body: text });
  assertEquals((await long.text()).length, text.length);
});

Deno.test("what the gate refuses is an error that names the flag, and no answer of a server is taken for one", async () => {
  await using server = testServer(() => new Response("secret"));
  await using scene = await portScene({ allow: ["public"], deny: ["example.com"], private: [] });
  const refused = await assertRejects(() => scene.fetch(server.url), ToolError);
  const flag = `--allow-private-net=${server.host}`;
  assertEquals([refused.code, refused.details.flag], ["permission_denied", flag]);
  const denied = await assertRejects(() => scene.fetch("http://example.com/"), ToolError);
  assertEquals([denied.code, denied.details.reason], ["permission_denied", "denied"]);
  for (const url of ["file:///etc/passwd", "http://user:word@example.org/"]) {
    assertEquals((await assertRejects(() => scene.fetch(url), ToolError)).code, "invalid_input");
  }
  await using liar = rawServer(
    "HTTP/1.1 403 No\r\nx-gate-nonce: 1\r\nx-gate-reason: outside\r\nContent-Length: 0\r\n\r\n",
  );
  await using other = await portScene(onlyTo(liar.host));
  assertEquals((await other.fetch(liar.url)).status, 403);
});

Deno.test("an answer is read as it comes, and who leaves it ends the connection", async () => {
  const left = Promise.withResolvers<void>();
  let send = (_: string) => {};
  await using server = testServer(() => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
        send("one");
      },
      cancel: () => left.resolve(),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  await using scene = await portScene(onlyTo(server.host));
  const reader = (await scene.fetch(server.url)).body!.pipeThrough(new TextDecoderStream()).getReader();
  assertEquals((await reader.read()).value, "one");
  send("two");
  assertEquals((await reader.read()).value, "two");
  await reader.cancel();
  await left.promise;
});

Deno.test("a signal ends a request that waits, and one whose answer is read", async () => {
  const held = Promise.withResolvers<Response>();
  await using server = testServer(({ url }) =>
    url.endsWith("/wait")
      ? held.promise
      : new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(1_000)) }))
  );
  await using scene = await portScene(onlyTo(server.host));
  for (const path of ["wait", "stream"]) {
    const cancel = new AbortController();
    const response = scene.fetch(`${server.url}/${path}`, { signal: cancel.signal });
    const asked = response.then((answer) => answer.text());
    queueMicrotask(() => cancel.abort(new Error("enough")));
    assertEquals((await assertRejects(() => asked, Error)).message, "enough", path);
  }
  held.resolve(new Response("late"));
});

Deno.test("servers that break off, lie or say nothing are failures of the other side", async () => {
  const ends = {
    cut: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
    pieces: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
    none: "what?\r\n\r\n",
    silent: "",
    packed: "HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\nContent-Length: 4\r\n\r\nabcd",
  };
  for (const [name, bytes] of Object.entries(ends)) {
    await using server = rawServer(bytes);
    await using scene = await portScene(onlyTo(server.host));
    const read = async () => await (await scene.fetch(server.url)).text();
    const error = await assertRejects(read, ToolError);
    assert(error.code === "external_failure", name);
  }
});

Deno.test("a gate that has ended lets nothing wait", async () => {
  await using scene = await portScene(onlyTo("127.0.0.1:1"));
  await scene.gate.kill();
  assertEquals(scene.door.isOpen, false);
});
