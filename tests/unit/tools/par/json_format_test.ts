import { assertEquals, assertStringIncludes } from "@std/assert";

import jsonFormat from "../../../../tools/par/json_format.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("json_format indents by 2 spaces as JSON.stringify does", async () => {
  using ws = workspace();
  const values = [
    { a: 1, b: 2 },
    { a: { b: [1, [2, { c: null }], []], d: {} }, "": "" },
    [],
    {},
    [[]],
    [{}, {}],
    "a",
    -1.5,
    true,
    null,
    'a"b\\c{}[],: \n',
    { '{"': '}\\"' },
    { "😀": "\u2028" },
  ];
  for (const value of values) {
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, "\t")]) {
      assertEquals((await ws.run(jsonFormat, { json })).text, JSON.stringify(value, null, 2));
    }
  }
});

Deno.test("json_format keeps numbers, keys and escapes as written", async () => {
  using ws = workspace();
  const json = ' {"b" :12345678901234567890,"a":1.0,\r\n"a":1E+2,"2":"\\u00e9\\/","1":-0} ';
  assertEquals(
    (await ws.run(jsonFormat, { json })).text,
    '{\n  "b": 12345678901234567890,\n  "a": 1.0,\n  "a": 1E+2,\n  "2": "\\u00e9\\/",\n  "1": -0\n}',
  );
});

Deno.test("json_format refuses what is not JSON", async () => {
  using ws = workspace();
  for (const json of ["", "{a:1}", "[1,]", "'a'", "01", "1 2", "NaN", '"a\nb"', "\ufeff1"]) {
    const { error } = await ws.run(jsonFormat, { json });
    assertEquals([error?.code, error?.retryable], ["invalid_input", false], json);
    assertStringIncludes(error?.message ?? "", "Invalid JSON: ");
  }
});

Deno.test("json_format bounds what indentation makes of deep nesting", async () => {
  using ws = workspace();
  const { error } = await ws.run(jsonFormat, { json: "[".repeat(50_000) + "]".repeat(50_000) });
  assertEquals(error?.code, "limit_exceeded");
});
