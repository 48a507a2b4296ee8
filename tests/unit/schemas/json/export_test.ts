import { assert, assertEquals, assertThrows } from "@std/assert";
import * as z from "zod";

import { ToolError } from "../../../../schemas/error.ts";
import { cleanSchema, exportTool, TOOL_FORMATS } from "../../../../schemas/json/export.ts";
import type { JsonSchema, ManifestEntry } from "../../../../schemas/manifest.ts";
import { entryOf, schemaOf } from "../../../support/manifest_entry.ts";

function globEntry(changes: Partial<ManifestEntry> = {}): ManifestEntry {
  return entryOf("harness/Glob", {
    description: "Find files.",
    input_schema: schemaOf(z.object({
      pattern: z.string().describe("A pattern"),
      max_results: z.int().default(200),
    })),
    output_schema: schemaOf(z.object({ count: z.int() }), "output"),
    ...changes,
  });
}

const PARAMETERS = {
  type: "object",
  properties: {
    pattern: { type: "string", description: "A pattern" },
    max_results: { type: "integer", default: 200 },
  },
  required: ["pattern"],
};

Deno.test("exportTool() writes the schema of the arguments itself as json-schema", () => {
  const schema = exportTool(globEntry(), "json-schema");
  assertEquals(Object.keys(schema).slice(0, 4), ["$schema", "title", "description", "type"]);
  assertEquals(schema, { ...globEntry().input_schema, title: "Glob", description: "Find files." });
});

Deno.test("exportTool() keeps the tool's title and description over those of the schema", () => {
  const input_schema = schemaOf(z.object({}).meta({ title: "Other", description: "Other" }));
  const { title, description } = exportTool(globEntry({ input_schema }), "json-schema");
  assertEquals([title, description], ["Glob", "Find files."]);
});

Deno.test("exportTool() writes the forms of openai, anthropic and mcp", () => {
  assertEquals(exportTool(globEntry(), "openai"), {
    type: "function",
    function: { name: "Glob", description: "Find files.", parameters: PARAMETERS },
  });
  assertEquals(exportTool(globEntry(), "anthropic"), {
    name: "Glob",
    description: "Find files.",
    input_schema: PARAMETERS,
  });
  assertEquals(exportTool(globEntry(), "mcp"), {
    name: "Glob",
    description: "Find files.",
    inputSchema: PARAMETERS,
    outputSchema: {
      type: "object",
      properties: { count: { type: "integer" } },
      required: ["count"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  });
});

Deno.test("exportTool() gives mcp no output schema that is not of an object", () => {
  for (const output of [z.number(), z.array(z.string()), z.unknown(), z.object({ a: z.int() }).nullable()]) {
    const tool = exportTool(globEntry({ output_schema: schemaOf(output, "output") }), "mcp");
    assert(!("outputSchema" in tool));
  }
});

const HINTS: [needs: ManifestEntry["needs"], readOnly: boolean, destructive: boolean, open: boolean][] = [
  [{ read: "workspace" }, true, false, false],
  [{ read: "workspace", write: "workspace" }, false, true, false],
  [{ net: "granted" }, true, false, true],
  [{ net: ["api.example.com"] }, true, false, true],
  [{ net: [] }, true, false, false],
  [{ run: "granted" }, false, true, true],
  [{}, false, false, false],
];

Deno.test("exportTool() gives mcp hints that are true", () => {
  for (const [needs, read_only, destructive, open] of HINTS) {
    assertEquals(exportTool(globEntry({ needs, read_only }), "mcp").annotations, {
      readOnlyHint: read_only,
      destructiveHint: destructive,
      idempotentHint: read_only,
      openWorldHint: open,
    });
  }
  const again = exportTool(globEntry({ read_only: false, idempotent: true }), "mcp");
  assertEquals((again.annotations as Record<string, unknown>).idempotentHint, true);
});

Deno.test("exportTool() uses another name if it is told one, and refuses what no provider takes", () => {
  assertEquals(exportTool(globEntry(), "mcp", { name: "par_bash-2" }).name, "par_bash-2");
  for (const name of ["", "a b", "par/bash", "x".repeat(65), "ü"]) {
    for (const format of TOOL_FORMATS) {
      const error = assertThrows(() => exportTool(globEntry(), format, { name }), ToolError);
      assertEquals(error.code, "invalid_input");
      assertEquals(
        error.message,
        `Cannot export harness/Glob as "${name}": a name for a model is 1 to 64 letters, digits, "_" or "-"`,
      );
    }
  }
});

Deno.test("exportTool() makes one object of a union or an intersection at the root", () => {
  const union = schemaOf(z.discriminatedUnion("command", [
    z.object({ command: z.literal("view"), path: z.string(), range: z.array(z.int()).optional() }),
    z.object({ command: z.literal("create"), path: z.string(), text: z.string() }),
  ]));
  assertEquals(exportTool(globEntry({ input_schema: union }), "anthropic").input_schema, {
    type: "object",
    properties: {
      command: { type: "string", enum: ["view", "create"] },
      path: { type: "string" },
      range: { type: "array", items: { type: "integer" } },
      text: { type: "string" },
    },
    required: ["command", "path"],
  });
  const both = schemaOf(z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })));
  assertEquals(exportTool(globEntry({ input_schema: both }), "anthropic").input_schema, {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    required: ["a", "b"],
  });
});

Deno.test("exportTool() gives every tool an object with properties", () => {
  for (const type of [z.object({}), z.looseObject({}), z.record(z.string(), z.string()), z.unknown()]) {
    const schema = exportTool(globEntry({ input_schema: schemaOf(type) }), "anthropic")
      .input_schema as JsonSchema;
    assertEquals([schema.type, schema.properties], ["object", {}]);
  }
});

const NOISE: [z.ZodType, unknown][] = [
  [z.object({ n: z.int() }), { type: "object", properties: { n: { type: "integer" } }, required: ["n"] }],
  [z.int().min(1).max(9), { type: "integer", minimum: 1, maximum: 9 }],
  [z.email(), { type: "string", format: "email" }],
  [z.string().regex(/^a+$/), { type: "string", pattern: "^a+$" }],
  [z.record(z.string(), z.unknown()), { type: "object" }],
  [z.record(z.string(), z.int()), { type: "object", additionalProperties: { type: "integer" } }],
  [z.array(z.object({ u: z.iso.datetime() })), {
    type: "array",
    items: { type: "object", properties: { u: { type: "string", format: "date-time" } }, required: ["u"] },
  }],
];

Deno.test("cleanSchema() strips noise and keeps what is meant", () => {
  for (const [type, expected] of NOISE) assertEquals(cleanSchema(schemaOf(type)), expected);
});

Deno.test("cleanSchema() leaves parameters with the names of keywords alone, and values too", () => {
  const schema = schemaOf(z.object({
    $schema: z.string(),
    pattern: z.string(),
    format: z.string(),
    minimum: z.string(),
    propertyNames: z.string(),
    any: z.unknown().default({ $schema: "x", format: "y", pattern: "z" }),
  }));
  const { $schema: _, ...expected } = schema;
  assertEquals(cleanSchema(schema), expected);
});

Deno.test("cleanSchema() puts the definition in place of a reference at the root", () => {
  const schema = {
    $ref: "#/$defs/Args",
    $defs: { Args: { type: "object", properties: { a: { type: "string" } } } },
  };
  assertEquals(cleanSchema(schema), { type: "object", properties: { a: { type: "string" } } });
});

Deno.test("cleanSchema() keeps definitions that are still referred to", () => {
  const Node: z.ZodType = z.object({
    n: z.int(),
    get kids() {
      return z.array(Node);
    },
  });
  const cleaned = cleanSchema(schemaOf(z.object({ root: Node, other: Node })));
  const name = Object.keys(cleaned.$defs as object)[0]!;
  assertEquals(cleaned, {
    type: "object",
    properties: { root: { $ref: `#/$defs/${name}` }, other: { $ref: `#/$defs/${name}` } },
    required: ["root", "other"],
    $defs: {
      [name]: {
        type: "object",
        properties: { n: { type: "integer" }, kids: { type: "array", items: { $ref: `#/$defs/${name}` } } },
        required: ["n", "kids"],
      },
    },
  });
});

Deno.test("cleanSchema() does not change its argument", () => {
  const schema = schemaOf(z.object({ n: z.int() }));
  const before = structuredClone(schema);
  cleanSchema(schema);
  assertEquals(schema, before);
});
