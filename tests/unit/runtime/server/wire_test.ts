import { assert, assertEquals } from "@std/assert";

import { ClientSink } from "../../../../runtime/server/inside/wire/client_sink.ts";
import { Deadline } from "../../../../runtime/server/inside/wire/deadline.ts";
import { HTTP_LIMITS, type HttpLimits } from "../../../../runtime/server/inside/wire/http_limits.ts";
import { listen, type ListenParts } from "../../../../runtime/server/inside/wire/listen.ts";
import { jsonReply } from "../../../../runtime/server/inside/wire/reply.ts";
import { writePieces } from "../../../../runtime/server/inside/wire/write_pieces.ts";
import { certificates } from "../../../support/net/certificates.ts";
import { readAll } from "../../../support/server/serve_handlers.ts";

/** Listens with short times; answers with what it was asked. */
function open(limits: Partial<HttpLimits>, answer?: ListenParts["answer"], tls: ListenParts["tls"] = null) {
  const listener = listen({
    ...{ host: "127.0.0.1", port: 0, tls, limits: { ...HTTP_LIMITS, ...limits } },
    refuse: ({ status, info }) => jsonReply(status, info.message),
    answer: answer ??
      (async ({ request, body }) =>
        jsonReply(200, { target: request.target, body: new TextDecoder().decode(await body(1_000)) })),
  });
  const connect = async (text = "") => {
    const conn = await Deno.connect({ hostname: "127.0.0.1", port: listener.port });
    await conn.write(new TextEncoder().encode(text));
    return conn;
  };
  const close = () => listener.close();
  return { port: listener.port, close, connect, [Symbol.asyncDispose]: close };
}

const HEAD = "GET /a HTTP/1.1\r\nHost: x\r\n";
const PLAIN = { status: 200, headers: { "content-type": "text/plain" } };
const PIECE = "x".repeat(1_000_000);

Deno.test("listen() cuts clients that take too long", async () => {
  await using server = open({ headMs: 50, bodyMs: 50 });
  const slow = {
    "says nothing": "",
    "half of a first line": "GET /a",
    "a head without an end": HEAD,
    "half of a body": `${HEAD}Content-Length: 10\r\n\r\nabc`,
    "half of a piece": `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nabc`,
  };
  for (const [title, text] of Object.entries(slow)) {
    using conn = await server.connect(text);
    assertEquals(await readAll(conn), "", title);
  }
  // After its answer.
  await using patient = open({ idleMs: 50 });
  using idle = await patient.connect(`${HEAD}\r\n`);
  assert((await readAll(idle)).endsWith('{"target":"/a","body":""}'));
});

Deno.test("listen() cuts a client that takes nothing of its answer", async () => {
  const cut = Promise.withResolvers<void>();
  const body = { next: () => Promise.resolve(PIECE), cancel: () => cut.resolve() };
  await using server = open({ takeMs: 50 }, () => Promise.resolve({ ...PLAIN, body }));
  using _conn = await server.connect(`${HEAD}\r\n`);
  await cut.promise;
});

Deno.test("listen() takes several requests on a connection, their bodies in one or in pieces", async () => {
  await using server = open({});
  const last = HEAD.replace("/a", "/b").replace("\r\n", "\r\nConnection: close\r\n");
  using conn = await server.connect(
    `${HEAD}Content-Length: 3\r\n\r\nabc${HEAD}Transfer-Encoding: chunked\r\n\r\n2;x=1\r\nde\r\n1\r\nf\r\n0\r\nA: b\r\n\r\n` +
      `${last}Expect: 100-continue\r\nContent-Length: 1\r\n\r\ng`,
  );
  const all = await readAll(conn);
  const bodies = [...all.matchAll(/\{.*\}/g)].map(([json]) => Object.values(JSON.parse(json)));
  assertEquals(bodies, [["/a", "abc"], ["/a", "def"], ["/b", "g"]]);
  assertEquals(all.match(/HTTP\/1\.1 (\d+)/g), [
    ...["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 100", "HTTP/1.1 200"],
  ]);
});

Deno.test("listen() speaks TLS, and nothing else then", async () => {
  const { ca, cert, key } = await certificates();
  await using server = open({}, undefined, { cert, key, port: 0 });
  using conn = await Deno.connectTls({ hostname: "localhost", port: server.port, caCerts: [ca] });
  await conn.write(new TextEncoder().encode(HEAD.replace("\r\n", "\r\nConnection: close\r\n") + "\r\n"));
  assert((await readAll(conn)).endsWith('{"target":"/a","body":""}'));
  using plain = await server.connect(`${HEAD}\r\n`);
  assertEquals((await readAll(plain)).includes("HTTP/1.1"), false);
});

Deno.test("listen() cuts a client that never ends its greeting of TLS", async () => {
  const { cert, key } = await certificates();
  await using server = open({ headMs: 50 }, undefined, { cert, key, port: 0 });
  for (const greeting of ["", "\x16\x03\x01\x02\x00\x01"]) {
    using conn = await server.connect(greeting);
    assertEquals(await readAll(conn), "", JSON.stringify(greeting));
  }
});

/** Answers with so many pieces of a million bytes, over TLS. */
async function piecesOverTls(limits: Partial<HttpLimits>, count: number, onCut: () => void = () => {}) {
  const { ca, cert, key } = await certificates();
  let left = count;
  const body = { next: () => Promise.resolve(left-- > 0 ? PIECE : null), cancel: onCut };
  const server = open(limits, () => Promise.resolve({ ...PLAIN, body }), { cert, key, port: 0 });
  const conn = await Deno.connectTls({ hostname: "localhost", port: server.port, caCerts: [ca] });
  await conn.write(new TextEncoder().encode(`${HEAD}Connection: close\r\n\r\n`));
  return { server, conn, [Symbol.asyncDispose]: () => (conn.close(), server.close()) };
}

Deno.test("listen() gives all of a long answer over TLS", async () => {
  await using opened = await piecesOverTls({}, 5);
  assert((await readAll(opened.conn)).endsWith(`\r\n\r\n${PIECE.repeat(5)}`));
});

Deno.test("listen() cuts who takes nothing of an answer over TLS", async () => {
  const cut = Promise.withResolvers<void>();
  await using _opened = await piecesOverTls({ takeMs: 100 }, Infinity, () => cut.resolve());
  await cut.promise;
});

Deno.test("listen() gives the place of who asks for nothing to who asks", async () => {
  const waits = Promise.withResolvers<void>();
  let asked = 0;
  const all = Promise.withResolvers<void>();
  await using server = open({ connectionsOfOne: 4 }, async ({ request }) => {
    if (++asked === 4) all.resolve();
    if (request.target === "/wait") await waits.promise;
    return jsonReply(200, {});
  });
  const idle = await Promise.all(Array.from({ length: 12 }, () => server.connect("GET /")));
  const busy = [];
  for (let count = 0; count < 4; count++) busy.push(await server.connect("GET /wait HTTP/1.1\r\n\r\n"));
  await all.promise;
  // All who asked for nothing had to go; now all places are taken by who asked.
  for (const conn of idle) assertEquals(await readAll(conn), "");
  using refused = await server.connect("GET / HTTP/1.1\r\n\r\n");
  assert((await readAll(refused)).startsWith("HTTP/1.1 503"));
  waits.resolve();
  for (const conn of [...idle, ...busy]) conn.close();
});

Deno.test("listen() gives the place of who does not go on with a body to who asks", async () => {
  let begun = 0;
  const all = Promise.withResolvers<void>();
  await using server = open({ connectionsOfOne: 2 }, async ({ body }) => {
    if (++begun === 2) all.resolve();
    await body(1_000);
    return jsonReply(200, {});
  });
  const post = `${HEAD}Connection: close\r\nContent-Length: 3\r\n\r\n`;
  using first = await server.connect(`${post}ab`);
  using second = await server.connect(`${post}ab`);
  await all.promise;
  using third = await server.connect(`${post}abc`);
  assert((await readAll(third)).startsWith("HTTP/1.1 200"));
  assertEquals(await readAll(first), "");
  await second.write(new TextEncoder().encode("c"));
  assert((await readAll(second)).startsWith("HTTP/1.1 200"));
});

Deno.test("listen() counts a body no longer once it is refused", async () => {
  await using server = open({ allBodyBytes: 1_000 }, async ({ body }) => {
    const bytes = await body(900).catch(() => null);
    return jsonReply(bytes === null ? 413 : 200, {});
  });
  const pieces = `${HEAD}Transfer-Encoding: chunked\r\n\r\n320\r\n${"x".repeat(800)}\r\n`;
  using refused = await server.connect(pieces);
  await refused.write(new TextEncoder().encode(`c8\r\n${"x".repeat(200)}\r\n`));
  // Its last words are told, and it is listened to for a while.
  assertEquals(await refused.read(new Uint8Array(12)), 12);
  using other = await server.connect(
    `${HEAD}Connection: close\r\nContent-Length: 600\r\n\r\n${"x".repeat(600)}`,
  );
  assert((await readAll(other)).startsWith("HTTP/1.1 200"));
});

Deno.test("listen() bounds the bodies of all requests together", async () => {
  const waits = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  await using server = open({ allBodyBytes: 1_000 }, async ({ body }) => {
    await body(1_000).catch((error) => {
      waits.resolve();
      throw error;
    });
    begun.resolve();
    await waits.promise;
    return jsonReply(200, {});
  });
  const post = `${HEAD}Connection: close\r\nContent-Length: 600\r\n\r\n${"x".repeat(600)}`;
  using first = await server.connect(post);
  await begun.promise;
  using second = await server.connect(post);
  assert((await readAll(second)).startsWith("HTTP/1.1 503"));
  assert((await readAll(first)).startsWith("HTTP/1.1 200"));
  using third = await server.connect(post);
  assert((await readAll(third)).startsWith("HTTP/1.1 200"));
});

Deno.test("listen() closes: idle clients at once, those at work after their answer, the rest when the time is up", async () => {
  const waits = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  let count = 0;
  const server = open({ closeMs: 50 }, async ({ request, gone }) => {
    if (++count === 2) asked.resolve();
    if (request.target === "/a") await waits.promise;
    else await new Promise<void>((resolve) => gone.addEventListener("abort", () => resolve()));
    return jsonReply(200, {});
  });
  using idle = await server.connect();
  using working = await server.connect(`${HEAD}\r\n`);
  using late = await server.connect(`${HEAD.replace("/a", "/never")}\r\n`);
  await asked.promise;
  const closed = server.close();
  waits.resolve();
  assert((await readAll(working)).includes("connection: close"));
  assertEquals(await readAll(idle), "");
  await closed;
  assertEquals(await readAll(late), "");
});

const PING = ": ping\n\n";

/** Writes a stream whose second piece takes two spans of silence, on a clock that jumps over them. */
async function written(type: string): Promise<string[]> {
  const texts: string[] = [];
  const silence = Promise.withResolvers<void>();
  using deadline = new Deadline(() => {});
  const write = (bytes: Uint8Array) => {
    texts.push(new TextDecoder().decode(bytes));
    if (texts.filter((text) => text === PING).length === 2) silence.resolve();
    return Promise.resolve(bytes.length);
  };
  const pieces = ["one", "two", null];
  const source = {
    next: async () => {
      if (pieces.length === 2 && type === "text/event-stream") await silence.promise;
      return pieces.shift() ?? null;
    },
    cancel() {},
  };
  const { setTimeout } = globalThis;
  const jump = (run: () => void, ms = 0) => setTimeout(run, ms === 15_000 ? 1 : ms);
  globalThis.setTimeout = jump as typeof setTimeout;
  try {
    const { signal } = new AbortController();
    const options = { sink: new ClientSink({ write }, deadline, 1_000), keeps: false };
    const ends = { closing: signal, gone: signal };
    await writePieces({ headers: { "content-type": type } }, source, { ...options, ...ends });
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  return texts;
}

Deno.test("writePieces() says that a silent stream of events is alive, and nothing into other streams", async () => {
  assertEquals(await written("text/event-stream"), ["one", PING, PING, "two"]);
  assertEquals(await written("application/jsonl"), ["one", "two"]);
});
