import { assert, assertEquals } from "@std/assert";

import { closeQuietly, writeAll } from "../../../../../runtime/net/wire/streams.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { tlsServer } from "../../../../support/net/certificates.ts";
import { gateScene, onlyTo, rawServer, testServer } from "../../../../support/net/gate_scene.ts";

/** What a server does with one of its connections. */
type Serve = (connection: ServedConnection, number: number) => Promise<void>;

interface ServedConnection {
  /** Reads one request without a body; `null` at the end. */
  request(): Promise<string | null>;
  say(text: string): Promise<void>;
}

/** A server of a test that decides about each connection, which it closes afterwards. */
function connectionServer(serve: Serve) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  let count = 0;
  const open = new Set<Deno.Conn>();
  const handle = async (conn: Deno.Conn) => {
    open.add(conn);
    const buffer = new Uint8Array(64 * 1024);
    await serve({
      async request() {
        const read = await conn.read(buffer);
        return read === null ? null : new TextDecoder().decode(buffer.subarray(0, read));
      },
      say: (text) => writeAll(conn, new TextEncoder().encode(text)),
    }, ++count);
  };
  const accepted = (async () => {
    for await (const conn of listener) void handle(conn).catch(() => {}).finally(() => closeQuietly(conn));
  })().catch(() => {});
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}`,
    /** Connections so far. */
    count: () => count,
    async [Symbol.asyncDispose]() {
      closeQuietly(listener);
      for (const conn of open) closeQuietly(conn);
      await accepted;
    },
  };
}

const answer = (body: string, headers = "") =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
const pathOf = (request: string) => request.split(" ", 2)[1];

Deno.test("requests to one server follow each other on one connection, and each is told of", async () => {
  await using server = connectionServer(async ({ request, say }) => {
    for (let asked = await request(); asked !== null; asked = await request()) {
      await say(answer(pathOf(asked)!));
    }
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  for (const path of ["/a", "/b", "/c"]) assertEquals(await scene.say(server.url + path), path);
  assertEquals(server.count(), 1);
  const told = await scene.door.take("c1");
  const facts = told.map((
    { address, rule, decision, sentBytes, receivedBytes },
  ) => [address, rule, decision, sentBytes > 50 && receivedBytes > 30]);
  assertEquals(facts, Array(3).fill(["127.0.0.1", server.host, "allowed", true]));
});

Deno.test("a connection by TLS is used again for the same name alone", async () => {
  const ports = new Set<number>();
  await using server = await tlsServer((_, { remoteAddr: { port } }) => {
    ports.add(port);
    return new Response("by TLS");
  });
  const { ca, port } = server;
  const rules = onlyTo(...["localhost", "good.example", "127.0.0.1"].map((host) => `${host}:${port}`));
  await using scene = await gateScene({ rules }, { caCerts: () => Promise.resolve([ca]) });
  for (let at = 0; at < 3; at++) assertEquals(await scene.say(`https://localhost:${port}/`), "by TLS");
  assertEquals(ports.size, 1);
  // Plain requests never take the place of those by TLS.
  assertEquals(await scene.say(`http://localhost:${port}/`, { retries: 0 }), "external_failure connect");
  assertEquals(ports.size, 1);
});

Deno.test("a server that has ended its connection meanwhile is asked on another one", async () => {
  await using server = connectionServer(async ({ request, say }, number) => {
    await request();
    await say(answer(`${number}`));
    // On the first connection, another request comes and gets no answer.
    await request();
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals([await scene.say(server.url), await scene.say(server.url)], ["1", "2"]);
  assertEquals((await scene.door.take("c1")).map(({ decision }) => decision), ["allowed", "allowed"]);
});

Deno.test("what may not be repeated is not sent a second time", async () => {
  const asked: string[] = [];
  await using server = connectionServer(async ({ request, say }) => {
    asked.push((await request() ?? "").split(" ", 1)[0]!);
    await say(answer("first"));
    asked.push((await request() ?? "").split(" ", 1)[0]!);
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals(await scene.say(server.url), "first");
  assertEquals(await scene.say(server.url, { method: "POST", body: "a" }), "external_failure connect");
  assertEquals(asked, ["GET", "POST"]);
});

Deno.test("an answer that tries to reach into the next one cannot", async () => {
  const lie = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlied";
  const ok = (rest: string) => `HTTP/1.1 200 OK\r\n${rest}${lie}`;
  const failed = "external_failure connect";
  const answers: Record<string, [answer: string, says: string]> = {
    "more than it says": [`${answer("short")}${lie}`, "short"],
    "more pieces": [ok("Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"), "ab"],
    "none at all": [`HTTP/1.1 204 No\r\n\r\n${lie}`, ""],
    "two lengths": [ok("Content-Length: 0\r\nContent-Length: 4\r\n\r\n"), failed],
    "two forms": [ok("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), failed],
    "an unknown form": [ok("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"), failed],
    "a line that is none": [ok("Content-Length : 0\r\n\r\n"), failed],
    "a folded line": [ok("A: b\r\n Content-Length: 0\r\n\r\n"), failed],
    "another protocol": [`HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n${lie}`, failed],
    "the connection's word": [ok("Connection: content-length\r\nContent-Length: 2\r\n\r\nok"), "ok"],
  };
  await using good = testServer(() => new Response("good"));
  for (const [name, [text, says]] of Object.entries(answers)) {
    await using server = connectionServer(async ({ request, say }, number) => {
      await request();
      await say(number === 1 ? text : answer("next"));
      await request();
    });
    await using scene = await gateScene({ rules: onlyTo(server.host, good.host) });
    assertEquals(await scene.say(server.url, { retries: 0 }), says, name);
    assertEquals([await scene.say(good.url), await scene.say(server.url)], ["good", "next"], name);
  }
});

Deno.test("a server that says it closes gets no other request on its connection, whatever it does", async () => {
  await using server = connectionServer(async ({ request, say }, number) => {
    for (let asked = await request(); asked !== null; asked = await request()) {
      await say(answer(`${number}`, "Connection: x-a, Close\r\n"));
    }
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals([await scene.say(server.url), await scene.say(server.url)], ["1", "2"]);
});

Deno.test("a request with a key has a connection of its own", async () => {
  const served: string[] = [];
  await using server = connectionServer(async ({ request, say }, number) => {
    for (let asked = await request(); asked !== null; asked = await request()) {
      const key = /^x-key: (.*)$/im.exec(asked)?.[1]?.trim() ?? "none";
      served.push(`${number} ${key}`);
      await say(answer(key));
    }
  });
  const secrets = [{ name: "TEST_KEY", value: "s3cret", hosts: [server.host], forms: ["s3cret"] }];
  await using scene = await gateScene({ rules: onlyTo(server.host), secrets });
  const secret = { name: "TEST_KEY", header: "x-key" };
  const said: string[] = [];
  for (const request of [{ secret }, {}, { secret }, {}]) said.push(await scene.say(server.url, request));
  assertEquals(said, ["******", "none", "******", "none"]);
  assertEquals(served, ["1 s3cret", "2 none", "3 s3cret", "2 none"]);
});

Deno.test("a key goes to its own service alone, and to a header that is one", async () => {
  let asked = 0;
  const heard: (string | null)[] = [];
  await using server = testServer(({ headers }) => {
    heard.push(headers.get("x-key") ?? headers.get("authorization"));
    return new Response(`${++asked}`);
  });
  const keyFor = (...hosts: string[]) => [{ name: "TEST_KEY", value: "s3cret", hosts, forms: ["s3cret"] }];
  const secret = { name: "TEST_KEY", header: "x-key" };
  for (const host of ["127.0.0.1:1", "127.0.0.1", `localhost:${server.port}`]) {
    await using scene = await gateScene({ rules: onlyTo(server.host), secrets: keyFor(host) });
    assertEquals(await scene.say(server.url, { secret }), "permission_denied secret", host);
  }
  await using scene = await gateScene({ rules: onlyTo(server.host), secrets: keyFor(server.host) });
  const told = "permission_denied secret";
  assertEquals(await scene.say(server.url, { secret: { ...secret, name: "OTHER_KEY" } }), told);
  assertEquals([asked, await scene.say(server.url, { secret })], [0, "1"]);
  await scene.say(server.url, { secret: { name: "TEST_KEY", header: "authorization", scheme: "Bearer" } });
  assertEquals(heard, ["s3cret", "Bearer s3cret"]);
});

Deno.test("a room says nothing beside the key that the gate adds, and what comes back can be masked", async () => {
  const heard: string[] = [];
  await using server = testServer(({ headers }) => {
    heard.push(`${headers.get("x-key")} ${headers.get("accept-encoding")} ${headers.get("x-other")}`);
    return new Response("");
  });
  const secrets = [{ name: "TEST_KEY", value: "s3cret", hosts: [server.host], forms: ["s3cret"] }];
  await using scene = await gateScene({ rules: onlyTo(server.host), secrets });
  const headers = { "x-key": "mine", "X-KEY": "mine", "accept-encoding": "gzip", "x-other": "1" };
  await scene.say(server.url, { headers, secret: { name: "TEST_KEY", header: "X-Key" } });
  assertEquals(heard, ["s3cret identity 1"]);
});

Deno.test("what a server says unasked is not taken for an answer", async () => {
  const isHeard = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  await using server = connectionServer(async ({ request, say }, number) => {
    await request();
    await say(answer(`${number}`));
    if (number > 1) return void await request();
    // By then the connection waits for another request.
    await isHeard.promise;
    await say(answer("unasked"));
    // The gate ends a connection on which that comes.
    if (await request().catch(() => null) === null) closed.resolve();
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals(await scene.say(server.url), "1");
  isHeard.resolve();
  await closed.promise;
  assertEquals(await scene.say(server.url), "2");
});

Deno.test("a room that leaves takes its connection to the server along", async () => {
  const ended = Promise.withResolvers<void>();
  const leave = new AbortController();
  await using server = connectionServer(async ({ request }) => {
    await request();
    leave.abort(new ToolError("cancelled", "enough"));
    if (await request().catch(() => null) === null) ended.resolve();
  });
  const rules = onlyTo(server.host);
  await using scene = await gateScene({ rules }, { signal: leave.signal });
  assertEquals(await scene.say(server.url), "cancelled");
  await ended.promise;
});

Deno.test("connections of a room and to servers end with their door", async () => {
  const ended = Promise.withResolvers<void>();
  await using server = connectionServer(async ({ request, say }) => {
    await request();
    await say(answer("kept"));
    if (await request() === null) ended.resolve();
  });
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  assertEquals(await scene.say(server.url), "kept");
  await scene.door.close();
  await ended.promise;
  assertEquals(await scene.say(server.url, { retries: 0 }), "external_failure");
});

Deno.test("a door serves its own room alone", async () => {
  await using server = testServer(() => new Response("reached"));
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  const ask = async (token: string) => {
    using conn = await Deno.connect({ transport: "unix", path: scene.door.path });
    const lines = `Host: a\r\nx-gate-url: ${server.url}/\r\nx-gate-token: ${token}`;
    await conn.write(new TextEncoder().encode(`GET / HTTP/1.1\r\n${lines}\r\n\r\n`));
    const buffer = new Uint8Array(1024);
    return new TextDecoder().decode(buffer.subarray(0, await conn.read(buffer) ?? 0)).slice(0, 15);
  };
  assertEquals([await ask("other"), await ask(scene.door.token)], ["", "HTTP/1.1 200 OK"]);
});

Deno.test("more connections than a door serves take turns, also where rooms keep theirs", async () => {
  await using server = testServer(() => new Response("fine"));
  await using scene = await gateScene({ rules: onlyTo(server.host) });
  const request = new TextEncoder().encode(
    `GET / HTTP/1.1\r\nHost: a\r\nx-gate-url: ${server.url}/\r\nx-gate-token: ${scene.door.token}\r\n\r\n`,
  );
  const idle: Deno.Conn[] = [];
  for (let at = 0; at < 200; at++) {
    const conn = await Deno.connect({ transport: "unix", path: scene.door.path });
    idle.push(conn);
    await conn.write(request);
    await conn.read(new Uint8Array(1024));
  }
  const late = await scene.ask(server.url);
  assert(!(late instanceof ToolError), String(late));
  for (const conn of idle) closeQuietly(conn);
});

const KEY = "s3cret-k3y";
const secret = { name: "TEST_KEY", header: "x-key" };

/** A gate that has the key of a server. */
const sceneOf = (host: string) =>
  gateScene({
    rules: onlyTo(host),
    secrets: [{ name: "TEST_KEY", value: KEY, hosts: [host], forms: [KEY] }],
  });

async function packed(text: string, format: CompressionFormat): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream(format));
  return await new Response(stream).bytes();
}

function packedAnswer(body: Uint8Array, headers: string): Uint8Array {
  const head = new TextEncoder().encode(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
  return Uint8Array.from([...head, ...body]);
}

/** Each byte is a piece of its own. */
function inPieces(bytes: Uint8Array): Uint8Array {
  const end = new TextEncoder().encode("0\r\n\r\n");
  return Uint8Array.from([...bytes].flatMap((byte) => [49, 13, 10, byte, 13, 10]).concat(...end));
}

Deno.test("a key does not hide in how an answer is packed or cut", async () => {
  const text = `the key is ${KEY}, and ${KEY} again`;
  const plain = new TextEncoder().encode(text);
  const length = ({ length }: Uint8Array) => `Content-Length: ${length}\r\n`;
  const pieces = "Transfer-Encoding: chunked\r\n";
  const forms: [name: string, packedAnswer: Uint8Array][] = [
    ["as it is", packedAnswer(plain, length(plain))],
    ["in pieces", packedAnswer(inPieces(plain), pieces)],
    ["to the end", packedAnswer(plain, "")],
  ];
  for (const format of ["gzip", "deflate", "deflate-raw"] as const) {
    const bytes = await packed(text, format);
    const header = `Content-Encoding: ${format.replace("-raw", "")}\r\n`;
    forms.push([format, packedAnswer(bytes, header + length(bytes))]);
    forms.push([`${format} in pieces`, packedAnswer(inPieces(bytes), header + pieces)]);
  }
  for (const [name, bytes] of forms) {
    await using server = rawServer(bytes);
    await using scene = await sceneOf(server.host);
    const masked = text.replaceAll(KEY, "*".repeat(KEY.length));
    assertEquals(await scene.say(server.url, { secret, retries: 0 }), masked, name);
    // Who has no key gets the packedAnswer as it is.
    assertEquals(await scene.say(server.url, { retries: 0 }), text, name);
  }
});

Deno.test("an answer with a key that cannot be unpacked, or is cut, is a failure", async () => {
  const [body, odd] = [new TextEncoder().encode("body"), new TextEncoder().encode("wxyz")];
  const answers: [packedAnswer: Uint8Array, says: string][] = [
    [packedAnswer(body, "Content-Encoding: br\r\nContent-Length: 4\r\n"), "external_failure connect"],
    [packedAnswer(body, "Content-Encoding: gzip, gzip\r\nContent-Length: 4\r\n"), "external_failure connect"],
    [packedAnswer(body, "Content-Encoding: gzip\r\nContent-Length: 4\r\n"), "body"],
    [packedAnswer(odd, "Content-Encoding: deflate\r\nContent-Length: 4\r\n"), "external_failure"],
    [packedAnswer(body, "Content-Length: 5\r\n"), "external_failure"],
    [packedAnswer(body, "Transfer-Encoding: chunked\r\n"), "external_failure"],
  ];
  for (const [bytes, says] of answers) {
    await using server = rawServer(bytes);
    await using scene = await sceneOf(server.host);
    assertEquals(await scene.say(server.url, { secret, retries: 0 }), says);
  }
});

Deno.test("a bomb from a service with a key is unpacked up to the bound", async () => {
  const bomb = await packed("0".repeat(50_000_000), "gzip");
  await using server = rawServer(packedAnswer(bomb, "Content-Encoding: gzip\r\n"));
  await using scene = await sceneOf(server.host);
  assertEquals((await scene.say(server.url, { secret, maxBytes: 100_000 })).length, 100_000);
});
