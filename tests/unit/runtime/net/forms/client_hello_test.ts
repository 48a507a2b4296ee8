import { assertEquals } from "@std/assert";

import { GreetingWatch } from "../../../../../runtime/net/forms/client_hello.ts";

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
  for (
    const words of ["", "GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "a\x16", "a\x16\x03", "a\x15\x03\x01"]
  ) {
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

Deno.test("a greeting without an end is not held for ever", () => {
  const part = [22, 3, 1, 64, 0, ...Array(16_384).fill(0)];
  // It says that it has 16 MB.
  const begin = [22, 3, 1, 0, 4, 1, 255, 255, 255];
  const { names, passed } = watched(join(begin, part, part, part, part), 10_000);
  assertEquals([names, passed.length], [[undefined], 0]);
});
