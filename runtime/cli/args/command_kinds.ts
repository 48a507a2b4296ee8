import type { OptionName } from "./options/option_table.ts";

/** What a word after the command means. */
export type Positional =
  | "prompt"
  | "tool"
  | "argument"
  | "file"
  | "shell"
  | "subject"
  | "session"
  | "provider"
  | "agent"
  | "command"
  | "configAction"
  | "mcpAction"
  | "client"
  | "folder"
  | "queueAction"
  | "url";

/** What a first word makes of a command. */
export interface Action {
  summary: string;
  /** The words after it, as usage shows them: `FILE`. */
  operands: string;
  /** How many words must and may follow it. */
  words: readonly [min: number, max: number];
}

/** A command, as data: the parser, help and completions read it. */
export interface Command {
  summary: string;
  /** Forms after `bulkhead `. */
  usage: readonly string[];
  /** More to know, one paragraph each. */
  notes?: readonly string[];
  options: readonly OptionName[];
  /** What the words after the command mean, in order; the last one goes on. */
  positionals: readonly Positional[];
  /** How many words must and may follow. */
  words: readonly [min: number, max: number];
  /** The first word after the command begins words that are all another program's. @default false */
  endsOptions?: boolean;
  /** A `--` among its words stays: what follows may be another program's. @default false */
  keepsMark?: boolean;
  /** First words that make a command of their own. */
  actions?: Readonly<Record<string, Action>>;
  /** What follows `bulkhead`, with what it does. Examples that name tools come with the manifest. */
  examples: readonly (readonly [line: string, meaning: string])[];
}

/** Options that every command takes. */
export const COMMON_OPTIONS: readonly OptionName[] = ["quiet", "noColor", "help", "version"];

/** Options about what may be touched. */
export const GRANTS: readonly OptionName[] = [
  "policy",
  "allowRead",
  "allowWrite",
  "allowNet",
  "allowRun",
  "denyRead",
  "denyWrite",
  "denyNet",
  "denyRun",
  "allowAll",
  "allowPrivateNet",
  "allowSecrets",
  "allowEnv",
  "sandbox",
  "shareNet",
  "display",
  "browserUrl",
  "sandboxShow",
  "toolchains",
  "role",
  "config",
  "envFile",
  "workspace",
];

/** Where tools come from, and which of them are offered. */
export const OFFERED_TOOLS: readonly OptionName[] = ["tools", "mcp", "toolset", "tool", "extraTool"];

/** Bounds of calls. */
export const CALL_LIMITS: readonly OptionName[] = [
  "timeout",
  "toolTimeout",
  "toolConcurrency",
  "maxParallel",
];
