import { assertEquals, assertStringIncludes } from "@std/assert";

import { declareTools } from "../../../schemas/exports/declare_tools.ts";
import type { JsonSchema, Manifest, ManifestEntry } from "../../../schemas/manifest.ts";
import manifestJson from "../../../tools/manifest.json" with { type: "json" };

const ENTRIES = (manifestJson as unknown as Manifest).tools;

/** Declares one tool whose argument `x` has a schema. */
function declared(x: JsonSchema, rest: JsonSchema = {}): string {
  const input_schema = { type: "object", properties: { x }, required: ["x"], ...rest };
  const entry = { ...ENTRIES[0]!, description: "Does it.", input_schema, output_schema: {} } as ManifestEntry;
  return declareTools([{ entry, name: "t" }]);
}

const ROWS: readonly [JsonSchema, string][] = [
  [{}, "unknown"],
  [{ type: "integer" }, "number"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ const: 'a"b' }, '"a\\"b"'],
  [{ enum: ["a", 1, null] }, '"a" | 1 | null'],
  [{ type: "string", enum: ["a | b"] }, '"a | b"'],
  [{ type: "array" }, "unknown[]"],
  [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } }, "(string | number)[]"],
  [
    { type: "array", prefixItems: [{ type: "string" }], items: { type: ["number", "null"] } },
    "[string, ...(number | null)[]]",
  ],
  [{ type: "array", prefixItems: [{ type: "string" }], items: false }, "[string]"],
  [{ type: "object" }, "Record<string, unknown>"],
  [{ type: "object", additionalProperties: false }, "Record<string, never>"],
  [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
  [{ oneOf: [{ const: 1 }, {}] }, "unknown"],
  [{ allOf: [{ type: "string" }, { enum: ["a", "b"] }] }, 'string & ("a" | "b")'],
  [{ not: {} }, "never"],
  [{ $ref: "#/$defs/gone" }, "unknown"],
];

Deno.test("declareTools() writes each kind of schema as a type", { permissions: "none" }, () => {
  for (const [schema, type] of ROWS) assertStringIncludes(declared(schema), `    x: ${type};\n`);
  const node = {
    type: "object",
    properties: { "a-b": { $ref: "#/$defs/node" } },
    additionalProperties: { type: "string" },
  };
  const recursive = declared({ $ref: "#/$defs/node" }, { $defs: { node } });
  assertStringIncludes(recursive, '"a-b"?: unknown;');
  assertStringIncludes(recursive, "} & Record<string, string>;");
});

Deno.test("declareTools() keeps descriptions and defaults in comments that nothing in them ends", {
  permissions: "none",
}, () => {
  const text = declared({ type: "string", description: "One */ evil()\n  two", default: "*/" }, {
    required: [],
  });
  assertEquals(
    text,
    'declare const tools: {\n  /** Does it. */\n  t(args?: {\n    /**\n     * One *\\/ evil()\n     *   two Default: "*\\/"\n' +
      "     */\n    x?: string;\n  }): Promise<unknown>;\n};\n",
  );
});

Deno.test("the declarations of all tools are TypeScript, and refuse what the schemas do", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const tools = ENTRIES.map((entry) => ({ entry, name: entry.full_name.replace("/", "_") }));
    const use = [
      'const { results } = await tools.harness_Grep({ pattern: "a" });',
      "const line: number = results[0]!.line;",
      "// @ts-expect-error a field that is not known",
      'await tools.harness_Grep({ pattern: "a", patern: "b" });',
      "// @ts-expect-error one that must be there",
      "await tools.harness_Read({});",
      "export { line };",
    ];
    await Deno.writeTextFile(`${folder}/tools.ts`, declareTools(tools) + use.join("\n"));
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["check", "--no-config", "--no-lock", "tools.ts"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    assertEquals(success, true, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
