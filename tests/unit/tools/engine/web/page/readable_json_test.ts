import { assertEquals } from "@std/assert";

import { readableJson } from "../../../../../../tools/engine/web/page/readable_json.ts";

const LONG = `"${"x".repeat(400)}"`;

Deno.test(
  "readableJson() writes a value a line, and changes nothing but blanks",
  { permissions: "none" },
  () => {
    const source =
      ` {"b":12345678901234567890, "a":1.50e3,"a":"{\\"\\u00e9,[" ,"10":[ ],"9":{},"l":[true, null ,[-0]],"x":${LONG}}\n`;
    assertEquals(
      readableJson(source),
      `{
  "b": 12345678901234567890,
  "a": 1.50e3,
  "a": "{\\"\\u00e9,[",
  "10": [],
  "9": {},
  "l": [
    true,
    null,
    [
      -0
    ]
  ],
  "x": ${LONG}
}`,
    );
  },
);

Deno.test("readableJson() leaves alone what is short, not JSON, or too deep", { permissions: "none" }, () => {
  const deep = `${"[".repeat(5_000)}${LONG}${"]".repeat(5_000)}`;
  const wide = `${"[".repeat(150)}${"1,".repeat(100_000)}1${"]".repeat(150)}`;
  for (const source of ['{"a":1}', `{"a":${LONG}`, `${LONG},`, deep, wide, `"${"\\\\".repeat(300)}`]) {
    assertEquals(readableJson(source), source);
  }
  assertEquals(readableJson(LONG), LONG);
});
