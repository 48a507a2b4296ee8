import { assertEquals, assertThrows } from "@std/assert";

import { GateFailure } from "../../../../../runtime/net/dial/gate_failure.ts";
import { ChunkScanner } from "../../../../../runtime/net/forms/chunk_scanner.ts";
import { type Exchange, runExchange } from "../../../../../runtime/net/forms/exchange.ts";
import {
  answerLength,
  headersToPass,
  parseAnswerHead,
  parseRequestHead,
  writeHead,
} from "../../../../../runtime/net/forms/http_head.ts";
import { IdleWays } from "../../../../../runtime/net/forms/idle_ways.ts";
import { latin1 } from "../../../../../runtime/net/wire/streams.ts";
import { Wire } from "../../../../../runtime/net/wire/wire.ts";

const PURE = { permissions: "none" } as const;

Deno.test("heads are read byte by byte, and written as they were", PURE, () => {
  const every = String.fromCharCode(...Array.from({ length: 128 }, (_, at) => at + 128));
  const { headers } = parseAnswerHead(`HTTP/1.1 200 Fine\r\nLocation: \t ${every} \t\r\nEmpty:\r\n\r\n`)!;
  assertEquals(headers, [["location", every], ["empty", ""]]);
  const written = writeHead("HTTP/1.1 200 Fine", headers);
  const text = `HTTP/1.1 200 Fine\r\nlocation: ${every}\r\nempty: \r\n\r\n`;
  assertEquals(written, Uint8Array.from(text, (character) => character.charCodeAt(0)));
});

Deno.test("many blanks in a header stay, and keep nobody", PURE, () => {
  const [, value] = parseRequestHead(`GET / HTTP/1.1\r\nA: b${" ".repeat(600_000)}c\r\n\r\n`).headers[0]!;
  assertEquals(value.length, 600_002);
});

Deno.test("a request with other line ends is none, an answer may have them", PURE, () => {
  for (const lines of ["\r\nA: b\r\nC: d\n\n", "\nA: b\r\n\r\n", "\n\n"]) {
    assertThrows(() => parseRequestHead(`GET / HTTP/1.1${lines}`), GateFailure);
  }
  assertEquals(parseAnswerHead("HTTP/1.1 200\nA: b\n\n")?.headers, [["a", "b"]]);
  for (const line of ["HTTP/2 200", "HTTP/1.1 20", "HTTP/1.1 200 a\x07", "ICY 200 OK"]) {
    assertEquals(parseAnswerHead(`${line}\r\n\r\n`), null, line);
  }
});

Deno.test("an answer has one length, and names what its connection alone needs", PURE, () => {
  const head = (lines: string, status = 200) => parseAnswerHead(`HTTP/1.1 ${status} x\r\n${lines}\r\n`)!;
  type Length = ReturnType<typeof answerLength>;
  const lengths: [lines: string, length: Length, method?: string, status?: number][] = [
    ["Content-Length: 5\r\n", 5],
    ["Content-Length: 5\r\nContent-Length: 5\r\n", 5],
    ["Content-Length: 5\r\nContent-Length: 6\r\n", null],
    ["Content-Length: 5, 5\r\n", null],
    ["Content-Length: -1\r\n", null],
    ["Transfer-Encoding: Chunked\r\n", "chunked"],
    ["Transfer-Encoding: gzip, chunked\r\n", null],
    ["Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", null],
    ["", "close"],
    ["Content-Length: 5\r\n", 0, "HEAD"],
    ["Transfer-Encoding: chunked\r\n", 0, "GET", 304],
    ["", 0, "GET", 204],
  ];
  for (const [lines, length, method = "GET", status] of lengths) {
    assertEquals(answerLength(head(lines, status), method), length, lines);
  }
  const own = "Connection: close, X-A\r\nX-A: 1\r\nX-Gate-Nonce: 1\r\nX-B: 2\r\nKeep-Alive: 5\r\n";
  const { keeps, ...rest } = head(own);
  assertEquals([keeps, headersToPass(rest)], [false, [["x-b", "2"]]]);
});

const bytes = (text: string) => new TextEncoder().encode(text);

/** Scans a text in steps; returns what goes on, and what is left behind. */
function scanned(text: string, step: number): { passed: string; rest: string; hasEnded: boolean } {
  const scanner = new ChunkScanner();
  let passed = "";
  for (let at = 0; at < text.length;) {
    const piece = text.slice(at, at + step);
    const end = scanner.scan(bytes(piece));
    passed += piece.slice(0, end.passed);
    at += end.taken;
    if (end.hasEnded) return { passed, rest: text.slice(at), hasEnded: true };
    assertEquals(end.taken, piece.length);
  }
  return { passed, rest: "", hasEnded: false };
}

Deno.test("a body in pieces ends where it says, however it is cut", PURE, () => {
  const bodies: [text: string, passed: string, rest: string][] = [
    ["3\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n0\r\n", ""],
    ["0\r\n\r\nHTTP/1.1 200", "0\r\n", "HTTP/1.1 200"],
    ["00A;x=y\r\n0123456789\r\n0\r\nA: b\r\nC: d\r\n\r\n0", "00A;x=y\r\n0123456789\r\n0\r\n", "0"],
    ["2  \r\n\r\n\r\n0\r\n\r\n", "2  \r\n\r\n\r\n0\r\n", ""],
  ];
  for (const [text, passed, rest] of bodies) {
    for (const step of [1, 2, 3, 7, 1_000]) {
      assertEquals(scanned(text, step), { passed, rest, hasEnded: true }, `${text} by ${step}`);
    }
  }
  assertEquals(scanned("3\r\nabc\r\n", 4).hasEnded, false);
});

Deno.test("pieces that two readers could understand in two ways are none", PURE, () => {
  const texts = [
    ...["zz\r\n", "\r\n", ";x\r\n", "-1\r\n", "0x3\r\nabc", "3\nabc", "3\r\nabcd\r\n", "3\r\nabc\n"],
    ...["3;x\ny\r\nabc", "3;x\0\r\nabc", `${"1".repeat(13)}\r\n`, `1;${"x".repeat(5_000)}\r\n`],
    `0\r\n${"a: b\r\n".repeat(1_000)}\r\n`,
  ];
  for (const text of texts) assertThrows(() => scanned(text, 3), GateFailure);
});

/** A connection whose other side says some words, and then takes so many writes. */
function fakeConn(words: string, { takes = Infinity }: { takes?: number } = {}) {
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  const fake = {
    said: "",
    isClosed: false,
    read(buffer: Uint8Array): Promise<number | null> {
      if (words === "") return closed.promise;
      const bytes = new TextEncoder().encode(words);
      buffer.set(bytes);
      words = "";
      return Promise.resolve(bytes.length);
    },
    write(bytes: Uint8Array): Promise<number> {
      if (takes-- <= 0) return closed.promise;
      fake.said += latin1(bytes);
      return Promise.resolve(bytes.length);
    },
    close() {
      fake.isClosed = true;
      closed.reject(new Deno.errors.BadResource());
    },
  };
  return fake;
}

/** Runs an exchange between two such connections. */
async function run(
  from: ReturnType<typeof fakeConn>,
  up: ReturnType<typeof fakeConn>,
  how: Partial<Exchange>,
) {
  const wire = (conn: unknown) => new Wire(conn as Deno.Conn);
  const counts = { sentBytes: 0, receivedBytes: 0 };
  const trace = { trail: { rule: "", address: null }, counts, end() {} };
  const head = new TextEncoder().encode("POST / HTTP/1.1\r\n\r\n");
  const to = { host: "shop.example", port: 80 };
  try {
    return await runExchange({
      ...{ from: wire(from), up: wire(up), to, byProxy: false, method: "POST", head, length: 0, keeps: true },
      ...how,
    }, trace);
  } catch (error) {
    if (!(error instanceof GateFailure)) throw error;
    return `${error.reason}: ${error.message}`;
  }
}

const ANSWER = "HTTP/1.1 413 Long\r\nContent-Length: 4\r\n\r\nlong";

Deno.test("a server that answers early and takes no more of the body holds nothing", async () => {
  const from = fakeConn("begin");
  const up = fakeConn(ANSWER, { takes: 0 });
  assertEquals(await run(from, up, { length: 5 }), { fromStays: false, upStays: false });
  assertEquals([from.said, from.isClosed, up.isClosed], [ANSWER, true, true]);
});

Deno.test("an answer whose body cannot be read from its first byte is none", async () => {
  const from = fakeConn("");
  const up = fakeConn("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nshort");
  const says = "connect: shop.example:80 gave no answer of HTTP that can be read";
  assertEquals(await run(from, up, {}), says);
  assertEquals([from.said, from.isClosed], ["", false]);
});

/** A way to an address, whose server says nothing until it ends. */
function wayTo(address: string | null) {
  const ended = Promise.withResolvers<null>();
  const server = { isClosed: false, end: () => ended.resolve(null) };
  const close = () => {
    server.isClosed = true;
    server.end();
  };
  const conn = { read: () => ended.promise, close } as unknown as Deno.Conn;
  return { way: { wire: new Wire(conn), proxy: null, address }, server };
}

Deno.test("a way is taken for its own server, and for an address that its host still has", () => {
  const idle = new IdleWays();
  const { way, server } = wayTo("192.0.2.1");
  idle.give("http a.example:80", way);
  const addresses = ["192.0.2.1", "192.0.2.2"];
  assertEquals(idle.take("https a.example:80", { addresses }), null);
  assertEquals(idle.take("http a.example:81", { addresses }), null);
  assertEquals(idle.take("http a.example:80", { addresses: ["192.0.2.2"] }), null);
  assertEquals(idle.take("http a.example:80", { addresses })?.wire, way.wire);
  assertEquals(idle.take("http a.example:80", { addresses }), null);
  assertEquals(server.isClosed, false);
  // The user's proxy alone knows the address.
  idle.give("http a.example:80", wayTo(null).way);
  assertEquals(idle.take("http a.example:80", { addresses: null })?.address, null);
  idle.close();
});

Deno.test("a way that has waited too long for a request is closed", () => {
  const idle = new IdleWays();
  const { way, server } = wayTo("192.0.2.1");
  idle.give("a", way);
  assertEquals([idle.take("a", { addresses: null, idleMs: 0 }), server.isClosed], [null, true]);
  idle.close();
});

Deno.test("a way whose server ends it is taken by nobody", async () => {
  const idle = new IdleWays();
  const { way, server } = wayTo("192.0.2.1");
  idle.give("a", way);
  server.end();
  await Promise.resolve();
  await Promise.resolve();
  assertEquals([idle.take("a", { addresses: null }), server.isClosed], [null, true]);
  idle.close();
});

Deno.test("so many ways wait, the oldest is closed for one more, and none outlasts the door", () => {
  const idle = new IdleWays();
  const all = Array.from({ length: 66 }, () => wayTo("192.0.2.1"));
  for (const { way } of all) idle.give("a", way);
  const open = () => all.map(({ server }) => !server.isClosed);
  assertEquals(open(), [false, false, ...Array(64).fill(true)]);
  idle.close();
  assertEquals(open(), Array(66).fill(false));
  const { way, server } = wayTo("192.0.2.1");
  idle.give("a", way);
  assertEquals(server.isClosed, true);
});
