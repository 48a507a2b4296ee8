import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { GreetingWatch } from "../../../../../runtime/net/forms/client_hello.ts";
import { proxyGreeting } from "../../../../../runtime/net/forms/gate_headers.ts";
import { bridge } from "../../../../support/net/bridge.ts";
import { tlsServer } from "../../../../support/net/certificates.ts";
import { gateScene, onlyTo, rawServer, testServer } from "../../../../support/net/gate_scene.ts";
import type { GateDoor } from "../../../../../runtime/net/open_gate.ts";

/** What a proxy answers to bytes, until it closes the connection. */
async function say({ path, token }: GateDoor, ...pieces: (string | Uint8Array)[]): Promise<string> {
  using conn = await Deno.connect({ transport: "unix", path });
  let said = "";
  const buffer = new Uint8Array(4096);
  try {
    for (const piece of [proxyGreeting(token), ...pieces]) {
      await conn.write(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
    }
    for (let read = await conn.read(buffer); read !== null; read = await conn.read(buffer)) {
      said += new TextDecoder("latin1").decode(buffer.subarray(0, read));
    }
  } catch (error) {
    // Who says no right word is cut off, also while the rest is sent.
    const isCut = error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe;
    if (!isCut) throw error;
  }
  return said;
}

Deno.test("a whole URL is sent as one request, without what concerns the proxy", async () => {
  await using server = testServer(async (request) => {
    const { pathname } = new URL(request.url);
    const seen = ["proxy-connection", "proxy-authorization", "x-own", "host"].map((name) =>
      request.headers.get(name)
    );
    return new Response(`${request.method} ${pathname} ${await request.text()} ${seen.join("|")}`);
  });
  await using scene = await gateScene({ form: "proxy", rules: onlyTo(server.host) });
  const said = await say(
    scene.door,
    `POST ${server.url}/a HTTP/1.1\r\nHost: other.example\r\nContent-Length: 4\r\nProxy-Connection: keep-alive\r\n` +
      "Proxy-Authorization: Basic abc\r\nX-Own: mine\r\n\r\nbody" +
      `GET ${server.url}/second HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`,
  );
  assertStringIncludes(said, `POST /a body ||mine|${server.host}`);
  assert(!said.includes("second"), said);
  // That the gate closes the connection after the answer is no failure.
  assertEquals((await scene.door.take(null)).map(({ decision }) => decision), ["allowed"]);
});

Deno.test("an answer that ends with its connection ends so for old clients, too", async () => {
  await using server = rawServer("HTTP/1.0 200 OK\r\n\r\nold style");
  await using scene = await gateScene({ form: "proxy", rules: onlyTo(server.host) });
  const said = await say(scene.door, `GET ${server.url}/a HTTP/1.0\r\n\r\n`);
  assertEquals(said, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nold style");
  assert(server.asked[0]!.startsWith("GET /a HTTP/1.0\r\n"), server.asked[0]);
});

Deno.test("a body in pieces is passed on to its end, and not beyond", async () => {
  await using server = testServer(async (request) =>
    new Response(`got ${await request.text().catch(() => "nothing")}`)
  );
  await using scene = await gateScene({ form: "proxy", rules: onlyTo(server.host) });
  const head = `POST ${server.url}/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`;
  assertStringIncludes(
    await say(scene.door, head, "3\r\nab", "c\r\n2;x=y\r\nde\r\n0\r\nA: b\r\n\r\n"),
    "got abcde",
  );
  for (const wrong of ["zz\r\n", "3\r\nabcd\r\n", "3\nabc\n0\n\n", `${"1".repeat(5_000)}\r\n`]) {
    assertStringIncludes(await say(scene.door, head, wrong), "400 Gate");
  }
});

Deno.test("no word of a client makes its body another request, or changes a byte of its headers", async () => {
  await using server = rawServer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  await using scene = await gateScene({ form: "proxy", rules: onlyTo(server.host) });
  const inner = "GET http://other.example/ HTTP/1.1\r\n\r\n";
  const pieces = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
  const post = (lines: string, body: string) =>
    say(scene.door, `POST ${server.url}/ HTTP/1.1\r\n${lines}\r\n\r\n${body}`);
  await post(`Connection: content-length\r\nContent-Length: 0${inner.length}`, inner);
  await post("Connection: close, Transfer-Encoding\r\nTransfer-Encoding: chunked", pieces);
  const bytes = Uint8Array.from({ length: 128 }, (_, at) => 128 + at);
  const [first, last] = [`GET ${server.url}/ HTTP/1.1\r\nX-Own: `, "\r\n\r\n"].map((text) =>
    new TextEncoder().encode(text)
  );
  await say(scene.door, Uint8Array.from([...first!, ...bytes, ...last!]));
  assertStringIncludes(server.asked[0]!.toLowerCase(), `\r\ncontent-length: ${inner.length}\r\n`);
  assertStringIncludes(server.asked[1]!.toLowerCase(), "\r\ntransfer-encoding: chunked\r\n");
  assertEquals(server.asked[2]!.match(/\ufffd/g)?.length, 128);
});

Deno.test("requests that two readers may understand in two ways are refused", async () => {
  await using scene = await gateScene({ form: "proxy" });
  const target = "http://example.com/";
  const lines = [
    ...["Content-Length: 1\r\nTransfer-Encoding: chunked", "Content-Length: 1\r\nContent-Length: 2"],
    ...["Content-Length: +1", "Transfer-Encoding: gzip, chunked", "A : b", "A: b\r\n c", "A: b\nC: d"],
  ];
  const requests = [
    ...lines.map((line) => `GET ${target} HTTP/1.1\r\n${line}\r\n\r\n`),
    ...[`GET ${target} HTTP/2.0\r\n\r\n`, `GET /page HTTP/1.1\r\nHost: example.com\r\n\r\n`],
    ...[`CONNECT example.com HTTP/1.1\r\n\r\n`, `CONNECT example.com:99999 HTTP/1.1\r\n\r\n`],
    `GET ${target} HTTP/1.1\r\nA: ${"b".repeat(70_000)}`,
  ];
  for (const request of requests) assertStringIncludes(await say(scene.door, request), "400 Gate");
});

Deno.test("a refusal says what the user can do, in the body and to the audit", async () => {
  const rules = { allow: ["allowed.example"], deny: [], private: [] };
  await using scene = await gateScene({ form: "proxy", rules });
  const ends = { outside: "other.example:443", private: "127.0.0.1:80" };
  for (const [reason, host] of Object.entries(ends)) {
    const said = await say(scene.door, `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    assertStringIncludes(said, `403 Gate\r\nx-gate-reason: ${reason}`);
    assertStringIncludes(said, `bulkhead: Cannot reach ${host}`);
    assertStringIncludes(said, `net=${host}`);
  }
  assertStringIncludes(await say(scene.door, "GET ftp://allowed.example/ HTTP/1.1\r\n\r\n"), "403 Gate");
  assertEquals((await scene.door.take(null)).map(({ host, decision, flag }) => [host, decision, flag]), [
    ["other.example", "refused", "--allow-net=other.example:443"],
    ["127.0.0.1", "refused", "--allow-private-net=127.0.0.1:80"],
  ]);
});

Deno.test("a tunnel carries TLS of the name that was asked for, and cuts off another one", async () => {
  await using server = await tlsServer(() => new Response("by TLS"));
  const { ca } = server;
  await using scene = await gateScene({ form: "proxy", rules: onlyTo(`localhost:${server.port}`) });
  await using over = bridge(scene.door);
  using client = Deno.createHttpClient({ proxy: { url: over.url }, caCerts: [ca], poolMaxIdlePerHost: 0 });
  const response = await fetch(`https://localhost:${server.port}/`, { client });
  assertEquals(await response.text(), "by TLS");
  using conn = await Deno.connect({ hostname: "127.0.0.1", port: over.port });
  await conn.write(new TextEncoder().encode(`CONNECT localhost:${server.port} HTTP/1.1\r\n\r\n`));
  await conn.read(new Uint8Array(1024));
  const failed = await Deno.startTls(conn, { hostname: "good.example", caCerts: [ca] })
    .then((tls) => tls.handshake().finally(() => tls.close()))
    .then(() => "greeted", () => "cut off");
  assertEquals(failed, "cut off");
  await over[Symbol.asyncDispose]();
  const told = await scene.door.take(null);
  assertEquals(told.map(({ decision }) => decision), ["allowed", "refused"]);
  assertStringIncludes(told[1]!.rule, '"good.example"');
});

Deno.test("a tunnel cuts off a greeting that cannot be read", async () => {
  await using server = rawServer("heard");
  await using scene = await gateScene({ form: "proxy", rules: onlyTo(server.host) });
  // A greeting of no bytes.
  const greeting = Uint8Array.of(22, 3, 1, 0, 4, 1, 0, 0, 0);
  const said = await say(scene.door, `CONNECT ${server.host} HTTP/1.1\r\n\r\n`, greeting);
  assertEquals([said.includes("heard"), said.endsWith("\x15\x03\x03\0\x02\x02\x70")], [false, true]);
  const [told] = await scene.door.take(null);
  assertEquals([told?.decision, told?.reason, told?.sentBytes], ["refused", "server_name", 0]);
});

Deno.test("a door serves its own bridge alone", async () => {
  await using scene = await gateScene({ form: "proxy" });
  const request = "GET /page HTTP/1.1\r\n\r\n";
  assertStringIncludes(await say(scene.door, request), "400 Gate");
  const other = { ...scene.door, token: crypto.randomUUID() };
  assertEquals([await say(other, request), await say({ ...other, token: "" }, request)], ["", ""]);
});

Deno.test("SOCKS 5 leads to names and addresses, by the same rules", async () => {
  await using server = testServer(() => new Response("by SOCKS"));
  await using scene = await gateScene({ form: "proxy", rules: onlyTo(`localhost:${server.port}`) });
  const port = Uint8Array.of(server.port >> 8, server.port & 255);
  const greeting = Uint8Array.of(5, 1, 0);
  const name = new TextEncoder().encode("localhost");
  const byName = Uint8Array.of(5, 1, 0, 3, name.length, ...name, ...port);
  const get = `GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  const said = await say(scene.door, greeting, byName, get);
  assertEquals([...said.slice(0, 4)].map((one) => one.charCodeAt(0)), [5, 0, 5, 0]);
  assertStringIncludes(said, "by SOCKS");
  const codes = async (...bytes: number[]) =>
    [...await say(scene.door, greeting, Uint8Array.from(bytes))].map((one) => one.charCodeAt(0))[3];
  assertEquals(await codes(5, 1, 0, 1, 10, 0, 0, 1, 0, 80), 2);
  assertEquals(await codes(5, 1, 0, 4, ...Array(15).fill(0), 1, 0, 80), 2);
  assertEquals(await codes(5, 2, 0, 1, 10, 0, 0, 1, 0, 80), 7);
  assertEquals(await codes(5, 1, 0, 9, 0, 0), 8);
  assertEquals((await say(scene.door, Uint8Array.of(5, 1, 2))).charCodeAt(1), 255);
});

Deno.test("a door serves so many connections at once, and others wait for their turn", async () => {
  await using scene = await gateScene({ form: "proxy" });
  const other = await scene.gate.door({
    ...{ who: "other", secrets: [], form: "proxy" },
    rules: { allow: [], deny: [], private: [] },
  });
  const open = () => Deno.connect({ transport: "unix", path: scene.door.path });
  const idle = await Promise.all(Array.from({ length: 100 }, open));
  idle.push(...await Promise.all(Array.from({ length: 100 }, open)));
  const request = "GET /page HTTP/1.1\r\n\r\n";
  let isAnswered = false;
  const waiting = say(scene.door, request).finally(() => isAnswered = true);
  assertStringIncludes(await say(other, request), "400 Gate");
  assertEquals(isAnswered, false);
  for (const conn of idle) conn.close();
  assertStringIncludes(await waiting, "400 Gate");
});

/** What this runtime says first in TLS to a host. */
async function greetingFor(hostname: string): Promise<Uint8Array> {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const [client, server] = await Promise.all([
    Deno.connect({ hostname: "127.0.0.1", port }),
    listener.accept(),
  ]);
  const tls = await Deno.startTls(client, { hostname });
  const greeted = tls.handshake().catch(() => {});
  const buffer = new Uint8Array(64 * 1024);
  const read = await server.read(buffer) ?? 0;
  server.close();
  await greeted;
  tls.close();
  return buffer.slice(0, read);
}

/** Cuts a greeting of one record into many. */
function inRecords(greeting: Uint8Array, size: number): Uint8Array {
  const body = greeting.subarray(5);
  const records: number[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    records.push(22, 3, 1, part.length >> 8, part.length & 255, ...part);
  }
  return Uint8Array.from(records);
}

const text = (words: string) => new TextEncoder().encode(words);
const [ALERT, NEW_KEYS, SECRET] = [[21, 3, 1, 0, 2, 1, 90], [20, 3, 3, 0, 1, 1], [23, 3, 3, 0, 3, 7, 7, 7]];
const CLIENT_KEY = [22, 3, 3, 0, 5, 16, 0, 0, 1, 9];

/** Says bytes in pieces; returns the names that were asked for, what went on before and what at the end. */
function watched(bytes: Uint8Array, size = bytes.length) {
  const names: (string | undefined)[] = [];
  const watch = new GreetingWatch((name) => {
    names.push(name);
    // As a tunnel does.
    if (name === undefined) throw new TypeError("it cannot be read");
  });
  const passed: number[] = [];
  try {
    for (let at = 0; at < bytes.length; at += size) passed.push(...watch.take(bytes.slice(at, at + size)));
    passed.push(...watch.end());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return { names, passed: Uint8Array.from(passed), isOver: watch.isOver };
}

const join = (...parts: ArrayLike<number>[]) => Uint8Array.from(parts.flatMap((part) => Array.from(part)));

Deno.test("a greeting of TLS is read however it is cut, and goes on whole", async () => {
  const greeting = await greetingFor("www.example.com");
  for (const bytes of [greeting, inRecords(greeting, 1), inRecords(greeting, 100)]) {
    for (const size of [1, 7, 1_000_000]) {
      const all = join(bytes, NEW_KEYS, SECRET, text("and so on"));
      assertEquals(watched(all, size), { names: ["www.example.com"], passed: all, isOver: true });
    }
  }
  assertEquals(watched(await greetingFor("127.0.0.1")).names, [""]);
  assertEquals(watched(join(greeting, CLIENT_KEY)).isOver, true);
});

Deno.test("no byte of a greeting goes on before its name is known", async () => {
  const greeting = await greetingFor("www.example.com");
  for (const begin of [greeting.subarray(0, 100), inRecords(greeting, 10).subarray(0, 100)]) {
    const { names, passed } = watched(begin);
    assertEquals([names, passed.length], [[undefined], 0]);
  }
});

Deno.test("what is no TLS goes on as it comes", () => {
  for (const words of ["", "GET / HTTP/1.1\r\n\r\n", "a\x16", "a\x16\x03", "a\x15\x03\x01"]) {
    for (const size of [1, 100]) {
      assertEquals(watched(text(words), size), { names: [], passed: text(words), isOver: false });
    }
  }
  // As long packets of a database begin.
  const packet = join(text("hi"), [22, 3, 0, 0, 3, 83, 69, 76]);
  assertEquals(watched(packet, 2).passed, packet);
});

Deno.test("greetings behind other records, behind a first one and behind plain words are read, too", async () => {
  const one = await greetingFor("one.example.com");
  const other = await greetingFor("other.example.com");
  const asked = (...parts: ArrayLike<number>[]) => {
    const [whole, cut] = [watched(join(...parts)), watched(join(...parts), 3)];
    assertEquals(whole.names, cut.names);
    return whole.names;
  };
  assertEquals(asked(ALERT, one), ["one.example.com"]);
  assertEquals(asked(NEW_KEYS, ALERT, inRecords(one, 5)), ["one.example.com"]);
  // A server may ask for a second one.
  assertEquals(asked(one, other), ["one.example.com", "other.example.com"]);
  assertEquals(asked(one, NEW_KEYS, ALERT, inRecords(other, 9)), ["one.example.com", "other.example.com"]);
  assertEquals(asked(one, SECRET, other), ["one.example.com"]);
  for (const begin of [[], NEW_KEYS, ALERT]) {
    const watch = new GreetingWatch((name) => names.push(name));
    const names: (string | undefined)[] = [];
    for (const piece of [text("STARTTLS\r\n"), Uint8Array.from(begin), other]) watch.take(piece);
    assertEquals(names, ["other.example.com"]);
    const joined = new GreetingWatch((name) => names.push(name));
    for (const piece of [text("STARTTLS\r\n"), join(begin, other)]) joined.take(piece);
    assertEquals(names, ["other.example.com", "other.example.com"]);
  }
});

Deno.test("what cannot be read in a greeting has no name", async () => {
  const greeting = await greetingFor("www.example.com");
  const at = new TextDecoder("latin1").decode(greeting).indexOf("www.example.com");
  // The length of the name, of its list, and of the extension.
  for (const [back, value] of [[1, 14], [1, 200], [4, 0], [6, 255]] as const) {
    const forged = greeting.slice();
    forged[at - back] = value;
    assertEquals(watched(forged).names, [undefined], `${back} bytes before the name`);
  }
  const wrong = [[0, 23], [0, 24], [1, 2], [5, 2], [5, 0]] as const;
  for (const [place, value] of wrong) {
    const other = greeting.slice();
    other[place] = value;
    assertEquals(watched(other).names, [undefined], `${value} at ${place}`);
  }
});

Deno.test("a greeting that asks for two names asks for none", async () => {
  const greeting = await greetingFor("www.example.com");
  const at = new TextDecoder("latin1").decode(greeting).indexOf("www.example.com");
  const extension = greeting.slice(at - 9, at + 15);
  const twice = join(greeting.slice(0, at + 15), extension, greeting.slice(at + 15));
  // The version and the random bytes, then three lists, then that of the extensions.
  let list = 5 + 4 + 34;
  list += 1 + twice[list]!;
  list += 2 + twice[list]! * 256 + twice[list + 1]!;
  list += 1 + twice[list]!;
  const view = new DataView(twice.buffer);
  for (const place of [3, 7, list]) view.setUint16(place, view.getUint16(place) + extension.length);
  assertEquals(watched(greeting).names, ["www.example.com"]);
  assertEquals(watched(twice).names, [undefined]);
});

Deno.test("a greeting without an end is not held for ever", () => {
  const part = [22, 3, 1, 64, 0, ...Array(16_384).fill(0)];
  // It says that it has 16 MB.
  const begin = [22, 3, 1, 0, 4, 1, 255, 255, 255];
  const { names, passed } = watched(join(begin, part, part, part, part), 10_000);
  assertEquals([names, passed.length], [[undefined], 0]);
  const seen: (string | undefined)[] = [];
  const watch = new GreetingWatch((name) => seen.push(name));
  for (let n = 0; n < 3; n++) watch.take(n === 0 ? join(begin, part) : Uint8Array.from(part));
  assertEquals(seen, []);
  watch.take(Uint8Array.from(part));
  assertEquals(seen, [undefined]);
});
