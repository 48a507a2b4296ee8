import { ToolError } from "../../../../schemas/error.ts";
import { describeMismatch } from "../../../../schemas/json/mismatch.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";

const NUMBER: JsonSchema = { type: "number" };
const COUNT: JsonSchema = { type: "integer", minimum: 0 };
const WORD: JsonSchema = { type: "string", maxLength: 40 };
const STOP: JsonSchema = { type: "string", maxLength: 1_000 };

/**
 * What clients may add to requests to the model: how it writes, and how much it thinks. Whatever else a provider knows may
 * choose another model or server, or tools that run there, or multiply the cost.
 */
const FIELDS: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(
    [
      ...["temperature", "top_p", "min_p", "top_a", "typical_p", "tfs_z"],
      ...["presence_penalty", "frequency_penalty", "repetition_penalty", "repeat_penalty", "length_penalty"],
    ].map((name) => [name, NUMBER]),
  ),
  top_k: COUNT,
  seed: { type: "integer" },
  stop: { anyOf: [STOP, { type: "array", items: STOP, maxItems: 16 }] },
  logit_bias: { type: "object", additionalProperties: NUMBER },
  reasoning_effort: WORD,
  verbosity: WORD,
};

/** Fields that bound a reply. */
const BOUNDS = ["max_tokens", "max_completion_tokens"];

/**
 * Checks what a client adds to every request to the model.
 *
 * @param longest Longest reply that the server asks for, in tokens; `null` for as long as the model gives
 * @throws {ToolError} `permission_denied` for fields that only whoever starts the server can set, `invalid_input` for values
 * that are none
 */
export function checkClientFields(fields: Readonly<Record<string, unknown>>, longest: number | null): void {
  const bound = { type: "integer", minimum: 1, ...longest !== null && { maximum: longest } };
  const known: Record<string, JsonSchema> = {
    ...FIELDS,
    ...Object.fromEntries(BOUNDS.map((name) => [name, bound])),
  };
  const unknown = Object.keys(fields).filter((name) => !Object.hasOwn(known, name));
  if (unknown.length > 0) {
    throw new ToolError(
      "permission_denied",
      `Clients cannot set ${
        unknown.map((name) => name.slice(0, 80)).join(", ")
      } in requests to the model: leave it out ` +
        `of llm-extra-body, which takes ${
          Object.keys(known).join(", ")
        }; whoever starts the server can set it as ` +
        '"extra_body" of the model in the configuration',
    );
  }
  const problems = describeMismatch({ type: "object", properties: known }, fields);
  if (problems.length === 0) return;
  throw new ToolError("invalid_input", `Cannot use llm-extra-body: ${problems.join(" ")}`, {
    details: { problems },
  });
}
