import type { JsonSchema } from "../../../schemas/manifest.ts";

const TEXT: JsonSchema = { type: "string" };
const TEXTS: JsonSchema = { type: "array", items: TEXT };
const ALL_OR_TEXTS: JsonSchema = { anyOf: [{ type: "boolean", const: true }, TEXTS] };
const COUNT: JsonSchema = { type: "integer", exclusiveMinimum: 0 };
const POSITIVE: JsonSchema = { type: "number", exclusiveMinimum: 0 };

/**
 * What a line with a task has besides its id: the fields that `StartRun` of the server has for a run. Written down once more
 * because that schema needs a library, which main does not load; a test holds both together.
 */
export const TASK_SCHEMA: JsonSchema = closed({
  prompt: { type: "string", minLength: 1 },
  agent: TEXT,
  model: TEXT,
  workspace: TEXT,
  images: { type: "array", maxItems: 12, items: closed({ name: TEXT, data_url: TEXT }, ["data_url"]) },
  grants: closed({
    policy: { type: "string", enum: ["read-only", "read-only-no-net"] },
    tools: TEXTS,
    deny_read: TEXTS,
    ...{ deny_write: ALL_OR_TEXTS, deny_net: ALL_OR_TEXTS, deny_run: ALL_OR_TEXTS },
  }),
  limits: closed({ rounds: COUNT, seconds: POSITIVE, tokens: COUNT, cost: POSITIVE }),
  output_schema: { type: "object", additionalProperties: {} },
}, ["prompt"]);

function closed(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}
