import type { JsonSchema } from "../../../schemas/manifest.ts";

const VERDICT: JsonSchema = { enum: ["allow", "confirm", "deny"] };
const TEXTS: JsonSchema = { type: "array", items: { type: "string" } };
const TEXT_OR_TEXTS: JsonSchema = { anyOf: [{ type: "string" }, TEXTS] };
const POSITIVE: JsonSchema = { type: "number", exclusiveMinimum: 0 };
const COUNT: JsonSchema = { type: "integer", minimum: 1 };
const PRICE: JsonSchema = { type: "number", minimum: 0 };

/** Returns the schema of an object with exactly these fields. */
function object(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** Returns the schema of an object whose fields are all alike. */
function map(values: JsonSchema): JsonSchema {
  return { type: "object", additionalProperties: values };
}

const PERMISSION: JsonSchema = {
  anyOf: [
    VERDICT,
    object({ roles: TEXTS, otherwise: VERDICT }, ["roles"]),
    object({ when: map(TEXT_OR_TEXTS), then: VERDICT, otherwise: VERDICT }, ["when"]),
  ],
};

const RULES: JsonSchema = {
  type: "array",
  items: {
    anyOf: [
      { type: "string" },
      object({ program: { type: "string" }, words: TEXTS, options: TEXTS }, ["program"]),
    ],
  },
};

/** What a configuration file must look like. */
export const CONFIG_SCHEMA: JsonSchema = object({
  $schema: { type: "string" },
  policy: { type: "string" },
  policies: map(object({
    base: { enum: ["coder", "read-only", "read-only-no-net"] },
    allow: RULES,
    deny: RULES,
  }, ["base"])),
  tools: map(object({ permission: PERMISSION, timeout_seconds: POSITIVE })),
  hooks: object({ before: { type: "array", items: TEXTS }, after: { type: "array", items: TEXTS } }),
  programs: object({
    processes: POSITIVE,
    memory_mb: POSITIVE,
    file_mb: POSITIVE,
    tmp_mb: POSITIVE,
    free_disk_mb: POSITIVE,
    cpu_seconds: POSITIVE,
  }),
  toolchains: { enum: ["on", "off"] },
  agent: object({
    model: { type: "string", minLength: 1 },
    max_rounds: COUNT,
    max_calls: COUNT,
    max_seconds: POSITIVE,
    max_tokens: COUNT,
    max_cost: PRICE,
  }),
  models: map(object({
    context_tokens: COUNT,
    output_tokens: COUNT,
    images: { type: "boolean" },
    prices: object({ input: PRICE, cached_input: PRICE, output: PRICE }, ["input", "output"]),
    base_url: { type: "string", minLength: 1 },
    api_key_env: { type: "string", minLength: 1 },
    headers: map({ type: "string" }),
    idle_seconds: POSITIVE,
    extra_body: { type: "object" },
  })),
  audit: { type: "string" },
});
