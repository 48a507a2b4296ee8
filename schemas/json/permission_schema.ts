import type { JsonSchema } from "../manifest.ts";
import type { Verdict } from "../permission.ts";

const VERDICT: JsonSchema = { enum: ["allow", "confirm", "deny"] satisfies Verdict[] };
const TEXTS: JsonSchema = { type: "array", items: { type: "string" } };
const PATTERNS: JsonSchema = { type: "object", additionalProperties: { anyOf: [{ type: "string" }, TEXTS] } };

/** What a permission must look like, wherever one is said. */
export const PERMISSION_SCHEMA: JsonSchema = {
  anyOf: [
    VERDICT,
    {
      type: "object",
      properties: { roles: TEXTS, otherwise: VERDICT },
      required: ["roles"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: { when: PATTERNS, then: VERDICT, otherwise: VERDICT },
      required: ["when"],
      additionalProperties: false,
    },
  ],
};
