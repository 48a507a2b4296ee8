import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { isJson, parseJson } from "../../../../schemas/json/json_text.ts";

Deno.test("parseJson() parses JSON, also behind a byte order mark", () => {
  assertEquals(parseJson('\uFEFF {"a": [1, null]}\n', "x"), { a: [1, null] });
});

Deno.test("isJson() takes a whole text, and nothing that is almost one", () => {
  assertEquals(['{"a":1}', " 1\n", "null"].map(isJson), [true, true, true]);
  assertEquals(["", "{", '{"a":1} x', "{'a':1}", "\uFEFF1"].map(isJson), [false, false, false, false, false]);
});

const BROKEN: [text: string, line: number, column: number, expected: string][] = [
  ["{a:1}", 1, 2, 'expected a name in double quotes or "}"'],
  ["{'a':1}", 1, 2, 'expected a name in double quotes or "}"'],
  ['{"a" 1}', 1, 6, 'expected ":"'],
  ['{"a": ,}', 1, 7, "expected a value"],
  ['{"a": 1,}', 1, 9, "expected a name in double quotes"],
  ['{"a": 1 "b": 2}', 1, 9, 'expected "," or "}"'],
  ["[1, 2", 1, 6, 'expected "," or "]"'],
  ["[1,]", 1, 4, "expected a value"],
  ["[", 1, 2, 'expected a value or "]"'],
  ["{}}", 1, 3, "expected nothing more"],
  ["{} x", 1, 4, "expected nothing more"],
  ["[1}", 1, 3, 'expected "," or "]"'],
  ["01", 1, 1, "expected a value"],
  ["[1.]", 1, 2, 'expected a value or "]"'],
  ["nul", 1, 1, "expected a value"],
  ["True", 1, 1, "expected a value"],
  ['{\n  "a": 1,\n  "b": oops\n}', 3, 8, "expected a value"],
  ['["abc', 1, 2, "expected a closing quote for this string"],
  ['["a\nb"]', 1, 4, "expected no line break or control character inside a string"],
  ['["\\x"]', 1, 3, "expected an escape such as \\n or \\\\"],
  ['{"a": 1}\r\n{"b": 2}', 2, 1, "expected nothing more"],
];

Deno.test("parseJson() says where JSON is broken and what belongs there", () => {
  for (const [text, line, column, expected] of BROKEN) {
    const error = assertThrows(() => parseJson(text, "the arguments"), ToolError);
    assertEquals(error.code, "invalid_input", text);
    assertEquals(error.details, { line, column }, text);
    const [first] = error.message.split("\n");
    assertEquals(first, `Broken JSON in the arguments, line ${line} column ${column}: ${expected}`, text);
  }
});

Deno.test("parseJson() shows the place, cut to a part of a long line", () => {
  const short = assertThrows(() => parseJson('{\n\t"b": oops }', "x"), ToolError);
  assertEquals(short.message.split("\n").slice(1), ['   "b": oops }', "        ^"]);
  const long = assertThrows(() => parseJson(`["${"a".repeat(90)}" ${"b".repeat(90)}]`, "x"), ToolError);
  const [shown, caret] = long.message.split("\n").slice(1);
  assertEquals(shown, `  ${"a".repeat(28)}" ${"b".repeat(30)}`);
  assertEquals(caret, `  ${" ".repeat(30)}^`);
});

Deno.test("parseJson() lets no control character of the text into the message", () => {
  const error = assertThrows(() => parseJson('["\u001b]52;c;x\u0007"]', "x"), ToolError);
  // deno-lint-ignore no-control-regex
  assertEquals(/[\u0000-\u0009\u000b-\u001f]/.test(error.message), false);
});

Deno.test("parseJson() says that an empty text is empty", () => {
  for (const text of ["", " \n", "\uFEFF"]) {
    const error = assertThrows(() => parseJson(text, 'file "a"'), ToolError);
    assertEquals(error.message, 'No JSON in file "a": it is empty');
  }
});

Deno.test("parseJson() finds the fault behind 100,000 open brackets", () => {
  const error = assertThrows(() => parseJson(`${"[".repeat(100_000)}x`, "x"), ToolError);
  assertEquals(error.details, { line: 1, column: 100_001 });
});
