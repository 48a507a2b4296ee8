import { ToolError } from "../error.ts";
import { describeMismatch } from "../json/mismatch.ts";
import { isObject } from "../json/shape.ts";
import type { JsonSchema } from "../manifest.ts";
import { jsonProblem } from "../json/json_problem.ts";

/** What a function of the user's may answer. */
interface AnswerForm {
  form: JsonSchema;
  /** The same in words, for the message. */
  expected: string;
}

const TEXT: JsonSchema = { type: "string" };
const NOTHING: JsonSchema = { type: "null" };
const COUNT: JsonSchema = { type: "integer", minimum: 0 };

function closed(properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

const REFUSE = closed({ refuse: TEXT });
const BYTES = closed({ mime_type: TEXT, data: TEXT });
const RESULT = closed({
  tool_name: TEXT,
  ok: { type: "boolean" },
  result: {},
  text: TEXT,
  images: list(BYTES),
  audio: list(BYTES),
  resources: list({ type: "object", properties: { uri: TEXT }, required: ["uri"] }),
  artifacts: list(closed({ name: TEXT, path: TEXT, bytes: COUNT })),
  warnings: list(TEXT),
  error: {
    anyOf: [
      NOTHING,
      closed({ code: TEXT, message: TEXT, retryable: { type: "boolean" }, details: { type: "object" } }),
    ],
  },
  metadata: { type: "object", properties: { duration_ms: { type: "number" }, place: TEXT, summary: TEXT } },
  system: TEXT,
}, ["tool_name", "ok", "text", "images", "artifacts", "warnings", "metadata"]);

const CALL = closed({ id: TEXT, name: TEXT, arguments: TEXT });
const USAGE = closed({
  input_tokens: COUNT,
  cached_tokens: COUNT,
  output_tokens: COUNT,
  cost: { type: "number", minimum: 0 },
}, [
  "input_tokens",
  "cached_tokens",
  "output_tokens",
]);
const REPLY = closed({
  content: TEXT,
  tool_calls: list(CALL),
  finish: { enum: ["stop", "tool_calls", "length", "content_filter", "other"] },
  usage: { anyOf: [NOTHING, USAGE] },
  extra: { type: "object" },
  reasoning: { type: "object" },
}, ["content", "tool_calls", "finish"]);

/** Every place where a function of the user's gives an answer that decides something, and what it may be. */
export const ANSWERS = {
  "policy.filter": {
    form: { anyOf: [NOTHING, REFUSE] },
    expected: 'nothing, or { refuse: "why" }; a hook can change a command',
  },
  "permissions": {
    form: { enum: [true, false, "allow", "confirm", "deny"] },
    expected: 'true, false, "allow", "confirm" or "deny"',
  },
  "hooks.before": {
    form: { anyOf: [NOTHING, REFUSE, closed({ input: {} }), closed({})] },
    expected: 'nothing, { refuse: "why" } or { input: … }',
  },
  "hooks.after": {
    form: { anyOf: [NOTHING, RESULT] },
    expected: "nothing, or a whole result: { ...result, text: … }",
  },
  "confirm": {
    form: { anyOf: [{ enum: [true, false, "once", "run"] }, closed({ no: TEXT })] },
    expected: 'true, false, "once", "run" or { no: "why" }',
  },
  "ask": { form: { type: ["string", "null"] }, expected: "a text, or null if the person is gone" },
  "model.complete": {
    form: REPLY,
    expected: "{ content: text, tool_calls: [{ id, name, arguments: text }], finish, usage }",
  },
  "session.get": { form: {}, expected: "the value that was kept, or nothing" },
  "session.hold": { form: {}, expected: "an object with a function Symbol.dispose" },
  "validate": { form: {}, expected: "{ value } or { issues: [{ message: text }] }" },
} as const satisfies Record<string, AnswerForm>;

/** A place where a function of the user's answers. */
export type AnswerPlace = keyof typeof ANSWERS;

/**
 * Returns an answer of a function of the user's, `null` for nothing. What is not of its form counts as no answer at all:
 * nothing goes on with it.
 *
 * @throws {ToolError} `output_invalid` that says what was expected
 */
export function readAnswer(place: AnswerPlace, answer: unknown): unknown {
  const value = answer ?? null;
  const { form, expected } = ANSWERS[place];
  const look = OF_CLASSES[place];
  const isRight = look ? look(value) : describeMismatch(form, value, { hint: () => "" }).length === 0;
  // An error or a map has no fields that could be read, and would count as an empty answer.
  const unheld = isRight && !look ? jsonProblem(value) : null;
  if (isRight && unheld === null) return value;
  const why = unheld === null ? "" : `, ${unheld}`;
  throw new ToolError("output_invalid", `${place} gave ${sayValue(value)}${why}: it must give ${expected}`);
}

/** Answers whose objects may be of a class, and hold what JSON cannot. */
const OF_CLASSES: { readonly [Place in AnswerPlace]?: (value: unknown) => boolean } = {
  "session.hold": (value) => typeof (value as Partial<Disposable> | null)?.[Symbol.dispose] === "function",
  validate(value) {
    if (!isObject(value)) return false;
    const { issues } = value;
    if (issues === undefined) return "value" in value;
    return Array.isArray(issues) && issues.length > 0 &&
      issues.every((issue) => isObject(issue) && typeof issue.message === "string");
  },
};

/** Says shortly what a value is. It may be a secret, so only words that could be a slip are told. */
function sayValue(value: unknown): string {
  if (value === null) return "nothing";
  if (typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") {
    return value.length <= 40 ? JSON.stringify(value) : `a text of ${value.length} characters`;
  }
  if (Array.isArray(value)) return "a list";
  if (!isObject(value)) return `a ${typeof value}`;
  const fields = Object.keys(value).slice(0, 5).map((name) => name.slice(0, 40));
  return fields.length === 0 ? "an empty object" : `an object with ${fields.join(", ")}`;
}
