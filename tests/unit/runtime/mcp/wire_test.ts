import { Server } from "@modelcontextprotocol/server";
import { assertEquals, assertThrows } from "@std/assert";

import { guardRequest } from "../../../../runtime/mcp/inside/http_guard.ts";
import { HttpSessions } from "../../../../runtime/mcp/inside/http_sessions.ts";
import { readClientMessage, UnreadableMessage } from "../../../../runtime/mcp/inside/read_message.ts";
import { StdioWire } from "../../../../runtime/mcp/inside/stdio_wire.ts";
import { fieldNames } from "../../../../runtime/mcp/wrap/field_names.ts";

const TOKEN = "0123456789abcdef";

function status(
  headers: Record<string, string>,
  { path = "/mcp", token = TOKEN as string | null } = {},
) {
  const request = new Request(`http://127.0.0.1:4178${path}`, { method: "POST" });
  // A request of a server may have headers that one of a client may not.
  const seen = { headers: new Headers(headers), url: request.url } as Request;
  return guardRequest(seen, { port: 4178, token })?.status ?? null;
}

Deno.test("guardRequest() lets in who knows the token, from this machine", () => {
  const good = { authorization: `Bearer ${TOKEN}` };
  const cases: [headers: Record<string, string>, status: number | null][] = [
    [{ host: "127.0.0.1:4178", ...good }, null],
    [{ host: "localhost:4178", ...good }, null],
    [{ host: "LOCALHOST:4178", authorization: `bearer  ${TOKEN}` }, null],
    [{ host: "[::1]:4178", origin: "http://localhost:4178", ...good }, null],
    [{ host: "evil.example:4178", ...good }, 403],
    [{ host: "127.0.0.1:4179", ...good }, 403],
    [{ host: "127.0.0.1", ...good }, 403],
    [{ host: "127.0.0.1:4178.evil.example", ...good }, 403],
    [good, 403],
    [{ host: "127.0.0.1:4178", origin: "http://evil.example", ...good }, 403],
    [{ host: "127.0.0.1:4178", origin: "null", ...good }, 403],
    [{ host: "127.0.0.1:4178", origin: "https://127.0.0.1:4178", ...good }, 403],
    [{ host: "127.0.0.1:4178", origin: "http://127.0.0.1:4178@evil.example", ...good }, 403],
    [{ host: "127.0.0.1:4178", "sec-fetch-site": "cross-site", ...good }, 403],
    [{ host: "127.0.0.1:4178" }, 401],
    [{ host: "127.0.0.1:4178", authorization: "Bearer " }, 401],
    [{ host: "127.0.0.1:4178", authorization: `Basic ${TOKEN}` }, 401],
    [{ host: "127.0.0.1:4178", authorization: `Bearer ${TOKEN}0` }, 401],
    [{ host: "127.0.0.1:4178", authorization: `Bearer ${TOKEN.slice(1)}` }, 401],
  ];
  for (const [headers, expected] of cases) {
    assertEquals(status(headers), expected, JSON.stringify(headers));
  }
  assertEquals(status({ host: "127.0.0.1:4178", ...good }, { path: "/other" }), 404);
  assertEquals(status({ host: "127.0.0.1:4178" }, { token: null }), null);
});

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

Deno.test("readClientMessage() reads JSON, brackets in texts included", () => {
  const value = { a: ["[".repeat(500), '\\"{{{', { b: null }] };
  assertEquals(readClientMessage(JSON.stringify(value)), value);
});

Deno.test("readClientMessage() refuses what is no JSON, and what is nested without end", () => {
  const endless = ["[".repeat(201) + "]".repeat(201), '{"a":'.repeat(5_000_000)];
  for (const text of ["", "{", "hello", '{"a":}', ...endless]) {
    assertThrows(() => readClientMessage(text), UnreadableMessage);
  }
  readClientMessage("[".repeat(200) + "]".repeat(200));
});

/** A client that says something in pieces, and reads or not. */
function scene(pieces: readonly Uint8Array[], { reads = true, stalledMs = 60_000 } = {}) {
  const left = [...pieces];
  const written: string[] = [];
  const read: { count: number } = { count: 0 };
  const wire = new StdioWire({
    read(buffer) {
      const next = left.shift();
      if (!next) return Promise.resolve(null);
      read.count++;
      buffer.set(next.subarray(0, buffer.length));
      if (next.length > buffer.length) left.unshift(next.subarray(buffer.length));
      return Promise.resolve(Math.min(next.length, buffer.length));
    },
    write(bytes) {
      if (!reads) return new Promise(() => {});
      written.push(new TextDecoder().decode(bytes));
      return Promise.resolve(bytes.length);
    },
  }, { stalledMs });
  const heard: unknown[] = [];
  wire.onmessage = (message) => void heard.push(message);
  const closed = new Promise<void>((resolve) => wire.onclose = resolve);
  return { wire, written, heard, closed, read };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };
const codes = (written: readonly string[]) =>
  written.join("").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line).error?.code);

Deno.test("StdioWire reads lines in any pieces, also in the middle of a character", async () => {
  const line = bytes(`${JSON.stringify({ ...PING, params: { said: "grüße 你好" } })}\n\n`);
  const { wire, heard, closed } = scene(Array.from(line, (_, at) => line.subarray(at, at + 1)));
  await wire.start();
  await closed;
  assertEquals(heard, [{ ...PING, params: { said: "grüße 你好" } }]);
});

Deno.test("StdioWire answers what it cannot read, and goes on with the next line", async () => {
  const long = new Uint8Array(1024 * 1024).fill(0x61);
  const { wire, written, heard, closed } = scene([
    ...Array.from({ length: 100 }, () => long),
    bytes("\n"),
    bytes(`${"[".repeat(100_000)}\n`),
    bytes("nothing\n"),
    bytes('{"id":7}\n[]\n'),
    new Uint8Array([0xff, 0xfe, 0x0a]),
    bytes(`${JSON.stringify(PING)}\n`),
  ]);
  await wire.start();
  await closed;
  assertEquals(heard, [PING]);
  assertEquals(codes(written), [-32700, -32700, -32700, -32600, -32600, -32700]);
});

Deno.test("StdioWire reads no more of a client that reads nothing, and gives it up in the end", async () => {
  const line = bytes(`${JSON.stringify(PING)}\n`);
  const { wire, heard, read, closed } = scene(Array.from({ length: 1_000 }, () => line), { reads: false });
  wire.onmessage = (message) => {
    heard.push(message);
    wire.send({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(512 * 1024) } });
  };
  await wire.start();
  await new Promise((done) => setTimeout(done));
  const before = read.count;
  // It reads on until a megabyte waits to be read.
  assertEquals([before <= 4, heard.length === before], [true, true]);
  for (let at = 0; at < 130; at++) {
    wire.send({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(512 * 1024) } }).catch(() => {});
  }
  await closed;
});

Deno.test("StdioWire gives up a client that reads nothing for long", async () => {
  const line = bytes(`${JSON.stringify(PING)}\n`);
  const { wire, closed } = scene([line, line, line, line, line], { reads: false, stalledMs: 1 });
  wire.onmessage = () => {
    wire.send({ jsonrpc: "2.0", id: 1, result: { text: "x".repeat(512 * 1024) } });
  };
  await wire.start();
  await closed;
});

Deno.test("fieldNames() tells the fields of an object itself, twins included, and nothing below", () => {
  const cases: [text: string, names: string[]][] = [
    ["{}", []],
    [' { "a" : 1 , "b":{"c":[{"d":"e"}],"f":2},"g":["h","i"] , "a":"j" } ', ["a", "b", "g", "a"]],
    [String.raw`{"i\u0064":"x\\","q\"":"\"}{,","ü":null,"":true}`, ["id", 'q"', "ü", ""]],
  ];
  for (const [text, names] of cases) assertEquals(fieldNames(new TextEncoder().encode(text)), names, text);
});
