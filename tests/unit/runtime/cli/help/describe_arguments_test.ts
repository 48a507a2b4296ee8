import { assertEquals } from "@std/assert";
import * as z from "zod";

import { describeArguments } from "../../../../../runtime/cli/help/describe_arguments.ts";
import { schemaOf } from "../../../../support/manifest_entry.ts";

/** One line a row: name, type, default, meaning. */
function described(type: z.ZodType): string[] {
  return describeArguments(schemaOf(type)).map(({ name, type, fallback, meaning }) =>
    [name, type, fallback, meaning].join(" | ")
  );
}

Deno.test("describeArguments() tells type, default, meaning, choices and bounds", () => {
  const schema = z.object({
    path: z.string().min(1).max(80).describe("File\n  to read"),
    count: z.int().default(3).describe("How many."),
    limit: z.int().min(1).optional(),
    ratio: z.number().min(0).max(1).default(0.5),
    mode: z.enum(["fast", "slow"]).describe("How"),
    names: z.array(z.string()).max(4).optional(),
    either: z.union([z.string(), z.array(z.int())]).optional(),
    note: z.string().nullable().optional(),
    any: z.unknown().optional(),
    long: z.string().default("x".repeat(100)),
    word: z.string().regex(/^a+$/).optional(),
    above: z.number().gt(0).lt(9).optional(),
  });
  assertEquals(described(schema), [
    "path | string | required | File to read. 1 to 80 characters.",
    "count | integer | 3 | How many.",
    "limit | integer |  | At least 1.",
    "ratio | number | 0.5 | 0 to 1.",
    "mode | string | required | How. One of fast, slow.",
    "names | list of string |  | At most 4 items.",
    "either | string or list of integer |  | ",
    "note | string or null |  | ",
    "any | any |  | ",
    `long | string | "${"x".repeat(23)}... | `,
    "word | string |  | Matches ^a+$.",
    "above | number |  | More than 0. Less than 9.",
  ]);
});

Deno.test("describeArguments() shows the fields of objects and of lists of objects", () => {
  const schema = z.object({
    edits: z.array(z.object({ old: z.string().describe("What"), new: z.string().optional() })),
    at: z.object({ line: z.int(), deep: z.object({ er: z.object({ est: z.int() }) }) }),
  });
  assertEquals(described(schema), [
    "edits | list of object | required | ",
    "edits[].old | string | required | What.",
    "edits[].new | string |  | ",
    "at | object | required | ",
    "at.line | integer | required | ",
    "at.deep | object | required | ",
    "at.deep.er | object | required | ",
  ]);
});

Deno.test("describeArguments() unites the branches of a union", () => {
  const schema = z.discriminatedUnion("command", [
    z.object({ command: z.literal("view"), line: z.int() }),
    z.object({ command: z.literal("create"), text: z.string() }),
  ]);
  assertEquals(described(schema), [
    "command | string | required | One of view, create.",
    "line | integer |  | ",
    "text | string |  | ",
  ]);
  assertEquals(described(z.object({})), []);
});

Deno.test("describeArguments() lets no text steer a terminal", () => {
  assertEquals(described(z.object({ a: z.string().default("\x1b[2J").describe("x\x1b[2J\ny") })), [
    'a | string | "\\u001b[2J" | x y.',
  ]);
});
