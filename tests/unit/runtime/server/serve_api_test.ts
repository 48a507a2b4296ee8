import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";

import type { ByteConn } from "../../../../runtime/net/wire/streams.ts";
import { Wire } from "../../../../runtime/net/wire/wire.ts";
import {
  answerPreflight,
  checkToken,
  corsHeaders,
  letIn,
  openServerGate,
} from "../../../../runtime/server/inside/guard.ts";
import { OpeningCode } from "../../../../runtime/server/inside/opening_code.ts";
import { readPageFile } from "../../../../runtime/server/inside/page_files.ts";
import { type PageFile, pageReply } from "../../../../runtime/server/inside/page_reply.ts";
import { Deadline } from "../../../../runtime/server/inside/wire/deadline.ts";
import { HttpFailure } from "../../../../runtime/server/inside/wire/http_failure.ts";
import { readRequest } from "../../../../runtime/server/inside/wire/read_request.ts";
import { readRequestBody } from "../../../../runtime/server/inside/wire/read_request_body.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { listed } from "../../../support/listed.ts";
import { serveHandlers } from "../../../support/server/serve_handlers.ts";

const run = { id: "r1", state: "running" };

Deno.test("serveApi() answers by its handlers, in the form of each operation", async () => {
  await using server = await serveHandlers({
    startRun: ({ body, headers, client }) => ({
      status: 201,
      headers: { location: "/runs/r1" },
      json: { ...run, body, headers, client },
    }),
    getRun: ({ params }) => {
      if (params["id"] === "broken") throw new Error("a path of /home/somebody");
      throw new ToolError("not_found", `There is no run ${params["id"]}`, { details: { near: ["r1"] } });
    },
    readRunFile: ({ params }) => ({
      bytes: { bytes: new TextEncoder().encode(params["name"]!), type: "image/png" },
    }),
    cancelRun: () => ({ status: 204 }),
  });
  const started = await server.fetch("/runs", {
    method: "POST",
    body: JSON.stringify({ prompt: "Tidy up" }),
    headers: { "content-type": "application/json", "x-client-id": "page", "x-other": "not told" },
  });
  assertEquals([started.status, started.headers.get("location")], [201, "/runs/r1"]);
  const { headers, ...told } = await started.json();
  assertEquals(told, { ...run, body: { prompt: "Tidy up" }, client: "127.0.0.1" });
  assertEquals(headers["x-client-id"], "page");
  assertEquals(headers["x-other"], undefined);
  assertEquals(headers.authorization, undefined);

  const lost = await server.fetch("/runs/r%C3%A4");
  assertEquals(lost.status, 404);
  assertEquals(await lost.json(), {
    error: { code: "not_found", message: "There is no run rä", retryable: false, details: { near: ["r1"] } },
  });
  const broken = await server.fetch("/runs/broken");
  assertEquals(broken.status, 500);
  assertEquals((await broken.text()).includes("somebody"), false);
  assertMatch(server.warnings[0]!, /somebody/);

  const file = await server.fetch("/runs/r1/files/plot.png");
  assertEquals([file.headers.get("content-type"), await file.text()], ["image/png", "plot.png"]);
  assertEquals(file.headers.get("x-content-type-options"), "nosniff");
  const head = await server.fetch("/runs/r1/files/plot.png", { method: "HEAD" });
  assertEquals([head.status, head.headers.get("content-length"), await head.text()], [200, "8", ""]);
  assertEquals((await server.fetch("/runs/r1/cancel", { method: "POST" })).status, 204);
  // Nobody answers that: it is not offered.
  const undone = await server.fetch("/runs/r1/undo", { method: "POST" });
  assertEquals(undone.status, 404);
  await undone.body?.cancel();
});

Deno.test("serveApi() asks for pieces that the client takes, and ends a stream when the client has gone", async () => {
  let given = 0;
  const ended = Promise.withResolvers<number>();
  const piece = `data: ${"x".repeat(1_000_000)}\n\n`;
  await using server = await serveHandlers({
    followRun: () => ({ stream: { pieces: pieces(), type: "text/event-stream" } }),
  });
  async function* pieces() {
    try {
      for (;; given++) yield piece;
    } finally {
      ended.resolve(given);
    }
  }
  const answer = await server.fetch("/runs/r1/events");
  assertEquals(answer.headers.get("content-type"), "text/event-stream");
  const reader = answer.body!.getReader();
  await reader.read();
  // What the system holds back for the client, and no more.
  await server.fetch("/health").then((health) => health.text());
  await reader.cancel();
  assert(await ended.promise < 50);
});

Deno.test("serveApi() tells streams that it ends, and ends", async () => {
  const server = await serveHandlers({
    followRun: ({ signal }) => {
      async function* pieces() {
        yield "data: 1\n\n";
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      }
      return { stream: { pieces: pieces(), type: "text/event-stream" } };
    },
  });
  const answer = await server.fetch("/runs/r1/events");
  const pieces = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = (await pieces.read()).value;
  await server.close();
  for (let next = await pieces.read(); !next.done; next = await pieces.read()) heard += next.value;
  assertEquals(heard, 'data: 1\n\nevent: end\ndata: {"reason":"shutdown"}\n\n');
});

Deno.test("serveApi() says why it cannot listen", async () => {
  await using server = await serveHandlers({});
  const error = await serveHandlers({}, { port: server.port }).catch((error) => error);
  assertEquals(error.code, "unavailable");
  assertMatch(error.message, /something else does/);
});

const text = async (path: string) => {
  const file = await readPageFile(path);
  return file && { type: file.type, text: new TextDecoder().decode(file.bytes) };
};

Deno.test("the page and what it loads are there by their paths alone, and the page holds no script, style or address", async () => {
  const page = await text("/");
  assertEquals(page?.type, "text/html; charset=utf-8");
  const loads = [...page!.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
  assertEquals(loads.length, 3);
  for (const path of loads) assertEquals((await text(path))!.text.length > 200, true, path);
  assertEquals(/<style|style=|<script>|https?:/.test(page!.text), false);
  for (const path of ["/nothing.js", "/../app.js", "/constructor", "//app.js", ""]) {
    assertEquals(await text(path), null, path);
  }
});

Deno.test("what the page loads at first is small", async () => {
  const files = await Promise.all(["/", "/app.js", "/app.css"].map(readPageFile));
  const packed = new Blob(files.map((file) => file!.bytes)).stream().pipeThrough(
    new CompressionStream("gzip"),
  );
  const { byteLength } = await new Response(packed).arrayBuffer();
  assertEquals(byteLength < 300_000, true, `${byteLength} bytes`);
});

const LINES = "a line of the page\n".repeat(1_000);
const file: PageFile = { bytes: new TextEncoder().encode(LINES), type: "text/javascript; charset=utf-8" };
const ask = (headers: Record<string, string>, of = file) =>
  pageReply({ headers: new Map(Object.entries(headers)) }, of);

Deno.test("pageReply() packs a file for clients that take that, and is strict about what it may load", async () => {
  const { status, headers, body } = await ask({ "accept-encoding": "br, gzip" });
  assertEquals([status, headers["content-encoding"], headers["content-type"]], [200, "gzip", file.type]);
  assert(body instanceof Uint8Array && body.length < 1_000);
  const stream = new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip"));
  assertEquals(await new Response(stream).text(), LINES);
  assert(headers["content-security-policy"]!.startsWith("default-src 'none'; script-src 'self';"));
  for (const encoding of ["", "br", "gzip;q=0", "x-gzipped"]) {
    const plain = await ask({ "accept-encoding": encoding });
    assertEquals([plain.headers["content-encoding"], plain.body], [undefined, file.bytes], encoding);
  }
});

Deno.test("pageReply() does not send again what a client has", async () => {
  const { headers } = await ask({});
  const again = await ask({ "if-none-match": `"x", W/${headers["etag"]}` });
  assertEquals([again.status, again.body], [304, new Uint8Array()]);
  assertEquals((await ask({ "if-none-match": '"x"' })).status, 200);
  const other = await ask({}, { bytes: new TextEncoder().encode("other"), type: "text/html" });
  assert(other.headers["etag"] !== headers["etag"]);
});

const SETTINGS = {
  ...{ host: "127.0.0.1", port: 0, token: "right", names: [], origins: ["https://app.example"], tls: null },
  ...{ operations: [], version: "1", code: "open" },
};
const gateOf = (more: Partial<typeof SETTINGS> = {}) => openServerGate({ ...SETTINGS, ...more }, 8686);
const gate = await gateOf();
const { name, value } = gate.cookie;
const asked = (headers: Record<string, string>, method = "GET") => ({
  ...{ method, target: "/", length: 0, keeps: true, headers: new Map(Object.entries(headers)) },
});

function statusOf(act: () => unknown): number | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof HttpFailure) return error.status;
    throw error;
  }
}

const tokenOf = (headers: Record<string, string>, method = "GET") =>
  statusOf(() => checkToken(asked(headers, method), gate));

Deno.test("checkToken() takes the token itself, and no other", () => {
  assertEquals(tokenOf({ authorization: "Bearer right" }, "POST"), null);
  for (
    const shown of [
      ...listed(
        "Bearer wrong, Bearer righ, Bearer right2, Bearer RIGHT, Basic right, right",
      ),
      "Bearer ",
    ]
  ) {
    assertEquals(tokenOf({ authorization: shown }), 401, shown);
  }
  assertEquals(tokenOf({}), 401);
  // A wrong token is not made up for by the cookie.
  assertEquals(tokenOf({ authorization: "Bearer wrong", cookie: `${name}=${value}` }), 401);
});

Deno.test("checkToken() takes the cookie for what its own page asks, and its key for what that changes", () => {
  const cookie = { cookie: `other=1; ${name}=${value}` };
  const own = { ...cookie, "sec-fetch-site": "same-origin" };
  const key = { "x-page-key": gate.pageKey };
  assertEquals(tokenOf(cookie), null);
  assertEquals(tokenOf(own), null);
  assertEquals(tokenOf({ ...cookie, "sec-fetch-site": "none" }), null);
  assertEquals(tokenOf({ cookie: `${name}=${"0".repeat(64)}` }), 401);
  assertEquals(tokenOf({ cookie: `x${name}=${value}` }), 401);
  for (const site of ["same-site", "cross-site"]) {
    assertEquals(tokenOf({ ...cookie, "sec-fetch-site": site }), 403, site);
  }
  assertEquals(tokenOf({ ...cookie, "sec-fetch-site": "same-site", origin: "http://127.0.0.1:9" }), 403);
  assertEquals(tokenOf({ ...cookie, "sec-fetch-site": "same-site", origin: "http://127.0.0.1:8686" }), null);
  for (const method of ["POST", "DELETE", "PUT", "PATCH"]) {
    assertEquals([tokenOf(own, method), tokenOf({ ...own, ...key }, method)], [401, null], method);
    assertEquals(tokenOf({ ...cookie, ...key }, method), 403, method);
  }
});

Deno.test("a gate's secrets are of its token, and neither is the other", async () => {
  const other = await gateOf({ token: "left" });
  assertNotEquals(other.cookie.value, value);
  assertEquals(new Set([value, gate.pageKey, "right"]).size, 3);
  assertEquals([(await gateOf()).cookie.value, value.includes("right")], [value, false]);
});

Deno.test("letIn() takes the token and, once, the code of an address, and keeps neither in it", async () => {
  const warnings: string[] = [];
  const gate = await openServerGate(SETTINGS, 8686, (message) => void warnings.push(message));
  const enter = (query: Record<string, string>, headers = {}) => letIn(query, asked(headers), gate);
  assertEquals(enter({}), null);
  assertEquals(statusOf(() => enter({ token: "wrong" })), 401);
  assertEquals(statusOf(() => enter({ code: "shut" })), 401);
  const headersOf = (reply: ReturnType<typeof enter>) => reply?.headers as Record<string, string>;
  const byToken = headersOf(enter({ token: "right" }));
  assertEquals(byToken.location, `/#key=${gate.pageKey}`);
  // A file leads the browser here: a cookie goes only where a page of the server leads it on.
  const byCode = enter({ code: "open" });
  assertEquals([byCode?.status, headersOf(byCode).location], [200, undefined]);
  const text = new TextDecoder().decode(byCode?.body as Uint8Array);
  assertEquals(text.includes(`url=/#key=${gate.pageKey}"`), true);
  for (const { "set-cookie": set } of [byToken, headersOf(byCode)]) {
    assertEquals(set, `${name}=${value}; HttpOnly; SameSite=Strict; Path=/`);
  }
  assertEquals(headersOf(enter({ code: "open" }, { cookie: `${name}=${value}` })).location, "/");
  assertEquals([statusOf(() => enter({ code: "shut" })), warnings], [401, []]);
  assertEquals(statusOf(() => enter({ code: "open" })), 401);
  assertEquals(warnings.map((message) => message.includes("was used by two")), [true]);
  const tls = { cert: "", key: "", port: 0 } as never;
  const secure = await gateOf({ tls });
  assertEquals(
    headersOf(letIn({ token: "right" }, asked({}), secure))["set-cookie"]!.endsWith("; Secure"),
    true,
  );
});

Deno.test("OpeningCode holds for a minute", () => {
  const code = new OpeningCode("c", 0);
  assertEquals([code.take("c", 60_000), code.take("d", 1), code.take("c", 59_999)], [
    "refused",
    "refused",
    "taken",
  ]);
  assertEquals(new OpeningCode(undefined).take(""), "refused");
});

Deno.test("only pages of listed origins may read answers, and ask what they may ask", () => {
  const listed = { origin: "https://app.example" };
  assertEquals(corsHeaders(asked(listed), gate)["access-control-allow-origin"], "https://app.example");
  for (
    const headers of [{}, { origin: "https://evil.example" }, { origin: "https://app.example.evil" }, {
      origin: "null",
    }]
  ) {
    assertEquals(corsHeaders(asked(headers), gate), { vary: "origin" });
  }
  const method = { "access-control-request-method": "POST" };
  assertEquals(answerPreflight(asked({ ...listed, ...method }, "OPTIONS"), gate)?.status, 204);
  assertEquals(answerPreflight(asked({ ...listed, ...method }), gate), null);
  assertEquals(answerPreflight(asked(listed, "OPTIONS"), gate), null);
  assertEquals(answerPreflight(asked({ origin: "https://evil.example", ...method }, "OPTIONS"), gate), null);
});

/** A connection on which this text comes, some bytes at a time. */
function wireOf(text: string, size = 10_000): Wire {
  let rest = new TextEncoder().encode(text);
  const conn = {
    read(buffer: Uint8Array) {
      const part = rest.subarray(0, Math.min(size, buffer.length));
      rest = rest.subarray(part.length);
      buffer.set(part);
      return Promise.resolve(part.length === 0 ? null : part.length);
    },
    ...{
      write: (bytes: Uint8Array) => Promise.resolve(bytes.length),
      close() {},
      closeWrite: () => Promise.resolve(),
    },
  };
  return new Wire(conn as unknown as ByteConn);
}

const request = (headers: string, first = "GET / HTTP/1.1") => `${first}\r\n${headers}\r\n`;

async function refusedWith(text: string): Promise<number> {
  return (await assertRejects(() => readRequest(wireOf(text)), HttpFailure)).status;
}

Deno.test("readRequest() reads what has one meaning", { permissions: "none" }, async () => {
  const read = await readRequest(
    wireOf(request("Host: a\r\nCookie: x=1\r\nCookie: y=2\r\nAccept: a\r\nAccept: b\r\n"), 3),
  );
  assertEquals(Object.fromEntries(read!.headers), { host: "a", cookie: "x=1; y=2", accept: "a, b" });
  assertEquals([read!.method, read!.target, read!.length, read!.keeps], ["GET", "/", 0, true]);
  const keeps = async (headers: string, version: string) =>
    (await readRequest(wireOf(request(headers, `GET / HTTP/${version}`))))!.keeps;
  assertEquals([await keeps("Connection: x, Close\r\n", "1.1"), await keeps("", "1.0")], [false, false]);
  assertEquals(await keeps("Connection: Keep-Alive\r\n", "1.0"), true);
  assertEquals(await readRequest(wireOf("")), null);
});

Deno.test(
  "readRequest() refuses what two readers could take for two requests",
  { permissions: "none" },
  async () => {
    const wrong = [
      ...["Host: a\r\nHost: b\r\n", "Origin: a\r\norigin: b\r\n", "Authorization: a\r\nAuthorization: a\r\n"],
      ...[
        "Content-Length: 1\r\nContent-Length: 1\r\n",
        "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n",
      ],
      ...["Content-Length: +1\r\n", "Transfer-Encoding: gzip\r\n", "Host : a\r\n"],
      ...[" folded\r\n", "a\nb: c\r\n"],
    ];
    for (const headers of wrong) {
      assertEquals(await refusedWith(request(headers)), 400, JSON.stringify(headers));
    }
    const first = [
      ...["GET  / HTTP/1.1", "GET /\tHTTP/1.1", "GET / HTTP/2", "GET http://a/ HTTP/1.1"],
      ...["GET * HTTP/1.1", "GET /"],
    ];
    for (const line of first) assertEquals(await refusedWith(request("", line)), 400, line);
    assertEquals(await refusedWith(request("Transfer-Encoding: chunked\r\n", "POST / HTTP/1.0")), 400);
    assertEquals(await refusedWith("GET / HTTP/1.1\r\nHost: a\r\n"), 400);
  },
);

Deno.test("readRequest() reads heads of a bounded length", { permissions: "none" }, async () => {
  const target = (length: number) => request("", `GET /${"a".repeat(length - 1)} HTTP/1.1`);
  assertEquals((await readRequest(wireOf(target(8_192))))!.target.length, 8_192);
  assertEquals(await refusedWith(target(8_193)), 414);
  const many = (count: number) => request("a: b\r\n".repeat(count));
  assertEquals([(await readRequest(wireOf(many(100))))!.headers.size, await refusedWith(many(101))], [
    1,
    431,
  ]);
  assertEquals(await refusedWith(request(`a: ${"b".repeat(32 * 1024)}\r\n`)), 431);
  // Also before it is whole.
  assertEquals(await refusedWith(`GET / HTTP/1.1\r\na: ${"b".repeat(70_000)}`), 431);
});

Deno.test("readRequestBody() reads a body of a bounded length, however that is told", async () => {
  const read = async (length: number | "chunked", text: string, maxBytes = 5) => {
    let told = 0;
    const incoming = { method: "POST", target: "/", headers: new Map<string, string>(), length, keeps: true };
    using deadline = new Deadline(() => {});
    const options = { maxBytes, ms: 1_000, deadline, onBytes: (count: number) => void (told += count) };
    const body = await readRequestBody(wireOf(text, 2), incoming, options).catch((error) => error);
    return body instanceof HttpFailure ? body.status : [new TextDecoder().decode(body), told];
  };
  assertEquals([await read(5, "hello and more"), await read(0, "x")], [["hello", 5], ["", 0]]);
  assertEquals([await read(6, "hello!"), await read(5, "hell")], [413, 400]);
  const chunks = "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n";
  assertEquals([await read("chunked", chunks), await read("chunked", chunks, 4)], [["hello", 5], 413]);
  assertEquals([await read("chunked", "2\r\nhe\r\n"), await read("chunked", "x\r\nhe\r\n")], [400, 400]);
});
