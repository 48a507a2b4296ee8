import { assertEquals, assertThrows } from "@std/assert";

import { GateFailure } from "../../../../../runtime/net/dial/gate_failure.ts";
import { ChunkScanner } from "../../../../../runtime/net/forms/chunk_scanner.ts";

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

Deno.test("a body in pieces ends where it says, however it is cut", { permissions: "none" }, () => {
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

Deno.test("pieces that two readers could understand in two ways are none", { permissions: "none" }, () => {
  for (
    const text of [
      "zz\r\n",
      "\r\n",
      ";x\r\n",
      "-1\r\n",
      "0x3\r\nabc",
      "3\nabc",
      "3\r\nabcd\r\n",
      "3\r\nabc\n",
      "3;x\ny\r\nabc",
      "3;x\0\r\nabc",
      `${"1".repeat(13)}\r\n`,
      `1;${"x".repeat(5_000)}\r\n`,
      `0\r\n${"a: b\r\n".repeat(1_000)}\r\n`,
    ]
  ) assertThrows(() => scanned(text, 3), GateFailure);
});
