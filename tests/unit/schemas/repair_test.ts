import { assertEquals } from "@std/assert";
import * as z from "zod";

import { describeUnknown, repairInput } from "../../../schemas/json/repair.ts";
import { schemaOf } from "../../support/manifest_entry.ts";

const SEARCH = schemaOf(z.object({
  pattern: z.string(),
  path: z.string().default("."),
  max_results: z.int().min(1).default(200),
  ratio: z.number().optional(),
  ignore_case: z.boolean().default(false),
  words: z.array(z.string()).optional(),
  lines: z.array(z.int()).optional(),
  options: z.object({ depth: z.int().optional() }).optional(),
  edits: z.array(z.object({ old_text: z.string(), count: z.int().optional() })).optional(),
  nothing: z.string().nullable().optional(),
}));

type Case = [input: unknown, value: unknown, warnings: string[]];

const SINGLE = "a single value was read as a list of one";

const ONE: [name: string, given: unknown, value: unknown, warning: string][] = [
  ["max_results", "12", 12, 'the string "12" was read as 12'],
  ["max_results", " 3.0 ", 3, 'the string " 3.0 " was read as 3'],
  ["max_results", "-4", -4, 'the string "-4" was read as -4'],
  ["ratio", "0.5", 0.5, 'the string "0.5" was read as 0.5'],
  ["ignore_case", "True", true, 'the string "True" was read as true'],
  ["words", "foo", ["foo"], SINGLE],
  ["words", '["a","b"]', ["a", "b"], 'the string "[\\"a\\",\\"b\\"]" was read as a list'],
  ["words", "[id]", ["[id]"], SINGLE],
  ["words", "[1]", ["[1]"], SINGLE],
];

const CASES: Case[] = [
  ...ONE.map(([name, given, value, warning]): Case => [
    { pattern: "x", [name]: given },
    { pattern: "x", [name]: value },
    [`Parameter '${name}': ${warning}`],
  ]),
  [{ pattern: "x", max_results: 5 }, { pattern: "x", max_results: 5 }, []],
  [{ pattern: "12" }, { pattern: "12" }, []],
  [{ pattern: "x", path: null }, { pattern: "x" }, ["Parameter 'path': null was left out"]],
  [{ pattern: "x", nothing: null }, { pattern: "x", nothing: null }, []],
  [{ pattern: "x", lines: "7" }, { pattern: "x", lines: [7] }, [
    "Parameter 'lines': a single value was read as a list of one",
    "Parameter 'lines[0]': the string \"7\" was read as 7",
  ]],
  [{ pattern: "x", lines: ["1", 2] }, { pattern: "x", lines: [1, 2] }, [
    "Parameter 'lines[0]': the string \"1\" was read as 1",
  ]],
  [{ pattern: "x", options: '{"depth":"2"}' }, { pattern: "x", options: { depth: 2 } }, [
    'Parameter \'options\': the string "{\\"depth\\":\\"2\\"}" was read as an object',
    "Parameter 'options.depth': the string \"2\" was read as 2",
  ]],
  [{ pattern: "x", edits: { oldText: "a", count: null } }, { pattern: "x", edits: [{ old_text: "a" }] }, [
    "Parameter 'edits': a single value was read as a list of one",
    "Parameter 'edits[0].count': null was left out",
    "Parameter 'edits[0].oldText' was read as 'edits[0].old_text'",
  ]],
  [{ Pattern: "x", maxResults: "3" }, { pattern: "x", max_results: 3 }, [
    "Parameter 'Pattern' was read as 'pattern'",
    "Parameter 'maxResults' was read as 'max_results'",
    "Parameter 'max_results': the string \"3\" was read as 3",
  ]],
  [{ pattern: "x", "max-results": 3, maxResults: 4 }, { pattern: "x", max_results: 3 }, [
    "Parameter 'max-results' was read as 'max_results'",
    "Unknown parameter 'maxResults' was left out",
  ]],
  [{ pattern: "x", max_results: null, maxResults: 4 }, { pattern: "x", max_results: 4 }, [
    "Parameter 'max_results': null was left out",
    "Parameter 'maxResults' was read as 'max_results'",
  ]],
  [{ pattern: "x", pth: "." }, { pattern: "x" }, [
    "Unknown parameter 'pth' was left out, did you mean \"path\"?",
  ]],
  [{ pattern: "x", description: "why" }, { pattern: "x" }, ["Unknown parameter 'description' was left out"]],
  ['{"pattern":"x"}', { pattern: "x" }, ["The arguments were a JSON string and were read as an object"]],
  [JSON.stringify('{"pattern":"x"}'), { pattern: "x" }, [
    "The arguments were a JSON string and were read as an object",
  ]],
  ["", {}, ["The arguments were empty and were read as {}"]],
  [null, {}, ["The arguments were empty and were read as {}"]],
  [undefined, {}, []],
];

Deno.test("repairInput() repairs harmless slips and names each", () => {
  for (const [input, value, warnings] of CASES) {
    assertEquals(repairInput(SEARCH, input), { value, warnings }, JSON.stringify(input));
  }
});

const LEFT: unknown[] = [
  { pattern: 12 },
  { pattern: null },
  { pattern: "x", max_results: "many" },
  { pattern: "x", max_results: "3.5" },
  { pattern: "x", max_results: "" },
  { pattern: "x", max_results: "0x10" },
  { pattern: "x", max_results: "007" },
  { pattern: "x", max_results: "9007199254740993" },
  { pattern: "x", max_results: 3.5 },
  { pattern: "x", max_results: true },
  { pattern: "x", ratio: "Infinity" },
  { pattern: "x", ratio: "1e999" },
  { pattern: "x", ignore_case: "yes" },
  { pattern: "x", ignore_case: 1 },
  { pattern: "x", options: "{broken" },
  { pattern: "x", options: "[1]" },
  { pattern: "x", words: [null] },
  { pattern: "x", lines: "a" },
  { pattern: "x", lines: true },
  [{ pattern: "x" }],
  "not json",
  "[1]",
  7,
];

Deno.test("repairInput() leaves what it cannot repair for validation", () => {
  for (const input of LEFT) {
    assertEquals(repairInput(SEARCH, input), { value: input, warnings: [] }, JSON.stringify(input));
  }
});

Deno.test("repairInput() does not change its argument", () => {
  const input = { pattern: "x", max_results: "3", edits: [{ oldText: "a" }], foo: 1 };
  const before = structuredClone(input);
  repairInput(SEARCH, input);
  assertEquals(input, before);
});

const UNION = schemaOf(z.object({
  path: z.union([z.string(), z.array(z.string())]).optional(),
  count: z.union([z.int(), z.null()]).optional(),
  flag: z.union([z.int(), z.boolean()]).optional(),
  shape: z.discriminatedUnion("type", [
    z.object({ type: z.literal("circle"), radius: z.number() }),
    z.object({ type: z.literal("square"), side: z.number() }),
  ]).optional(),
}));

const UNIONS: Case[] = [
  [{ path: "[1]" }, { path: "[1]" }, []],
  [{ path: 3 }, { path: 3 }, []],
  [{ count: "4" }, { count: 4 }, ["Parameter 'count': the string \"4\" was read as 4"]],
  [{ count: null }, { count: null }, []],
  [{ flag: "true" }, { flag: true }, ["Parameter 'flag': the string \"true\" was read as true"]],
  [{ flag: "1" }, { flag: 1 }, ["Parameter 'flag': the string \"1\" was read as 1"]],
  [{ shape: { type: "square", side: "2" } }, { shape: { type: "square", side: 2 } }, [
    "Parameter 'shape.side': the string \"2\" was read as 2",
  ]],
  [{ shape: { type: "star", side: "2" } }, { shape: { type: "star", side: "2" } }, []],
];

Deno.test("repairInput() repairs inside a union only if there is one way to do it", () => {
  for (const [input, value, warnings] of UNIONS) {
    assertEquals(repairInput(UNION, input), { value, warnings }, JSON.stringify(input));
  }
});

Deno.test("repairInput() keeps the keys of open objects", () => {
  const record = schemaOf(
    z.object({ env: z.record(z.string(), z.int()), any: z.unknown(), open: z.looseObject({}) }),
  );
  const value = { env: { A: "1", constructor: 2 }, any: { x: null }, open: { y: null } };
  assertEquals(repairInput(record, value), {
    value: { env: { A: 1, constructor: 2 }, any: { x: null }, open: { y: null } },
    warnings: ["Parameter 'env.A': the string \"1\" was read as 1"],
  });
});

Deno.test("repairInput() drops unknown fields of strict objects", () => {
  const strict = schemaOf(z.strictObject({ a: z.string().optional() }));
  assertEquals(repairInput(strict, { a: "x", b: 1 }), {
    value: { a: "x" },
    warnings: ["Unknown parameter 'b' was left out"],
  });
});

Deno.test("repairInput() keeps all fields of schemas of others, unless they say that there are no more", () => {
  const inner = { type: "object", properties: { b: { type: "integer" } } };
  const schema = {
    type: "object",
    properties: { max_size: { type: "integer" }, inner },
    required: ["max_size"],
  };
  const open = (value: unknown, more = {}) => repairInput({ ...schema, ...more }, value, { isOpen: true });
  const value = { max_size: 1, x: null, inner: { b: 2, c: [3] }, Max_Size: 4 };
  assertEquals(open(value), { value, warnings: [] });
  // It would fail otherwise.
  assertEquals(open({ maxSize: "1" }).value, { max_size: 1 });
  assertEquals(open({ Inner: 1, max_size: 1 }).value, { Inner: 1, max_size: 1 });
  assertEquals(open({ max_size: 1, x: 2 }, { additionalProperties: false }).value, { max_size: 1 });
});

Deno.test("repairInput() lets no key reach a prototype", () => {
  const hostile = JSON.parse(
    '{"pattern":"x","__proto__":{"polluted":1},"constructor":{"prototype":{}},"toString":1}',
  );
  const { value, warnings } = repairInput(SEARCH, hostile);
  assertEquals(Object.keys(value as object), ["pattern"]);
  assertEquals(Object.getPrototypeOf(value), Object.prototype);
  assertEquals(warnings.length, 3);
  assertEquals(({} as Record<string, unknown>).polluted, undefined);

  const record = schemaOf(z.object({ env: z.record(z.string(), z.unknown()) }));
  const open = repairInput(record, JSON.parse('{"env":{"__proto__":{"polluted":1},"a":1}}'));
  assertEquals(open.value, { env: { a: 1 } });

  const trap = schemaOf(z.object({ proto: z.unknown().optional() }));
  assertEquals(repairInput(trap, JSON.parse('{"__proto__":{"polluted":1}}')).value, {});
});

Deno.test("repairInput() follows recursive schemas, but not without end", () => {
  const Node: z.ZodType = z.object({
    n: z.int().optional(),
    get kids() {
      return z.array(Node).optional();
    },
  });
  const schema = schemaOf(Node);
  assertEquals(repairInput(schema, { kids: [{ kids: [{ n: "1" }] }] }).value, {
    kids: [{ kids: [{ n: 1 }] }],
  });
  let deep: unknown = {};
  for (let depth = 0; depth < 100_000; depth++) deep = { kids: [deep] };
  assertEquals(repairInput(schema, deep).warnings, []);
});

Deno.test("repairInput() stays quick where unions are nested in unions", () => {
  const Tree: z.ZodType = z.lazy(() =>
    z.union([z.object({ a: Tree, x: z.int() }), z.object({ a: Tree, y: z.int() }), z.string()])
  );
  let deep: unknown = "leaf";
  for (let depth = 0; depth < 40; depth++) deep = { a: deep, x: "no" };
  const schema = schemaOf(z.object({ tree: Tree }));
  assertEquals(repairInput(schema, { tree: deep }).value, { tree: deep });
});

Deno.test("repairInput() tells at most 20 repairs one by one", () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`unknown_${index}`, 1]));
  const { warnings } = repairInput(SEARCH, { pattern: "x", ...many });
  assertEquals(warnings.length, 21);
  assertEquals(warnings.at(-1), "30 more repairs of the arguments");
});

Deno.test("repairInput() clips long names and values in warnings", () => {
  const { warnings } = repairInput(SEARCH, {
    pattern: "x",
    ["k".repeat(500)]: 1,
    options: `{"depth":${" ".repeat(500)}1}`,
  });
  assertEquals(warnings.every((warning) => warning.length < 150), true);
});

Deno.test("repairInput() reads a name with a word in common as the only required parameter that is missing", () => {
  const schema = {
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "integer" }, search_text: { type: "string" } },
    required: ["path"],
  };
  const read = (name: string) => [`Parameter '${name}' was read as 'path'`];
  const cases: [unknown, unknown, string[]][] = [
    [{ file_path: "a" }, { path: "a" }, read("file_path")],
    [{ filePath: "a", limit: 2 }, { limit: 2, path: "a" }, read("filePath")],
    [{ file_path: 1 }, {}, ["Unknown parameter 'file_path' was left out, did you mean \"path\"?"]],
    [{ file_path: "a", dir_path: "b" }, {}, [
      "Unknown parameter 'file_path' was left out, did you mean \"path\"?",
      "Unknown parameter 'dir_path' was left out, did you mean \"path\"?",
    ]],
    [{ file: "a" }, {}, ["Unknown parameter 'file' was left out"]],
    [{ path: "a", file_path: "b" }, { path: "a" }, ["Unknown parameter 'file_path' was left out"]],
  ];
  for (const [input, value, warnings] of cases) {
    assertEquals(repairInput(schema, input), { value, warnings }, JSON.stringify(input));
  }
  const two = { ...schema, required: ["path", "search_text"] };
  assertEquals(repairInput(two, { file_path: "a" }).value, {});
});

Deno.test("describeUnknown() says which parameters are unknown, and what was likely meant", () => {
  const schema = { type: "object", properties: { path: { type: "string" }, limit: { type: "integer" } } };
  assertEquals(describeUnknown(schema, { file_path: 1, limt: 2, colour: 3, PATH: 4 }), [
    "Unknown parameter 'file_path', did you mean \"path\"?",
    "Unknown parameter 'limt', did you mean \"limit\"?",
    "Unknown parameter 'colour'",
  ]);
  assertEquals(describeUnknown({ ...schema, additionalProperties: {} }, { colour: 3 }), []);
  assertEquals(describeUnknown(schema, "no object"), []);
});

const BOUNDED = {
  type: "object",
  properties: {
    steps: { type: "array", items: { type: "string", maxLength: 5 }, minItems: 2, maxItems: 3 },
    now: { type: "string", maxLength: 3 },
  },
  required: ["steps"],
  additionalProperties: false,
};

Deno.test("repairInput() cuts what is too long only where it is asked to", () => {
  const input = { steps: ["a", "beyond", "c", "d"], now: "ab😀" };
  assertEquals(repairInput(BOUNDED, input), { value: input, warnings: [] });
  assertEquals(repairInput(BOUNDED, input, { cuts: true }), {
    value: { steps: ["a", "beyon", "c"], now: "ab" },
    warnings: [
      "Parameter 'steps' has 4 items and was cut to 3, the most that it may have",
      "Parameter 'steps[1]' has 6 characters and was cut to 5, the most that it may have",
      "Parameter 'now' has 4 characters and was cut to 3, the most that it may have",
    ],
  });
  const short = { steps: ["a"] };
  assertEquals(repairInput(BOUNDED, short, { cuts: true }), { value: short, warnings: [] });
});
