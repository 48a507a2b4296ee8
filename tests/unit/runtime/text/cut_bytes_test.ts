import { assertEquals } from "@std/assert";

import { cutBytes } from "../../../../runtime/text/cut_bytes.ts";

async function cut(chunks: readonly string[], maxBytes = 100) {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const source = ReadableStream.from(bytes);
  const state = { tooLong: false };
  const onTooLong = () => void (state.tooLong = true);
  const found: string[] = [];
  for await (const message of cutBytes(source, { at: 0, maxBytes, onTooLong })) {
    found.push(new TextDecoder().decode(message));
  }
  return { found, ...state };
}

Deno.test("messages are put together, however their bytes come", async () => {
  assertEquals(await cut(["a", "b\0", "c\0d\0e"]), { found: ["ab", "c", "d"], tooLong: false });
  assertEquals(await cut(["\0\0one\0", "\0two", "\0"]), { found: ["one", "two"], tooLong: false });
});

Deno.test("what is too long ends the messages", async () => {
  assertEquals(await cut(["ok\0", "0123", "45678", "9\0next\0"], 9), { found: ["ok"], tooLong: true });
});
