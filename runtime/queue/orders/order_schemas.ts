import { EXIT_CODES } from "../../../schemas/error.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";

const TEXT = { type: "string", maxLength: 4_096 };
const TEXTS = { type: "array", items: TEXT };
const ALL_OR_SOME = { anyOf: [{ const: true }, TEXTS] };
const COUNT = { type: "integer", minimum: 0 };
const FLAG = { type: "boolean" };
const ID = { anyOf: [{ type: "string" }, { type: "number" }] };

const NARROWING = {
  policy: { enum: ["read-only", "read-only-no-net"] },
  tools: TEXTS,
  deny_read: TEXTS,
  deny_write: ALL_OR_SOME,
  deny_net: ALL_OR_SOME,
  deny_run: ALL_OR_SOME,
};

/** What may be taken away. */
export const NARROWING_FIELDS: readonly string[] = Object.keys(NARROWING);

/** An order, but for what its tool or its agent checks. */
export const ORDER: JsonSchema = object({
  v: { const: 1 },
  id: ID,
  digest: TEXT,
  work: {
    anyOf: [
      object({ kind: { const: "call" }, tool: TEXT, arguments: {} }),
      object({ kind: { const: "task" }, wish: { type: "object" } }),
    ],
  },
  terms: object({
    tries: { type: "integer", minimum: 1, maximum: 20 },
    retriesUnsafe: FLAG,
    mayDecline: FLAG,
    isNew: FLAG,
    isWatched: FLAG,
  }, {
    workspace: TEXT,
    grants: object({}, NARROWING),
    maxCallMs: { type: "number", exclusiveMinimum: 0 },
    traceparent: TEXT,
  }),
});

const ERROR = object({
  code: { enum: Object.keys(EXIT_CODES) },
  message: { type: "string" },
  retryable: FLAG,
  details: { type: "object" },
});

const RESULT = object({
  tool_name: TEXT,
  ok: FLAG,
  result: {},
  text: { type: "string" },
  images: { type: "array", items: object({ mime_type: TEXT, data: { type: "string" } }) },
  artifacts: { type: "array", items: object({ name: TEXT, path: TEXT, bytes: COUNT }) },
  warnings: { type: "array", items: { type: "string" } },
  error: { anyOf: [{ type: "null" }, ERROR] },
  metadata: object({ duration_ms: { type: "number" }, place: TEXT }),
});

/** How an order came out. */
export const ANSWER: JsonSchema = object({
  v: { const: 1 },
  digest: TEXT,
  worker: TEXT,
  result: { anyOf: [{ type: "null" }, RESULT] },
  task: { anyOf: [{ type: "null" }, { type: "object" }] },
  files: { type: "array", items: object({ name: TEXT, path: TEXT, bytes: COUNT }) },
});

/** What happens while an order is at work. */
export const TOLD: JsonSchema = {
  type: "object",
  anyOf: [
    object({ t: { const: "begun" }, worker: TEXT }),
    object({ t: { const: "event" }, event: object({ type: TEXT }) }),
  ],
};

/** What a worker says of itself. */
export const CARD: JsonSchema = object({
  v: { const: 1 },
  worker: TEXT,
  lane: { type: "string", pattern: "^[a-z0-9]{1,32}$" },
  version: TEXT,
  host: TEXT,
  pid: COUNT,
  started: TEXT,
  policy: TEXT,
  grants: TEXTS,
  hasSandbox: FLAG,
  tools: { type: "array", items: object({ name: TEXT, parallel: FLAG }) },
  agents: TEXTS,
  models: TEXTS,
  places: COUNT,
  busy: COUNT,
  done: COUNT,
  failed: COUNT,
  isLeaving: FLAG,
});

function object(required: Record<string, JsonSchema>, optional: Record<string, JsonSchema> = {}): JsonSchema {
  return { type: "object", properties: { ...required, ...optional }, required: Object.keys(required) };
}
