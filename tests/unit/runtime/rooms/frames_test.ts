import { assertEquals, assertThrows } from "@std/assert";

import { FrameReader, toFrame } from "../../../../runtime/rooms/frames.ts";
import type { FromRoom, ToRoom } from "../../../../runtime/rooms/protocol.ts";

const BYTES = Uint8Array.from({ length: 1000 }, (_, at) => at % 256);
const MESSAGES: (ToRoom | FromRoom)[] = [
  { t: "ready" },
  { t: "ask", n: 1, ask: { kind: "document.read", reader: "pdf", bytes: BYTES, input: { pages: "é" } } },
  { t: "ask", n: 2, ask: { kind: "artifact.write", name: "empty", bytes: new Uint8Array() } },
  {
    ...{ t: "call", id: 1, tool: "reader/pdf", input: { text: "a\nb" }, mode: "run", told: { settings: {} } },
    ...{ timeoutMs: 1, stopAfterMs: 1, bytes: BYTES },
  } as ToRoom,
  { t: "cancel", id: 1 },
];

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(pieces.flatMap((piece) => [...piece]));
}

Deno.test("FrameReader reads what toFrame() wrote, however it is cut", { permissions: "none" }, () => {
  const sent = joined(MESSAGES.flatMap(toFrame));
  for (const size of [1, 2, 7, 64, 1000, sent.length]) {
    const reader = new FrameReader();
    const got: unknown[] = [];
    // The buffer is used again, as that of a pipe is.
    const buffer = new Uint8Array(size);
    for (let at = 0; at < sent.length; at += size) {
      const part = sent.subarray(at, at + size);
      buffer.set(part);
      got.push(...reader.push(buffer.subarray(0, part.length)));
    }
    assertEquals<unknown>(got, MESSAGES, `in pieces of ${size}`);
  }
});

Deno.test("toFrame() writes bytes as they are", { permissions: "none" }, () => {
  const [head, bytes] = toFrame(MESSAGES[1]!);
  assertEquals(bytes, BYTES);
  assertEquals(new TextDecoder().decode(head).startsWith("@1000 {"), true);
});

Deno.test("FrameReader refuses what is no message", { permissions: "none" }, () => {
  const push = (text: string) => new FrameReader().push(new TextEncoder().encode(text));
  for (const text of ["no json\n", "@5 no json\n", "@x {}\n", "@999999999 {}\n", "@9999999999 {}\n"]) {
    assertThrows(() => push(text), Error);
  }
  // Bytes where no message has any are left out.
  assertEquals<unknown>(push('@3 {"t":"done"}\nabc'), [{ t: "done" }]);
  assertEquals<unknown>(push("@3 null\nabc"), [null]);
});
