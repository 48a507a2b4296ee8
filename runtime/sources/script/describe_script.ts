import type { Needs } from "../../../schemas/access.ts";
import { describeMismatch } from "../../../schemas/json/mismatch.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { JsonSchema, ManifestEntry } from "../../../schemas/manifest.ts";
import type { ScriptTool } from "../../../schemas/config.ts";
import { hostWordProblem } from "../../walls/net/host_word.ts";
import { adviceFor, readDescription } from "../own/read_description.ts";

/** The toolset of scripts. */
export const SCRIPT_TOOLSET = "script";
/** Longest time of a call that its script does not say, in seconds. */
const USUAL_SECONDS = 30;

const BOOLEAN: JsonSchema = { type: "boolean" };
const TEXTS: JsonSchema = { type: "array", items: { type: "string", minLength: 1 } };

/** The fields that only scripts have, and what to write there. */
const FIELDS: Readonly<Record<string, { schema: JsonSchema; remedy: string }>> = {
  path: { schema: { type: "string", minLength: 1 }, remedy: "write the path of the script" },
  interpreter: {
    schema: { ...TEXTS, minItems: 1 },
    remedy: 'write the words before the path, such as ["python3", "-I"]',
  },
  files: { schema: TEXTS, remedy: 'write a list of paths, such as ["lib"]' },
  reply: { schema: { enum: ["bare", "envelope"] }, remedy: 'write "bare" or "envelope"' },
  filesystem_read: { schema: BOOLEAN, remedy: "write true or false" },
  filesystem_write: { schema: BOOLEAN, remedy: "write true or false" },
  network: {
    schema: { anyOf: [BOOLEAN, TEXTS] },
    remedy: 'write true, false, or a list of hosts such as ["example.com"]',
  },
  commands: { schema: TEXTS, remedy: 'write a list of programs, such as ["git"]' },
};
/** The fields that all tools of one's own have. */
const SHARED = ["name", "description", "timeout_seconds", "concurrency", "parallel", "permission"];
const SCHEMAS = ["input_schema", "output_schema"] as const;
const KNOWN = [...SHARED, ...Object.keys(FIELDS), ...SCHEMAS];

/** A script that is a tool, or what is wrong with it, a sentence each. */
export type ReadScript = { tool: ManifestEntry; script: ScriptTool } | { problems: string[] };

/**
 * Reads what the user says about a script.
 *
 * @param at What messages call it while its name is not known: `script_tools[0]`
 */
export function readScript(said: unknown, at: string): ReadScript {
  if (!isObject(said)) return { problems: [`${at}: write { name, path, description, … }`] };
  const name = typeof said.name === "string" ? said.name.trim() : "";
  const who = name === "" ? `the tool at ${at}` : `tool ${JSON.stringify(name.slice(0, 80))}`;
  const fields = Object.fromEntries(SHARED.map((field) => [field, said[field]]));
  const { input_schema = { type: "object" }, output_schema = {} } = said;
  const read = readDescription({
    ...{ exported: at, functions: ["run"], input_schema: { type: "object" }, output_schema: {} },
    fields: { timeout_seconds: USUAL_SECONDS, ...definedOf(fields), needs: {} },
  }, { toolset: SCRIPT_TOOLSET });
  const problems = [
    ...("problems" in read ? read.problems : []),
    ...[...unknownProblems(said), ...fieldProblems(said), ...schemaProblems({ input_schema, output_schema })]
      .map((one) => `${who}: ${one}`),
  ];
  if (problems.length > 0 || "problems" in read) return { problems };
  const script = { ...said, name, commands: commandsOf(said.commands) } as unknown as ScriptTool;
  const { filesystem_write = false, network = false } = script;
  return {
    script,
    tool: {
      ...read.tool,
      needs: needsOf(script),
      read_only: !filesystem_write && network === false,
      open_input: true,
      input_schema: input_schema as JsonSchema,
      output_schema: output_schema as JsonSchema,
    },
  };
}

function definedOf(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function unknownProblems(said: Record<string, unknown>): string[] {
  return Object.keys(said).filter((field) => !KNOWN.includes(field)).map((field) =>
    `${field.slice(0, 80)} is not known: ${adviceFor(field, KNOWN)}`
  );
}

function fieldProblems(said: Record<string, unknown>): string[] {
  const wrong = Object.entries(FIELDS).flatMap(([field, { schema, remedy }]) => {
    const value = said[field];
    if (value === undefined && field !== "path") return [];
    if (value !== undefined && describeMismatch(schema, value).length === 0) return [];
    return [`${field} is ${shown(value)}: ${remedy}`];
  });
  const hosts = Array.isArray(said.network) ? said.network : [];
  const words = hosts.flatMap((word) => {
    const problem = typeof word === "string" ? hostWordProblem(word, { isPrivate: false }) : null;
    return problem === null ? [] : [`network: ${problem}`];
  });
  const paths = commandsOf(said.commands)?.filter((command) => command.includes("/")) ?? [];
  return [
    ...wrong,
    ...words,
    ...paths.map((path) => `commands has ${shown(path)}: write the name of a program, as on PATH`),
  ];
}

function schemaProblems(schemas: Record<(typeof SCHEMAS)[number], unknown>): string[] {
  const problems = SCHEMAS.filter((field) => !isObject(schemas[field]))
    .map((field) => `${field} is ${shown(schemas[field])}: write a JSON Schema, an object`);
  const { input_schema: input } = schemas;
  return isObject(input) && input.type !== "object"
    ? [...problems, `input_schema.type is ${shown(input.type)}: write "object", the arguments have names`]
    : problems;
}

function commandsOf(commands: unknown): string[] | undefined {
  if (!Array.isArray(commands)) return undefined;
  return commands.filter((command) => typeof command === "string").map((command) => command.trim());
}

/** The workspace is all that a script may touch of the disk besides its own files. */
function needsOf({ filesystem_read, filesystem_write, network = false }: ScriptTool): Needs {
  return {
    ...((filesystem_read || filesystem_write) && { read: "workspace" as const }),
    ...(filesystem_write && { write: "workspace" as const }),
    ...(network !== false && { net: network === true ? "granted" as const : network }),
    run: "granted",
  };
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : (JSON.stringify(value) ?? String(value)).slice(0, 120);
}
