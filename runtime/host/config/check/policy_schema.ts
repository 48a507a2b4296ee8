import { PROGRAM_LIMITS, type ProgramLimits } from "../../../../schemas/config.ts";
import { POLICY_NAMES } from "../../../../schemas/grants.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";
import { each, fieldsOf, POSITIVE, SCOPE, TEXT, TEXTS, told, YES_OR_NO } from "./schema_words.ts";

/** A server: its other fields are those of its client, and its own reader looks at them. */
export const MCP_SERVER: JsonSchema = {
  type: "object",
  properties: {
    bulkhead: told(
      "What it may touch of what the run may touch",
      fieldsOf({ read: SCOPE, write: SCOPE, net: SCOPE, env: TEXTS }),
    ),
  },
};

const RULES: JsonSchema = {
  type: "array",
  items: { anyOf: [TEXT, fieldsOf({ program: TEXT, words: TEXTS, options: TEXTS }, ["program"])] },
};

const BOUNDS = Object.keys(PROGRAM_LIMITS) as readonly (keyof ProgramLimits)[];

/** The bounds of programs. */
export const PROGRAMS = told("Bounds of every program that is started", each(BOUNDS, POSITIVE));

/** The fields of a policy of the user's own. */
export const POLICY_FIELDS: Readonly<Record<string, JsonSchema>> = {
  base: told("The built-in policy to start from", { enum: POLICY_NAMES }),
  allow: told("If there are any, every command must match one of these rules", RULES),
  deny: told("Commands that never run; wins over allow", RULES),
  write: told("false: nothing may be written", YES_OR_NO),
  net: told("false: no network; true: programs have all of this machine's network", YES_OR_NO),
  programs: PROGRAMS,
};

/** A policy of the user's own, in a file. */
export const POLICY: JsonSchema = fieldsOf(POLICY_FIELDS, ["base"]);
