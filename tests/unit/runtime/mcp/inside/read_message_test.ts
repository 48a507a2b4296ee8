import { assertEquals, assertThrows } from "@std/assert";

import { readClientMessage, UnreadableMessage } from "../../../../../runtime/mcp/inside/read_message.ts";

Deno.test("readClientMessage() reads JSON, brackets in texts included", () => {
  const value = { a: ["[".repeat(500), '\\"{{{', { b: null }] };
  assertEquals(readClientMessage(JSON.stringify(value)), value);
});

Deno.test("readClientMessage() refuses what is no JSON, and what is nested without end", () => {
  for (
    const text of ["", "{", "hello", '{"a":}', "[".repeat(201) + "]".repeat(201), '{"a":'.repeat(5_000_000)]
  ) {
    assertThrows(() => readClientMessage(text), UnreadableMessage);
  }
  readClientMessage("[".repeat(200) + "]".repeat(200));
});
