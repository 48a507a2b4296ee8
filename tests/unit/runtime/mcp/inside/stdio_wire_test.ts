import { assertEquals } from "@std/assert";

import { StdioWire } from "../../../../../runtime/mcp/inside/stdio_wire.ts";

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
