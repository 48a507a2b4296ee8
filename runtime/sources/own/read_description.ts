import { ACCESS_KINDS, type AccessKind } from "../../../schemas/access.ts";
import { MAX_CALL_SECONDS } from "../../../schemas/config.ts";
import { describeMismatch } from "../../../schemas/json/mismatch.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { JsonSchema, ManifestEntry } from "../../../schemas/manifest.ts";
import { didYouMean, nearest } from "../../../schemas/nearest.ts";
import { ownWord } from "../../../schemas/json/other_words.ts";
import { PERMISSION_SCHEMA } from "../../../schemas/json/permission_schema.ts";
import { stripControls } from "../../text/strip_controls.ts";
import { hostWordProblem } from "../../walls/net/host_word.ts";

/** Longest time of a call that its tool does not say, in seconds. */
const USUAL_SECONDS = 120;
/** A model reads it with each request. */
const MAX_DESCRIPTION = 1023;
/** Longest schema, as JSON. */
const MAX_SCHEMA_CHARS = 100_000;

const BOOLEAN: JsonSchema = { type: "boolean" };
const TEXTS: JsonSchema = { type: "array", items: { type: "string" } };
const PATHS: JsonSchema = {
  anyOf: [{ enum: ["workspace", "granted"] }, {
    type: "array",
    items: { type: "string", pattern: "^/" },
  }],
};
const PATHS_REMEDY = 'write "workspace", "granted", or a list of absolute paths';
/** What a tool may say that it touches, by kind. */
const SCOPES: Readonly<Record<AccessKind, { schema: JsonSchema; remedy: string }>> = {
  read: { schema: PATHS, remedy: PATHS_REMEDY },
  write: { schema: PATHS, remedy: PATHS_REMEDY },
  net: {
    schema: { anyOf: [{ const: "granted" }, TEXTS] },
    remedy: 'write "granted", or a list of hosts such as ["example.com"]',
  },
  run: { schema: { const: "granted" }, remedy: 'write "granted": each program is judged when it starts' },
};

function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties, additionalProperties: false };
}

/** What each field may hold, and what to write there. */
const FIELDS: Readonly<Record<string, { schema: JsonSchema; remedy: string }>> = {
  needs: {
    schema: object(Object.fromEntries(ACCESS_KINDS.map((kind) => [kind, {}]))),
    remedy: 'write such as { read: "workspace", net: ["example.com"] }',
  },
  permission: {
    schema: PERMISSION_SCHEMA,
    remedy: 'write "allow", "confirm", "deny", { roles: ["reviewer"] } or { when: { path: "src/*" } }',
  },
  timeout_seconds: {
    schema: { type: "number", exclusiveMinimum: 0, maximum: MAX_CALL_SECONDS },
    remedy: `write a number of seconds, at most ${MAX_CALL_SECONDS}`,
  },
  concurrency: { schema: { type: "integer", minimum: 1 }, remedy: "write a whole number from 1" },
  limits: {
    schema: object({
      timeoutMs: { anyOf: [{ type: "number", exclusiveMinimum: 0 }, { const: "none" }] },
      concurrency: { type: "integer", minimum: 1 },
    }),
    remedy: "write timeout_seconds and concurrency",
  },
  ...Object.fromEntries(
    ["readOnly", "parallel", "optional", "leavesFiles", "asks", "outside"].map((name) => [
      name,
      { schema: BOOLEAN, remedy: "write true or false" },
    ]),
  ),
  settings: { schema: TEXTS, remedy: 'write a list of names of variables, such as ["MY_REGION"]' },
  paths: { schema: TEXTS, remedy: 'write a list of arguments, such as ["path"]' },
};

const KNOWN = ["name", "description", "input", "output", "run", ...Object.keys(FIELDS)];
const FUNCTIONS = ["targets", "text", "summary", "preview", "errorText"];

/** A tool that its description says, or what is wrong with it, a sentence each. */
export type ReadDescription = { tool: ManifestEntry } | { problems: string[] };

/**
 * Reads what a room said about one tool of a file. The file's code may have taken the room over, so it can be anything.
 */
export function readDescription(said: unknown, { toolset = "own" } = {}): ReadDescription {
  const { exported, problem, fields, functions = [], ...rest } = isObject(said) ? said : {};
  const at = typeof exported === "string" ? exported.slice(0, 80) : "an export";
  if (typeof problem === "string") return { problems: [`${at}: ${problem}`] };
  if (!isObject(fields) || !Array.isArray(functions)) return { problems: [`${at}: it is no tool`] };
  const name = typeof fields.name === "string" ? fields.name.trim() : "";
  const who = name === "" ? `the tool at ${at}` : `tool ${JSON.stringify(name.slice(0, 80))}`;
  const problems = [
    ...nameProblems(fields),
    ...(functions.includes("run") ? [] : ["run must be a function: write run: (input, context) => …"]),
    ...unknownProblems(Object.keys(fields)),
    ...Object.entries(FIELDS).flatMap(([field, { schema, remedy }]) =>
      fields[field] === undefined || describeMismatch(schema, fields[field]).length === 0
        ? []
        : [`${field} is ${shown(fields[field])}: ${remedy}`]
    ),
    ...needsProblems(fields.needs),
    ...(["input", "output"] as const).flatMap((io) => schemaProblems(io, rest)),
  ];
  if (problems.length > 0) return { problems: problems.map((one) => `${who}: ${one}`) };
  return { tool: entryOf({ name, toolset }, { fields, schemas: rest }) };
}

function nameProblems({ name, description }: Record<string, unknown>): string[] {
  const isName = typeof name === "string" && /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name.trim());
  const text = typeof description === "string" ? description.trim() : "";
  return [
    ...(isName
      ? []
      : [`name is ${shown(name)}: write 1 to 64 letters, digits, "_" or "-", with a letter first`]),
    ...(text === "" ? ["description is missing: write what the tool does, a model reads it"] : []),
    ...(text.length > MAX_DESCRIPTION
      ? [`description has ${text.length} characters: write at most ${MAX_DESCRIPTION}`]
      : []),
  ];
}

function unknownProblems(fields: readonly string[]): string[] {
  return fields.filter((field) => !KNOWN.includes(field)).map((field) =>
    FUNCTIONS.includes(field)
      ? `${field} must be a function`
      : `${field.slice(0, 80)} is not known: ${adviceFor(field, [...KNOWN, ...FUNCTIONS])}`
  );
}

/** Says what to do with a field of a tool that is not known. */
export function adviceFor(field: string, known: readonly string[]): string {
  const meant = ownWord(field, known);
  if (meant !== undefined) return `write ${meant}`;
  return didYouMean(nearest(field, known, { max: 1 })).replace(/^, /, "") || "leave it out";
}

function needsProblems(needs: unknown): string[] {
  if (!isObject(needs)) return [];
  return ACCESS_KINDS.flatMap((kind) => {
    const { schema, remedy } = SCOPES[kind];
    const scope = needs[kind];
    if (scope === undefined) return [];
    if (describeMismatch(schema, scope).length > 0) return [`needs.${kind} is ${shown(scope)}: ${remedy}`];
    if (kind !== "net" || !Array.isArray(scope)) return [];
    const words = scope.map((word) => hostWordProblem(word, { isPrivate: false }));
    return words.flatMap((problem) => problem === null ? [] : [`needs.net: ${problem}`]);
  });
}

function schemaProblems(io: "input" | "output", said: Record<string, unknown>): string[] {
  const problem = said[`${io}_problem`];
  if (typeof problem === "string") return [`${io} ${problem}`];
  const schema = said[`${io}_schema`];
  if (!isObject(schema) || JSON.stringify(schema).length > MAX_SCHEMA_CHARS) {
    return [`${io} has a schema of more than ${MAX_SCHEMA_CHARS} characters: make it simpler`];
  }
  if (io === "output" || schema.type === "object") return [];
  return [`input must be an object: write z.object({ … }), or a JSON Schema with type: "object"`];
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, 120);
}

interface Said {
  fields: Record<string, unknown>;
  schemas: Record<string, unknown>;
}

/** All fields were checked. */
function entryOf(
  { name, toolset }: { name: string; toolset: string },
  { fields, schemas }: Said,
): ManifestEntry {
  const given = fields as Record<string, never>;
  const { limits = {} as { timeoutMs?: number | "none"; concurrency?: number } } = given;
  const seconds: number = given.timeout_seconds ?? USUAL_SECONDS;
  const usual = given.timeout_seconds === undefined ? limits.timeoutMs ?? seconds * 1000 : seconds * 1000;
  const description = stripControls(String(fields.description).trim());
  return {
    full_name: `${toolset}/${name}`,
    ...{ toolset, name, description, description_start: description, see_also: [] },
    needs: given.needs ?? {},
    read_only: given.readOnly ?? false,
    parallel: given.parallel ?? false,
    ...{ killable: true, threads: 0 },
    optional: given.optional ?? false,
    error_lead: "",
    leaves_files: given.leavesFiles ?? false,
    asks: given.asks ?? false,
    ...{ asks_model: false, interprets: false, ends_run: null },
    settings: given.settings ?? [],
    secrets: [],
    outside: given.outside ?? false,
    limits: {
      timeout_ms: usual === "none" ? null : usual,
      concurrency: given.concurrency ?? limits.concurrency ?? null,
    },
    permission: given.permission ?? "allow",
    ...{ trial: null, examples: [], prompt_hints: [], reads_on: null },
    paths: given.paths ?? [],
    typed_argument: null,
    ...schemas.open_input === true && { open_input: true as const },
    input_schema: schemas.input_schema as JsonSchema,
    output_schema: schemas.output_schema as JsonSchema,
  };
}
