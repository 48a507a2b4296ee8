import { assertEquals, assertRejects } from "@std/assert";

import { openSchemaCheck } from "../../../../../runtime/calls/json_schema/schema_check.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import type { JsonSchema } from "../../../../../schemas/manifest.ts";

const DRAFT_7 = "http://json-schema.org/draft-07/schema#";

Deno.test("openSchemaCheck() knows the keywords of JSON Schema", async () => {
  const cases: readonly (readonly [JsonSchema, unknown, unknown])[] = [
    [{ type: "object", required: ["a"] }, { a: 1 }, {}],
    [{ properties: { a: { type: "string" } } }, { a: "x" }, { a: 1 }],
    [{ additionalProperties: false, properties: { a: {} } }, { a: 1 }, { b: 1 }],
    [{ oneOf: [{ type: "number" }, { minimum: 3 }] }, 2, 4],
    [{ type: "array", uniqueItems: true }, [1, 2], [1, 1]],
    [{ if: { minimum: 5 }, then: { multipleOf: 2 } }, 6, 7],
    [{ $ref: "#/$defs/a", $defs: { a: { enum: ["x"] } } }, "x", "y"],
    [{ $schema: DRAFT_7, items: [{ type: "string" }], additionalItems: false }, ["x"], ["x", 1]],
    [{ prefixItems: [{ type: "string" }], items: false }, ["x"], ["x", 1]],
    [{ pattern: "^\\p{L}+$" }, "é", "1"],
    [{ format: "date" }, "2026-01-31", "2026-31-01"],
  ];
  for (const [schema, right, wrong] of cases) {
    using check = await openSchemaCheck(schema, "s.json");
    assertEquals(await check.check(right), [], JSON.stringify(schema));
    assertEquals((await check.check(wrong)).length > 0, true, JSON.stringify(schema));
  }
});

Deno.test("openSchemaCheck() says where a value is wrong", async () => {
  using check = await openSchemaCheck(
    { properties: { a: { properties: { b: { type: "string" } } } } },
    "s.json",
  );
  const [problem = "", ...more] = await check.check({ a: { b: 1 } });
  assertEquals([problem.startsWith("#/a/b: "), more], [true, []], problem);
});

Deno.test("openSchemaCheck() refuses what is no schema", async () => {
  for (const schema of [{ $ref: "#/nowhere" }, { $ref: "https://example.com/schema.json" }]) {
    const error = await assertRejects(() => openSchemaCheck(schema, "s.json"), ToolError);
    assertEquals([error.code, error.message.startsWith('Cannot use the schema "s.json": ')], [
      "invalid_input",
      true,
    ]);
  }
});
