import { AGENT_LIMITS } from "../../../schemas/agent/agent.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { THINKING_KINDS } from "../../../schemas/step/thinking.ts";
import {
  COUNT,
  fieldsOf,
  GRANT_FIELDS,
  map,
  NAME,
  OBJECT,
  POSITIVE,
  PRICE,
  RUNNER_FIELDS,
  TEXT,
  TEXTS,
  without,
  YES_OR_NO,
} from "../../host/options/option_schema.ts";

const FROM_NONE: JsonSchema = { type: "integer", minimum: 0 };
/** A name, or a function of the embedding program, which its own reader checks. */
const TOOLS: JsonSchema = { type: "array", items: { type: ["string", "object"] } };
const PRICES = fieldsOf({ input: PRICE, cached_input: PRICE, output: PRICE }, [
  "input",
  "cached_input",
  "output",
]);

const LIMITS = fieldsOf(Object.fromEntries(
  Object.entries(AGENT_LIMITS).map(([name, usual]) => {
    const one = name === "seconds" ? POSITIVE : name === "cost" ? PRICE : usual === null ? FROM_NONE : COUNT;
    return [name, usual === null ? { anyOf: [one, { type: "null" }] } : one];
  }),
));

const KIND: JsonSchema = { enum: Object.keys(THINKING_KINDS) };
const THINKING = fieldsOf({
  kind: KIND,
  must_call: YES_OR_NO,
  prompts: fieldsOf({ system: TEXT, request: TEXT, clarification: TEXT }),
  executors: map(
    fieldsOf({ description: TEXT, system: TEXT, tools: TEXTS, max_iterations: COUNT }, ["description"]),
  ),
});

/** A model on a server. */
export const SERVED_MODEL: JsonSchema = fieldsOf({
  name: NAME,
  baseUrl: NAME,
  apiKey: TEXT,
  headers: map(TEXT),
  wire: { enum: ["chat", "responses"] },
  extraBody: OBJECT,
  idleSeconds: POSITIVE,
}, ["name"]);

/** The options of an agent. */
export const AGENT_SCHEMA: JsonSchema = fieldsOf({
  ...without(RUNNER_FIELDS, [...Object.keys(GRANT_FIELDS), "session"]),
  // A model of one's own has functions, and is looked at apart.
  model: { anyOf: [NAME, OBJECT] },
  profile: fieldsOf({
    context_tokens: COUNT,
    output_tokens: { anyOf: [COUNT, { type: "null" }] },
    images: YES_OR_NO,
    prices: { anyOf: [PRICES, { type: "null" }] },
  }),
  tools: TOOLS,
  extraTools: TOOLS,
  toolsets: TEXTS,
  grants: fieldsOf(GRANT_FIELDS),
  outputSchema: OBJECT,
  keep: YES_OR_NO,
  thinking: { anyOf: [KIND, THINKING] },
  limits: LIMITS,
  roles: TEXTS,
  project: YES_OR_NO,
  agent: NAME,
  agents: { anyOf: [NAME, OBJECT] },
}, ["workspace"]);

/** The options of one run. */
export const RUN_SCHEMA: JsonSchema = fieldsOf({
  signal: OBJECT,
  resume: { anyOf: [{ const: true }, NAME] },
  sessionId: TEXT,
  images: TEXTS,
  record: NAME,
  undo: YES_OR_NO,
});
