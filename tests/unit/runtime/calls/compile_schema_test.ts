import { assertEquals } from "@std/assert";

import { compileSchema } from "../../../../runtime/calls/json_schema/compile_schema.ts";
import { DIALECTS } from "../../../../runtime/calls/json_schema/prepare_schema.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";

/** The suite by its own names; see its folder. */
interface Suite {
  remotes: Record<string, JsonSchema | boolean>;
  tests: Record<string, Record<string, SuiteGroup[]>>;
}

interface SuiteGroup {
  schema: JsonSchema | boolean;
  tests: { data: unknown; valid: boolean }[];
}

const SUITE = new URL("../../../fixtures/json_schema/suite.json.gz", import.meta.url);

/** How many tests each draft has, and how many of them are required. */
const COUNTS: Readonly<Record<keyof typeof DIALECTS, readonly [required: number, all: number]>> = {
  "4": [578, 675],
  "6": [777, 873],
  "7": [861, 969],
  "2019-09": [1176, 1318],
  "2020-12": [1176, 1321],
};

const suite = await readSuite();

for (const [draft, [required, all]] of Object.entries(COUNTS)) {
  Deno.test(`compileSchema() passes the test suite of draft ${draft}`, async () => {
    const files = Object.entries(suite.tests[`draft${draft}`]!);
    const passed = { required: [0, 0], all: [0, 0] };
    for (const [file, groups] of files) {
      for (const group of groups) {
        const [good, count] = await judge(group, draft);
        for (const kind of file.startsWith("optional/") ? ["all"] as const : ["required", "all"] as const) {
          passed[kind] = [passed[kind][0]! + good, passed[kind][1]! + count];
        }
      }
    }
    assertEquals([passed.required[1], passed.all[1]], [required, all]);
    assertEquals(passed.required[0]! / required >= 0.992, true, String(passed.required));
    // The optional tests of contents want what the draft calls a remark.
    assertEquals(passed.all[0]! / all >= 0.989, true, String(passed.all));
  });
}

Deno.test("compileSchema() tells all that is wrong, with pointers", async () => {
  const schema = {
    type: "object",
    required: ["a", "b"],
    properties: {
      "x/y~z": { type: "number" },
      list: { items: { properties: { kind: { enum: ["p", "q"] } } } },
      text: { minLength: 3, pattern: "^[a-z]+$" },
      either: { anyOf: [{ type: "string" }, { properties: { n: { type: "number" } } }] },
    },
    additionalProperties: false,
  };
  const value = {
    "x/y~z": "1",
    list: [{ kind: "r" }, { kind: "p" }, { kind: "s" }],
    text: "A",
    either: { n: "1" },
    more: 1,
  };
  assertEquals(await problemsOf(schema, value), [
    '#: must have "a", "b"',
    "#/x~1y~0z: must be number, got string",
    '#/list/0/kind: must be one of "p", "q"',
    '#/list/2/kind: must be one of "p", "q"',
    "#/text: must have at least 3 characters",
    '#/text: must match /^[a-z]+$/, got "A"',
    '#/either: must fit one of the schemas of "anyOf"',
    "#/either: must be string, got object",
    "#/either/n: must be number, got string",
    "#/more: must not be there",
  ]);
});

Deno.test("compileSchema() takes what authors write", async () => {
  const email = "^(?!\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";
  const cases: readonly (readonly [JsonSchema, unknown, unknown])[] = [
    [{ pattern: "^[\\w\\-]+\\@x$" }, "a-b@x", "a-b"],
    [{ pattern: "^[a-z0-9]+(?:-[a-z0-9]+)*$" }, "a-b", "a--b"],
    [{ pattern: email }, "a@b.de", "a@b"],
    [{ pattern: "^.$" }, "😀", "ab"],
    [{ pattern: "^\\p{L}{2}$" }, "éé", "é1"],
    [{ patternProperties: { "^x\\-": { type: "string" } }, additionalProperties: false }, {}, { y: 1 }],
    [{ items: [{ type: "string" }], additionalItems: false }, ["a"], ["a", 1]],
    [{ minimum: 3, exclusiveMinimum: true }, 4, 3],
    [{ dependencies: { a: ["b"] } }, { a: 1, b: 1 }, { a: 1 }],
    [{ $ref: "#/definitions/a", definitions: { a: { type: "string" } } }, "a", 1],
    [{ $schema: "http://json-schema.org/draft-04/schema#", minimum: 3, exclusiveMinimum: true }, 4, 3],
    [{ $schema: "https://example.com/own", type: "string" }, "a", 1],
    [{ properties: { ["__proto__"]: { type: "string" } } }, {}, JSON.parse('{"__proto__":1}')],
    [{ format: "date-time", "x-order": 1, nullable: true }, "2026-01-31T00:00:00Z", "yesterday"],
  ];
  for (const [schema, right, wrong] of cases) {
    assertEquals(await problemsOf(schema, right), [], JSON.stringify(schema));
    assertEquals((await problemsOf(schema, wrong)).length > 0, true, JSON.stringify(schema));
  }
});

Deno.test("compileSchema() says why a schema cannot be used", async () => {
  const unknown =
    'which is not known, and nothing is fetched: put that schema under "$defs" and refer to it there';
  const cases: readonly (readonly [JsonSchema, string])[] = [
    [
      { properties: { a: { type: "strin" } } },
      '#/properties/a/type: it is no JSON Schema there ("anyOf" of its draft)',
    ],
    [{ properties: { a: { pattern: "[" } } }, "#/properties/a/pattern: Invalid regular expression: /[/u: "],
    [
      { properties: { a: { $ref: "https://example.com/a.json" } } },
      `#: it refers to "https://example.com/a.json", ${unknown}`,
    ],
    [{ $ref: "file:///etc/passwd" }, `#: it refers to "file:///etc/passwd", ${unknown}`],
    [{ $ref: "#" }, "#: its references lead into each other without an end"],
    [{ $ref: "#/$defs/none" }, "#: "],
  ];
  for (const [schema, message] of cases) {
    const compiled = await compileSchema({ schema, documents: {}, assertFormats: true });
    const told = "pointer" in compiled ? `${compiled.pointer}: ${compiled.message}` : "ok";
    assertEquals(told.startsWith(message), true, told);
  }
});

Deno.test("compileSchema() keeps schemas of the same address apart", async () => {
  const $id = "https://example.com/tool";
  const problems = ["string", "number"].map((type) => problemsOf({ $id, type }, "a"));
  assertEquals(await Promise.all(problems), [[], ["#: must be number, got string"]]);
});

async function judge({ schema, tests }: SuiteGroup, draft: string): Promise<[good: number, count: number]> {
  const $schema = DIALECTS[draft as keyof typeof DIALECTS];
  const named = typeof schema === "boolean" ? schema : { $schema, ...schema };
  const compiled = await compileSchema({
    schema: named,
    documents: documentsOf($schema),
    assertFormats: false,
  });
  if ("pointer" in compiled) return [0, tests.length];
  const good = tests.filter(({ data, valid }) => (compiled.check(data).length === 0) === valid);
  return [good.length, tests.length];
}

/** The documents of the suite as a server would give them, each of its own draft. */
function documentsOf($schema: string): Record<string, JsonSchema | boolean> {
  return Object.fromEntries(
    Object.entries(suite.remotes).map(([path, schema]) => {
      const [, own] = /^draft([^/]+)\//.exec(path) ?? [];
      const draft = own === undefined ? $schema : DIALECTS[own as keyof typeof DIALECTS];
      const named = typeof schema === "boolean" ? schema : { $schema: draft, ...schema };
      return [`http://localhost:1234/${path}`, named];
    }),
  );
}

async function problemsOf(schema: JsonSchema, value: unknown): Promise<string[]> {
  const compiled = await compileSchema({ schema, documents: {}, assertFormats: true });
  if ("pointer" in compiled) throw new Error(`${compiled.pointer}: ${compiled.message}`);
  return compiled.check(value).map(({ pointer, message }) => `${pointer}: ${message}`);
}

async function readSuite(): Promise<Suite> {
  const packed = new Blob([await Deno.readFile(SUITE)]).stream();
  return await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).json();
}
