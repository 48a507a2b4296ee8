import { ACCESS_KINDS } from "../../../schemas/access.ts";
import { MAX_CALL_SECONDS, TOOLCHAIN_MODES } from "../../../schemas/config.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import { PERMISSION_SCHEMA } from "../../../schemas/json/permission_schema.ts";
import { MCP_SERVER, POLICY_FIELDS, PROGRAMS } from "../config/check/policy_schema.ts";
import {
  COUNT,
  each,
  fieldsOf,
  map,
  POSITIVE,
  SCOPE,
  TEXT,
  TEXTS,
  YES_OR_NO,
} from "../config/check/schema_words.ts";

export {
  COUNT,
  fieldsOf,
  map,
  POSITIVE,
  PRICE,
  TEXT,
  TEXTS,
  YES_OR_NO,
} from "../config/check/schema_words.ts";

/** JSON has no functions: only options of embedding programs may hold them. */
export const FUNCTION: JsonSchema = { type: "function" };
/** An object whose fields are checked elsewhere, or that a class of the embedding program makes. */
export const OBJECT: JsonSchema = { type: "object" };
/** A list of objects that are checked elsewhere. */
export const OBJECTS: JsonSchema = { type: "array", items: OBJECT };
/** A name that may not be empty. */
export const NAME: JsonSchema = { type: "string", minLength: 1 };

const OWN_POLICY = fieldsOf({ ...POLICY_FIELDS, name: NAME, filter: FUNCTION }, ["base"]);
const PERMISSION = { anyOf: [...PERMISSION_SCHEMA.anyOf as JsonSchema[], FUNCTION] };
/** A type of a result: words, or a schema. */
const TYPE: JsonSchema = { anyOf: [TEXT, OBJECT] };

/** What is granted to a runner or an agent, in the words of the configuration's schema. */
export const GRANT_FIELDS: Readonly<Record<string, JsonSchema>> = {
  policy: { anyOf: [NAME, OWN_POLICY] },
  allow: each(ACCESS_KINDS, SCOPE),
  deny: each(ACCESS_KINDS, SCOPE),
  allowSecrets: TEXTS,
  allowPrivateNet: SCOPE,
  allowEnv: TEXTS,
  sandbox: { enum: ["auto", "require", "namespaces", "landlock", "off"] },
  shareNet: YES_OR_NO,
  sandboxShow: TEXTS,
  toolchains: { enum: TOOLCHAIN_MODES },
};

/** What a runner and a toolbox ask the embedding program, and which tools they have. */
const SHARED_FIELDS: Readonly<Record<string, JsonSchema>> = {
  confirm: FUNCTION,
  ask: FUNCTION,
  hooks: OBJECTS,
  audit: { type: ["string", "function"] },
  onEvent: FUNCTION,
  warn: FUNCTION,
  toolFiles: TEXTS,
  mcpServers: { anyOf: [map(MCP_SERVER), { type: "array", items: MCP_SERVER }] },
  mcpFiles: TEXTS,
  mcpContextLimit: COUNT,
  // Their own readers say what is wrong with scripts and functions, by the name of each tool.
  scriptTools: { type: "array" },
  permissions: map(PERMISSION),
  toolLimits: map(fieldsOf({ timeout_seconds: POSITIVE, concurrency: COUNT })),
  responseTypes: map(TYPE),
  role: TEXT,
  programs: PROGRAMS,
  maxCallMs: { ...POSITIVE, maximum: MAX_CALL_SECONDS * 1000 },
  maxParallel: COUNT,
  env: map(TEXT),
  config: { anyOf: [{ const: false }, fieldsOf({ file: NAME })] },
};

/** The fields of a runner's options. */
export const RUNNER_FIELDS: Readonly<Record<string, JsonSchema>> = {
  workspace: TEXT,
  ...GRANT_FIELDS,
  ...SHARED_FIELDS,
  here: { type: "array" },
  session: OBJECT,
};

/** The options of a runner. */
export const RUNNER_OPTIONS: JsonSchema = fieldsOf(RUNNER_FIELDS, ["workspace"]);

/** The options of one call. */
export const CALL_OPTIONS: JsonSchema = fieldsOf({ signal: OBJECT, onProgress: FUNCTION });

/** Returns fields without some of them. */
export function without(
  fields: Readonly<Record<string, JsonSchema>>,
  names: readonly string[],
): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
