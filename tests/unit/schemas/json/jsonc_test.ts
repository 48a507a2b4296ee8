import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { parseJsonc } from "../../../../schemas/json/jsonc.ts";

Deno.test("parseJsonc() reads comments and last commas, and leaves texts alone", () => {
  const table: readonly (readonly [text: string, value: unknown])[] = [
    ['// first\n{"a": 1 /* one */, // end\n "b": [1, 2,], }', { a: 1, b: [1, 2] }],
    ['{"url": "http://x//y", "c": "/* no */", "d": "a,}", "e": "\\"// no"}', {
      url: "http://x//y",
      c: "/* no */",
      d: "a,}",
      e: '"// no',
    }],
    ["/* a\n b */ 5 // no line end", 5],
    ['\uFEFF{"a": [ /* none */ ]}', { a: [] }],
  ];
  for (const [text, value] of table) assertEquals(parseJsonc(text, "the text"), value, text);
});

Deno.test("parseJsonc() names line and column of a fault behind comments", () => {
  for (const text of ['// a\n/* b\n */ {"a": }', '{\n  "b": 1,\n  "a": }']) {
    const error = assertThrows(() => parseJsonc(text, "the text"), ToolError);
    assertEquals(
      error.message.split("\n")[0]?.replace(/column \d+/, "column"),
      "Broken JSON in the text, line 3 column: expected a value",
    );
  }
  assertThrows(() => parseJsonc('{"a": 1 /* open', "the text"), ToolError);
});
