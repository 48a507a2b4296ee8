import { assertEquals, assertThrows } from "@std/assert";
import * as z from "zod";

import { ToolError } from "../../../schemas/error.ts";
import { isJson, parseJson } from "../../../schemas/json/json_text.ts";
import { parseJsonc } from "../../../schemas/json/jsonc.ts";
import { describeMismatch } from "../../../schemas/json/mismatch.ts";
import { isQuickPattern } from "../../../schemas/json/quick_pattern.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import { schemaOf } from "../../support/manifest_entry.ts";

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

const INPUT = z.strictObject({
  path: z.string().min(1).max(5),
  max_results: z.int().min(1).max(10).optional(),
  ratio: z.number().gt(0).lt(1).optional(),
  step: z.number().multipleOf(0.5).optional(),
  flag: z.boolean().optional(),
  where: z.union([z.string(), z.array(z.string())]).optional(),
  note: z.string().nullable().optional(),
  mode: z.enum(["content", "count"]).optional(),
  version: z.literal("v1").optional(),
  edits: z.array(z.object({ old_text: z.string(), count: z.int().optional() })).min(1).max(2).optional(),
  range: z.tuple([z.int(), z.int()]).optional(),
  env: z.record(z.string(), z.int()).optional(),
  name: z.string().regex(/^[a-z]+$/).optional(),
  mail: z.email().optional(),
  shape: z.discriminatedUnion("type", [
    z.object({ type: z.literal("circle"), radius: z.number(), unit: z.string() }),
    z.object({ type: z.literal("dot") }),
  ]).optional(),
});

const CASES: [input: unknown, problems: string[]][] = [
  [{ path: "a" }, []],
  [{}, ["Missing required parameter: path"]],
  [{ path: undefined }, ["Missing required parameter: path"]],
  [[], ["Parameters must decode to a JSON object."]],
  ["x", ["Parameters must decode to a JSON object."]],
  [{ path: 1 }, ["Parameter 'path' must be of type string."]],
  [{ path: null }, ["Parameter 'path' must be of type string."]],
  [{ path: "" }, ["Parameter 'path' must have at least 1 character(s)."]],
  [{ path: "abcdef" }, ["Parameter 'path' must have at most 5 character(s)."]],
  [{ path: "a", max_results: "x" }, ["Parameter 'max_results' must be of type integer."]],
  [{ path: "a", max_results: 1.5 }, ["Parameter 'max_results' must be of type integer."]],
  [{ path: "a", max_results: true }, ["Parameter 'max_results' must be of type integer."]],
  [{ path: "a", max_results: 0 }, ["Parameter 'max_results' must be at least 1."]],
  [{ path: "a", max_results: 11 }, ["Parameter 'max_results' must be at most 10."]],
  [{ path: "a", ratio: 0 }, ["Parameter 'ratio' must be greater than 0."]],
  [{ path: "a", ratio: 1 }, ["Parameter 'ratio' must be less than 1."]],
  [{ path: "a", step: 0.7 }, ["Parameter 'step' must be a multiple of 0.5."]],
  [{ path: "a", flag: "x" }, ["Parameter 'flag' must be of type boolean."]],
  [{ path: "a", where: 1 }, ["Parameter 'where' must be of type string or array."]],
  [{ path: "a", where: [1] }, ["Parameter 'where[0]' must be of type string."]],
  [{ path: "a", note: 1 }, ["Parameter 'note' must be of type string or null."]],
  [{ path: "a", mode: "lines" }, ['Parameter \'mode\' must be one of "content", "count".']],
  [{ path: "a", version: "v2" }, ["Parameter 'version' must be \"v1\"."]],
  [{ path: "a", edits: [] }, ["Parameter 'edits' must contain at least 1 item(s)."]],
  [{ path: "a", edits: {} }, ["Parameter 'edits' must be of type array."]],
  [{ path: "a", edits: [{ old_text: "" }, { old_text: "" }, { old_text: "" }] }, [
    "Parameter 'edits' must contain at most 2 item(s).",
  ]],
  [{ path: "a", edits: [{ count: "x" }] }, [
    "Missing required parameter: edits[0].old_text",
    "Parameter 'edits[0].count' must be of type integer.",
  ]],
  [{ path: "a", range: [1] }, ["Parameter 'range' must contain at least 2 item(s)."]],
  [{ path: "a", range: [1, "b"] }, ["Parameter 'range[1]' must be of type integer."]],
  [{ path: "a", env: { A: "x" } }, ["Parameter 'env.A' must be of type integer."]],
  [{ path: "a", name: "A1" }, ["Parameter 'name' must match the pattern ^[a-z]+$."]],
  [{ path: "a", mail: "nobody" }, ["Parameter 'mail' must be a valid email."]],
  [{ path: "a", shape: { type: "star" } }, ['Parameter \'shape.type\' must be one of "circle", "dot".']],
  [{ path: "a", shape: {} }, ["Missing required parameter: shape.type"]],
  [{ path: "a", shape: { type: "circle", radius: "x" } }, [
    "Missing required parameter: shape.unit",
    "Parameter 'shape.radius' must be of type number.",
  ]],
  [{ path: "a", foo: 1 }, ["Unknown parameter: foo"]],
  [{ flag: 1 }, ["Missing required parameter: path", "Parameter 'flag' must be of type boolean."]],
];

Deno.test("describeMismatch() words what is wrong, missing parameters first", () => {
  for (const [input, problems] of CASES) {
    assertEquals(describeMismatch(schemaOf(INPUT), input), problems, JSON.stringify(input));
  }
});

Deno.test("describeMismatch() finds a fault exactly where zod does", () => {
  for (const [input, problems] of CASES) {
    assertEquals(INPUT.safeParse(input).success, problems.length === 0, JSON.stringify(input));
  }
});

Deno.test("describeMismatch() takes inherited names for missing ones", () => {
  const schema = schemaOf(z.object({ constructor: z.string(), toString: z.string().optional() }));
  assertEquals(describeMismatch(schema, {}), ["Missing required parameter: constructor"]);
});

Deno.test("describeMismatch() names at most 10 problems", () => {
  const schema = schemaOf(z.object({ list: z.array(z.int()) }));
  assertEquals(describeMismatch(schema, { list: Array.from({ length: 1000 }, () => "x") }).length, 10);
});

Deno.test("describeMismatch() follows references and lets unknown ones and broken patterns pass", () => {
  const Node: z.ZodType = z.object({
    get kid() {
      return Node.optional();
    },
    n: z.int(),
  });
  assertEquals(describeMismatch(schemaOf(Node), { n: 1, kid: { n: "x" } }), [
    "Parameter 'kid.n' must be of type integer.",
  ]);
  const odd = {
    type: "object",
    properties: { a: { $ref: "#/nowhere" }, b: { type: "string", pattern: "(" } },
  };
  assertEquals(describeMismatch(odd, { a: 1, b: "x" }), []);
  assertEquals(describeMismatch({ $ref: "#" }, { a: 1 }), []);
});

Deno.test("isQuickPattern() knows patterns that take long", { permissions: "none" }, () => {
  for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(?:a|aa){2,}$", "(x*)*", "^([a-z]+)+$", "a*a*a*a*a*b"]) {
    assertEquals(isQuickPattern(pattern, 60), false, pattern);
  }
  for (
    const pattern of ["^[a-z]+$", "^/", "^[A-Za-z_][A-Za-z0-9_-]{0,63}$", "^\\(a\\)+$", "^(a|b)?$", "x[)+*]y"]
  ) {
    assertEquals(isQuickPattern(pattern, 60), true, pattern);
  }
  assertEquals(isQuickPattern("^(a+)+$", 6), true);
  assertEquals([isQuickPattern("^a+$", 1_000_000), isQuickPattern("a+b", 1_000_000)], [true, false]);
});

const COMMANDS = ["call", "batch", "tools", "schema", "explain", "doctor", "completions", "version", "help"];

const NEAR: [word: string, names: string[], expected: string[]][] = [
  ["cal", COMMANDS, ["call"]],
  ["clal", COMMANDS, ["call"]],
  ["CALL", COMMANDS, ["call"]],
  ["shcema", COMMANDS, ["schema"]],
  ["comp", COMMANDS, ["completions"]],
  ["zzz", COMMANDS, []],
  ["", COMMANDS, []],
  ["c", COMMANDS, []],
  ["max_result", ["max_results", "max_chars"], ["max_results"]],
  ["maxResults", ["max_results", "max_chars"], ["max_results"]],
  ["grep", ["harness/Grep", "Grep", "par/grep", "grep"], ["Grep", "grep", "par/grep"]],
  ["par/gerp", ["harness/Grep", "par/grep"], ["par/grep"]],
  ["abcd", ["abce", "abcf", "abcg", "abch"], ["abce", "abcf", "abcg"]],
  ["abcd", ["abce", "abce"], ["abce"]],
  ["allow-reed", ["allow-read", "allow-env", "allow-net"], ["allow-read"]],
  ["x".repeat(65), ["x".repeat(65)], []],
];

Deno.test("nearest() finds what was meant, and nothing where nothing is near", () => {
  for (const [word, names, expected] of NEAR) assertEquals(nearest(word, names), expected, word);
});

Deno.test("nearest() returns at most options.max names, the best first", () => {
  assertEquals(nearest("abcd", ["abxd", "abcd", "abce"], { max: 1 }), ["abcd"]);
});

Deno.test("didYouMean() words none, one, two and three names", () => {
  assertEquals(didYouMean([]), "");
  assertEquals(didYouMean(["a"]), ', did you mean "a"?');
  assertEquals(didYouMean(["a", "b"]), ', did you mean "a" or "b"?');
  assertEquals(didYouMean(["a", "b", "c"]), ', did you mean "a", "b" or "c"?');
});
