import { assertEquals } from "@std/assert";

import { readLines } from "../../../../runtime/text/lines.ts";

const CASES: [string, string[]][] = [
  ["", []],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\nb", ["a", "b"]],
  ["\n\na\n", ["", "", "a"]],
  ["ünï\r\n世界🙂\n\u2028x", ["ünï\r", "世界🙂", "\u2028x"]],
];

Deno.test("readLines() splits at LF alone, wherever the bytes are cut", { permissions: "none" }, async () => {
  for (const [text, lines] of CASES) {
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 1_000]) {
      const chunks = ReadableStream.from((function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
      })());
      assertEquals(await Array.fromAsync(readLines(chunks)), lines, `${JSON.stringify(text)} by ${size}`);
    }
  }
});
