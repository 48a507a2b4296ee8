import { assert, assertEquals } from "@std/assert";

import { cutText } from "../../../../../../runtime/sources/mcp/tools/cut_text.ts";

Deno.test("cutText() leaves what is short enough", () => {
  assertEquals(cutText('{"a": 1}', 8), '{"a": 1}');
});

Deno.test("cutText() keeps JSON whole, whatever its form", () => {
  const row = { id: 1, name: "x".repeat(50), tags: ["a", "b"] };
  const values: unknown[] = [
    Array.from({ length: 500 }, () => row),
    { text: "y".repeat(10_000), after: 1 },
    Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`field ${at}`, at])),
    { deep: { deeper: { deepest: Array(1_000).fill("\u0000\u{1f600}") } } },
    [[[["z".repeat(5_000)]]]],
  ];
  for (const value of values) {
    for (const limit of [100, 500, 3_000]) {
      const short = cutText(JSON.stringify(value), limit);
      assert(short.length <= limit, `${short.length} > ${limit}`);
      JSON.parse(short);
    }
  }
});

Deno.test("cutText() says how much is missing", () => {
  assertEquals(
    cutText(JSON.stringify({ text: "y".repeat(1_000) }), 150),
    `{"text":"${"y".repeat(62)}…[938 more characters]"}`,
  );
  assertEquals(cutText(JSON.stringify(Array(100).fill(7)), 60), '[7,7,7,7,7,7,7,"…[93 more items]"]');
  assertEquals(cutText("word ".repeat(100), 60).split("\n").length, 2);
});

Deno.test("cutText() survives JSON that is nested without an end", () => {
  const text = "[".repeat(100_000) + "]".repeat(100_000);
  assert(cutText(text, 1_000).length <= 1_000);
});
