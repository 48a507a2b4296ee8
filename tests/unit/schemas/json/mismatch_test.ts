import { assertEquals } from "@std/assert";
import * as z from "zod";

import { describeMismatch } from "../../../../schemas/json/mismatch.ts";
import { schemaOf } from "../../../support/manifest_entry.ts";

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
