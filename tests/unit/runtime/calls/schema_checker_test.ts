import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { findExcess } from "../../../../runtime/calls/json_schema/find_excess.ts";
import { openSchemaCheck } from "../../../../runtime/calls/json_schema/schema_check.ts";
import { SchemaChecker } from "../../../../runtime/calls/json_schema/schema_checker.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { codeOf, refusalOf } from "../../../support/refusal.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";

const OK = { problems: [], left: 0 };

Deno.test("SchemaChecker checks values of many schemas in one worker", async () => {
  using checker = new SchemaChecker();
  const schemas = Array.from({ length: 50 }, (_, at) => ({ properties: { a: { const: at } } }));
  const taken = await Promise.all(
    schemas.map((schema, at) => checker.take(schema, { name: `input of t${at}` })),
  );
  const verdicts = await Promise.all(taken.map((schema, at) => schema.check({ a: at })));
  assertEquals(verdicts, verdicts.map(() => OK));
  const wrong = await Promise.all(taken.map((schema) => schema.check({ a: -1 })));
  assertEquals(wrong.map(({ problems }) => problems[0]?.message), taken.map((_, at) => `must be ${at}`));
});

Deno.test("SchemaChecker names the schema and the place in it", async () => {
  using checker = new SchemaChecker();
  const schema = { properties: { a: { $ref: "https://example.com/a" } } };
  const error = await assertRejects(() => checker.take(schema, { name: "input of mcp_a_b" }), ToolError);
  const told = 'Cannot use the schema "input of mcp_a_b": #: it refers to "https://example.com/a"';
  assertStringIncludes(error.message, told);
  assertEquals(error.code, "invalid_input");
  assertEquals(error.toInfo().details, { schema: "input of mcp_a_b", pointer: "#" });
});

Deno.test("SchemaChecker follows references to known documents", async () => {
  using checker = new SchemaChecker();
  const documents = { "https://example.com/a": { $defs: { n: { type: "number" } } } };
  const schema = await checker.take({ $ref: "https://example.com/a#/$defs/n" }, { name: "s", documents });
  assertEquals(await schema.check(1), OK);
  assertEquals((await schema.check("1")).problems, [{ pointer: "#", message: "must be number, got string" }]);
});

Deno.test("SchemaChecker tells the first problems, and how many more there are", async () => {
  using checker = new SchemaChecker();
  using schema = await checker.take({ items: { type: "string" } }, { name: "s" });
  const { problems, left } = await schema.check(Array.from({ length: 80 }, () => 1));
  assertEquals([problems.length, problems[49]?.pointer, left], [50, "#/49", 30]);
});

Deno.test("SchemaChecker refuses schemas and values that are too much", async () => {
  using checker = new SchemaChecker();
  const wide = Object.fromEntries(Array.from({ length: 100_001 }, (_, at) => [`p${at}`, true]));
  const long = { description: "x".repeat(5_000_000) };
  for (const schema of [{ properties: wide }, nested("not", 10_000), long]) {
    assertEquals(await codeOf(() => checker.take(schema, { name: "s" })), "invalid_input");
  }
  const schema = await checker.take({ properties: { a: { $ref: "#" } } }, { name: "output of mcp_a_b" });
  const error = await assertRejects(() => schema.check(nested("a", 100_000)), ToolError);
  const lead = "Cannot check the output of mcp_a_b: #";
  assertEquals([error.code, error.message.slice(0, 37)], ["invalid_input", lead]);
  assertEquals(await schema.check(nested("a", 500)), OK);
});

Deno.test("SchemaChecker goes on after what does not end", async () => {
  const fixture = new URL("../../../fixtures/endless_schemas.ts", import.meta.url).href;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--no-lock", "--unstable-worker-options", "--allow-read", fixture],
  }).output();
  const text = new TextDecoder();
  const { taking, checks, again } = JSON.parse(text.decode(stdout) || text.decode(stderr));
  assertEquals(taking[0], "invalid_input");
  assertStringIncludes(taking[1], "takes longer than 1000 ms");
  const late = "Cannot check the input of mcp_a_b: it took longer than 1000 ms";
  assertEquals(checks, [["timeout", late], OK]);
  assertStringIncludes(again[1], "an earlier check against its schema did not end; leave that tool out");
});

Deno.test("SchemaChecker bears patterns that V8 would try for ever", async () => {
  using checker = new SchemaChecker({ checkMs: 60_000 });
  const text = `${"a".repeat(20_000)}!`;
  for (const pattern of ["^(a+)+$", "^(?=a)(a|aa)+$", "(?:a*)*b", "^(?:\\p{L}+)+$"]) {
    const schemas = [{ pattern }, { patternProperties: { [pattern]: false }, additionalProperties: false }];
    for (const [at, schema] of schemas.entries()) {
      using taken = await checker.take(schema, { name: pattern });
      assertEquals((await taken.check(at === 0 ? text : { [text]: 1 })).problems.length, 1, pattern);
    }
  }
  const error = await assertRejects(() => checker.take({ pattern: "^(a+)+\\1$" }, { name: "s" }), ToolError);
  assertStringIncludes(error.message, "/^(a+)+\\1$/ could take any time: it refers to a group");
});

function nested(name: string, depth: number): JsonSchema {
  let value: Record<string, unknown> = {};
  for (let at = 0; at < depth; at++) value = { [name]: value };
  return value;
}

Deno.test("openSchemaCheck() says where a value is wrong, and refuses what is no schema", async () => {
  const schema = { properties: { a: { properties: { b: { type: "string" } } } } };
  using check = await openSchemaCheck(schema, "s.json");
  const [problem = "", ...more] = await check.check({ a: { b: 1 } });
  assertEquals([problem.startsWith("#/a/b: "), more], [true, []], problem);
  assertEquals(await check.check({ a: { b: "1" } }), []);
  const error = await refusalOf(() => openSchemaCheck({ $ref: "#/nowhere" }, "s.json"));
  const told = error?.message.startsWith('Cannot use the schema "s.json": ');
  assertEquals([error?.code, told], ["invalid_input", true]);
});

const BOUNDS = { depth: 3, values: 10, characters: 20 };

Deno.test("findExcess() finds where a value is too much", () => {
  const cases: readonly (readonly [unknown, string | null])[] = [
    [{ a: [1, "b", null, true] }, null],
    [{ a: { "b/c": { d: { e: 1 } } } }, "#/a/b~1c/d: the values lie more than 3 deep"],
    [Array.from({ length: 11 }, () => 1), "#: there are more than 10 values"],
    [{ a: "x".repeat(20) }, "#: the texts are longer than 20 characters"],
    [{ a: () => 1 }, "#/a: function is no JSON"],
    [{ a: 1n }, "#/a: bigint is no JSON"],
  ];
  for (const [value, wanted] of cases) {
    const found = findExcess(value, BOUNDS);
    assertEquals(found && `${found.pointer}: ${found.message}`, wanted);
  }
});

Deno.test("findExcess() shows the end of a long way", () => {
  let value: unknown = 1n;
  for (let at = 0; at < 100_000; at++) value = { a: value };
  const found = findExcess(value, { ...BOUNDS, depth: 1_000_000, values: 1_000_000, characters: 1_000_000 });
  assertEquals(found?.pointer, `#…${"/a".repeat(20)}`);
});
