import { assertEquals } from "@std/assert";

import stringStats from "../../../../tools/par/string_stats.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("string_stats counts code points, words and lines", async () => {
  using ws = workspace();
  const cases: [string, number, number, number][] = [
    ["hello world\nfoo bar", 19, 4, 2],
    ["", 0, 0, 1],
    ["\n", 1, 0, 2],
    ["a\tb\u00a0c\r\nd", 8, 4, 2],
    ["é😀 👩‍🚀", 6, 2, 1],
    ["  padded  ", 10, 1, 1],
    ["\ud800x", 2, 1, 1],
    ["a\n".repeat(3), 6, 3, 4],
  ];
  for (const [text, characters, words, lines] of cases) {
    const { result } = await ws.run(stringStats, { text });
    assertEquals(result, { characters, words, lines }, JSON.stringify(text));
  }
});
