import type { CommandRule } from "./command.ts";
import type { PolicyName } from "./grants.ts";
import type { JsonSchema } from "./manifest.ts";
import type { Permission } from "./permission.ts";

/** What the user says about one tool. */
export interface ToolConfig {
  permission?: Permission;
  /** Longest time of one call, in seconds. */
  timeout_seconds?: number;
}

/** A policy of the user's own: a built-in one, narrowed by rules about commands. */
export interface PolicyConfig {
  base: PolicyName;
  /** A text is a program and the words that follow it: `"git log"`. */
  allow?: readonly (string | CommandRule)[];
  deny?: readonly (string | CommandRule)[];
}

/** Bounds of every program that is started. */
export interface ProgramLimits {
  /** Most processes at once. */
  processes: number;
  /** Data memory of each process. */
  memory_mb: number;
  /** Size of each file that is written. */
  file_mb: number;
  /** Size of the private /tmp, home included. */
  tmp_mb: number;
  /** A program is ended when less than this is free where it may write. */
  free_disk_mb: number;
  /** Processor time of each process. */
  cpu_seconds: number;
}

/** The bounds where the user sets none. */
export const PROGRAM_LIMITS: ProgramLimits = {
  processes: 512,
  memory_mb: 4096,
  file_mb: 2048,
  tmp_mb: 512,
  free_disk_mb: 1024,
  cpu_seconds: 3600,
};

/** A configuration file. */
export interface Config {
  /** Policy of runs that name none. */
  policy?: string;
  policies?: Readonly<Record<string, PolicyConfig>>;
  /** By full name, or with `*` for any part of it: `par/*`. */
  tools?: Readonly<Record<string, ToolConfig>>;
  /** Programs, each as its words, that get every call before and after it; the user's file only. */
  hooks?: { before?: readonly (readonly string[])[]; after?: readonly (readonly string[])[] };
  programs?: Partial<ProgramLimits>;
  /** File that every run's audit is added to; the user's file only. */
  audit?: string;
}

const VERDICT: JsonSchema = { enum: ["allow", "confirm", "deny"] };
const TEXTS: JsonSchema = { type: "array", items: { type: "string" } };
const TEXT_OR_TEXTS: JsonSchema = { anyOf: [{ type: "string" }, TEXTS] };
const POSITIVE: JsonSchema = { type: "number", exclusiveMinimum: 0 };

/** Returns the schema of an object with exactly these fields. */
function object(properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}

/** Returns the schema of an object whose fields are all alike. */
function map(values: JsonSchema): JsonSchema {
  return { type: "object", additionalProperties: values };
}

const PERMISSION: JsonSchema = {
  anyOf: [
    VERDICT,
    object({ roles: TEXTS, otherwise: VERDICT }, ["roles"]),
    object({ when: map(TEXT_OR_TEXTS), then: VERDICT, otherwise: VERDICT }, ["when"]),
  ],
};

const RULES: JsonSchema = {
  type: "array",
  items: {
    anyOf: [
      { type: "string" },
      object({ program: { type: "string" }, words: TEXTS, options: TEXTS }, ["program"]),
    ],
  },
};

/** What a configuration file must look like. */
export const CONFIG_SCHEMA: JsonSchema = object({
  $schema: { type: "string" },
  policy: { type: "string" },
  policies: map(object({
    base: { enum: ["coder", "read-only", "read-only-no-net"] },
    allow: RULES,
    deny: RULES,
  }, ["base"])),
  tools: map(object({ permission: PERMISSION, timeout_seconds: POSITIVE })),
  hooks: object({ before: { type: "array", items: TEXTS }, after: { type: "array", items: TEXTS } }),
  programs: object({
    processes: POSITIVE,
    memory_mb: POSITIVE,
    file_mb: POSITIVE,
    tmp_mb: POSITIVE,
    free_disk_mb: POSITIVE,
    cpu_seconds: POSITIVE,
  }),
  audit: { type: "string" },
});
