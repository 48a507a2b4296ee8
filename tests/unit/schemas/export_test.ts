import { assert, assertEquals, assertThrows } from "@std/assert";
import * as z from "zod";

import type { Needs } from "../../../schemas/access.ts";
import { ToolError } from "../../../schemas/error.ts";
import { cleanSchema, exportTool, TOOL_FORMATS } from "../../../schemas/json/export.ts";
import { compareLock, makeLock, parseLock } from "../../../schemas/json/lock.ts";
import type { JsonSchema, ManifestEntry } from "../../../schemas/manifest.ts";
import { entryOf, schemaOf } from "../../support/manifest_entry.ts";

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
      const { code, message } = assertThrows(() => exportTool(globEntry(), format, { name }), ToolError);
      const rule = 'a name for a model is 1 to 64 letters, digits, "_" or "-"';
      assertEquals([code, message], ["invalid_input", `Cannot export harness/Glob as "${name}": ${rule}`]);
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
    const { input_schema } = exportTool(globEntry({ input_schema: schemaOf(type) }), "anthropic");
    const { type: root, properties } = input_schema as JsonSchema;
    assertEquals([root, properties], ["object", {}]);
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
  const args = { type: "object", properties: { a: { type: "string" } } };
  assertEquals(cleanSchema({ $ref: "#/$defs/Args", $defs: { Args: args } }), args);
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

function lockedTool(fullName: string, input: z.ZodType, needs: Needs = { read: "workspace" }): ManifestEntry {
  return entryOf(fullName, { input_schema: schemaOf(input), needs });
}

const BEFORE = z.object({
  path: z.string().describe("Where"),
  limit: z.int().max(10).default(3),
  edits: z.array(z.object({ old: z.string() })).optional(),
});

type Drift = [what: string, after: z.ZodType, changes: [kind: string, detail: string][]];

const DRIFTS: Drift[] = [
  ["nothing", BEFORE, []],
  [
    "descriptions and order",
    z.object({
      limit: z.int().max(10).default(3).describe("New words"),
      path: z.string().meta({ title: "Path", examples: ["a"] }),
      edits: z.array(z.object({ old: z.string() })).optional(),
    }).describe("New words"),
    [],
  ],
  ["an argument removed", BEFORE.omit({ limit: true }), [
    ["argument removed", 'a/T: argument "limit" was removed'],
  ]],
  ["an argument with fields removed", BEFORE.omit({ edits: true }), [
    ["argument removed", 'a/T: argument "edits" was removed'],
  ]],
  ["an optional argument added", BEFORE.extend({ glob: z.string().optional() }), [
    ["argument added", 'a/T: argument "glob" was added and is optional'],
  ]],
  ["a required argument added", BEFORE.extend({ glob: z.string() }), [
    ["argument added", 'a/T: argument "glob" was added and is required'],
  ]],
  ["a type", BEFORE.extend({ path: z.union([z.string(), z.null()]) }), [
    ["argument type changed", 'a/T: type of argument "path" was string, is null or string'],
  ]],
  ["a list in place of a text", BEFORE.extend({ path: z.array(z.object({ x: z.string() })) }), [
    ["argument type changed", 'a/T: type of argument "path" was string, is array'],
  ]],
  ["now required", BEFORE.extend({ edits: BEFORE.shape.edits.unwrap() }), [
    ["argument now required", 'a/T: argument "edits" is now required'],
  ]],
  ["now optional", BEFORE.extend({ path: z.string().optional() }), [
    ["argument now optional", 'a/T: argument "path" is now optional'],
  ]],
  ["a default", BEFORE.extend({ limit: z.int().max(10).default(5) }), [
    ["default changed", 'a/T: default of argument "limit" was 3, is 5'],
  ]],
  ["a default gone", BEFORE.extend({ limit: z.int().max(10).optional() }), [
    ["default changed", 'a/T: default of argument "limit" was 3, is none'],
  ]],
  ["a bound", BEFORE.extend({ limit: z.int().max(20).default(3) }), [
    ["argument rules changed", 'a/T: maximum of argument "limit" was 10, is 20'],
  ]],
  ["allowed values", BEFORE.extend({ path: z.enum(["a"]) }), [
    ["argument rules changed", 'a/T: enum of argument "path" was absent, is ["a"]'],
  ]],
  ["a field inside a list", BEFORE.extend({ edits: z.array(z.object({ new: z.string() })).optional() }), [
    ["argument removed", 'a/T: argument "edits[].old" was removed'],
    ["argument added", 'a/T: argument "edits[].new" was added and is required'],
  ]],
  ["unknown arguments refused", z.strictObject(BEFORE.shape), [
    ["argument rules changed", "a/T: additionalProperties of the arguments was absent, is false"],
  ]],
];

Deno.test("compareLock() tells each drift of arguments in a sentence", () => {
  const locked = makeLock([lockedTool("a/T", BEFORE)]);
  for (const [what, after, changes] of DRIFTS) {
    const current = makeLock([lockedTool("a/T", after)]);
    const told = compareLock(locked, current).map(({ tool, kind, detail }) => [tool, kind, detail]);
    assertEquals(told, changes.map((change) => ["a/T", ...change]), what);
    assertEquals(JSON.stringify(locked) === JSON.stringify(current), changes.length === 0, what);
  }
});

Deno.test("compareLock() tells removed and added tools and changed needs, sorted by tool", () => {
  const locked = makeLock([lockedTool("b/Old", BEFORE), lockedTool("a/T", BEFORE)]);
  const current = makeLock([
    lockedTool("c/New", BEFORE),
    lockedTool("a/T", BEFORE, { read: "granted", net: ["example.com"] }),
  ]);
  assertEquals(compareLock(locked, current), [
    { tool: "a/T", kind: "needs changed", detail: 'a/T: need of read was "workspace", is "granted"' },
    { tool: "a/T", kind: "needs changed", detail: 'a/T: need of net was nothing, is ["example.com"]' },
    { tool: "b/Old", kind: "removed", detail: "b/Old was removed" },
    { tool: "c/New", kind: "added", detail: "c/New was added" },
  ]);
});

Deno.test("makeLock() is the same for any order of tools and holds no prose", () => {
  const [one, two] = [lockedTool("a/One", BEFORE), lockedTool("a/Two", BEFORE)];
  const text = JSON.stringify(makeLock([one, two]));
  assertEquals(text, JSON.stringify(makeLock([two, one])));
  assertEquals(text.includes("Where"), false);
  assertEquals(Object.keys(makeLock([two, one]).tools), ["a/One", "a/Two"]);
});

Deno.test("makeLock() keeps arguments that are called like prose", () => {
  const schema = z.object({ description: z.string(), title: z.string() });
  const { properties } = makeLock([lockedTool("a/T", schema)]).tools["a/T"]!.input_schema;
  assertEquals(Object.keys(properties as object), ["description", "title"]);
});

Deno.test("parseLock() reads what makeLock() made", () => {
  const lock = makeLock([lockedTool("a/T", BEFORE)]);
  assertEquals(parseLock(JSON.stringify(lock, null, 2), "tools.lock.json"), lock);
});

const BROKEN: [text: string, fault: string][] = [
  ["[]", "it is not a lock of tools"],
  ['{"version":1}', "it is not a lock of tools"],
  ['{"tools":{}}', "its version is missing, not 1"],
  ['{"version":2,"tools":{}}', "its version is 2, not 1"],
  ['{"version":1,"tools":{"a/T":{"needs":{}}}}', 'its entry "a/T" is broken'],
  ['{"version":1,"tools":{"a/T":{"needs":{"read":1},"input_schema":{}}}}', 'its entry "a/T" is broken'],
];

Deno.test("parseLock() says what is wrong with a broken lock and what to do", () => {
  const refusal = (text: string) => assertThrows(() => parseLock(text, "my.lock"), ToolError);
  for (const [text, fault] of BROKEN) {
    const advice = "make it anew with: bulkhead schema lock my.lock";
    assertEquals(refusal(text).message, `Cannot use lock file "my.lock": ${fault}, ${advice}`);
    assertEquals(refusal(text).code, "invalid_input");
  }
  assertEquals(refusal("").message, 'No JSON in lock file "my.lock": it is empty');
});
