import type { AccessKind } from "./access.ts";
import type { CommandFilter, CommandRule } from "./command.ts";
import type { PolicyName } from "./grants.ts";
import type { JsonSchema, ResponseType } from "./manifest.ts";
import type { Permission } from "./permission.ts";
import type { AgentDefinition } from "./step/agent_definition.ts";

/** Most that anybody may allow one call, in seconds: a day. */
export const MAX_CALL_SECONDS = 86_400;

/** Limits of calls of one tool. Absent ones are the tool's own. */
export interface ToolLimits {
  /** Longest time of one call, in seconds, at most {@linkcode MAX_CALL_SECONDS}. */
  timeout_seconds?: number;
  /** Most calls of it at once. */
  concurrency?: number;
}

/** What the user says about one tool. */
export interface ToolConfig extends ToolLimits {
  /** Who may call it. */
  permission?: Permission;
  /** The type of its result, for a tool that leaves it to the user; only in the user's file. @default the tool's own */
  response_type?: ResponseType;
}

/** The user's own policy: a built-in policy with rules about commands, and with bounds of its own. */
export interface PolicyConfig {
  /** The built-in policy that it is based on. */
  base: PolicyName;
  /** A text is a program and the words that follow it: `"git log"`. */
  allow?: readonly (string | CommandRule)[];
  /** Commands that it forbids; wins over `allow`. */
  deny?: readonly (string | CommandRule)[];
  /** `false` takes writing away, `true` changes nothing. @default what the base grants */
  write?: boolean;
  /** `false` takes the network away; `true` gives programs the network of this machine. @default what the base grants */
  net?: boolean;
  /** Bounds of programs under this policy, in the place of the file's. */
  programs?: Partial<ProgramLimits>;
}

/** A policy that an embedding program makes. */
export interface OwnPolicy extends PolicyConfig {
  /** For messages and the audit. @default "custom" */
  name?: string;
  /** Judges each command after the rules. Only a hook can change a command: see `Hooks`. @default no filter */
  filter?: CommandFilter;
}

/** What the user allows and denies in every run. It adds to the policy, like the flags. */
export interface PermissionConfig {
  /** A relative path starts at the workspace, one with `~/` at the user's home. */
  allow?: Partial<Record<AccessKind, true | readonly string[]>>;
  /** Wins over everything that is allowed. */
  deny?: Partial<Record<AccessKind, true | readonly string[]>>;
  /** Secrets that tools may touch where that is allowed. */
  secrets?: readonly string[];
  /** Private and loopback hosts that tools and programs may reach; `true` for all. */
  private_net?: true | readonly string[];
  /** Variables that programs see, beside the usual ones. */
  env?: readonly string[];
}

/** How tools and programs are enclosed, unless a flag says otherwise. */
export interface SandboxConfig {
  /** Whether tools and programs run in the sandbox. @default "auto" */
  mode?: "auto" | "require" | "namespaces" | "landlock" | "off";
  /** Folders that programs may also read. */
  show?: readonly string[];
  /** Programs have the network of this machine. */
  share_net?: boolean;
  /** Whether programs see the known toolchains of the home. */
  toolchains?: ToolchainMode;
  /**
   * The words of a command that gives the text after them to a shell elsewhere: `["ssh", "-T", "me@host"]`. The private sandbox
   * is there then; only in the user's file. @default it is on this machine
   */
  remote?: readonly string[];
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
  /** A program is stopped when less than this is free where it may write. */
  free_disk_mb: number;
  /** Processor time of each process. */
  cpu_seconds: number;
}

/** Whether programs in a sandbox see the known toolchains of the home. */
export type ToolchainMode = "on" | "off";

/** All of them, the wider one first. */
export const TOOLCHAIN_MODES: readonly ToolchainMode[] = ["on", "off"];

/** The bounds that hold unless the user sets others. */
export const PROGRAM_LIMITS: ProgramLimits = {
  processes: 512,
  memory_mb: 4096,
  file_mb: 2048,
  tmp_mb: 512,
  free_disk_mb: 1024,
  cpu_seconds: 3600,
};

/** What the user says about one model. Absent fields have the values of an unknown model. */
export interface ModelConfig {
  /** Longest conversation, reply included. */
  context_tokens?: number;
  /** Longest reply that is asked for. @default as long as the server gives */
  output_tokens?: number;
  /** The model reads pictures. */
  images?: boolean;
  /** Dollars for a million tokens. */
  prices?: { input: number; cached_input?: number; output: number };
  /** Where its API is. */
  base_url?: string;
  /** Variable of the environment that holds its key. */
  api_key_env?: string;
  /** Headers of every request to the model; their values are masked like keys. */
  headers?: Readonly<Record<string, string>>;
  /** Longest silence within a reply. @default 600 */
  idle_seconds?: number;
  /** The API that it is asked by: chat completions, or OpenAI's Responses. @default chat, unless its server refuses it */
  wire?: "chat" | "responses";
  /** Extra fields of every request to the model. */
  extra_body?: Readonly<Record<string, unknown>>;
}

/** Settings for runs of the agent, unless the command line says otherwise. */
export interface AgentConfig {
  /** Only in the user's file. */
  model?: string;
  /** Most replies of the model. */
  max_rounds?: number;
  /** Most calls of tools. */
  max_calls?: number;
  /** Longest time of a run. */
  max_seconds?: number;
  /** Most tokens of a run, prompts and replies together. */
  max_tokens?: number;
  /** In dollars. */
  max_cost?: number;
  /** Of more tools, a request has those that the model found. */
  max_tools?: number;
  /** The step from which on only tools that report and finish are offered. */
  max_iterations?: number;
  /** Answers to questions, after which the tools that ask are taken away. */
  max_clarifications?: number;
  /** Searches, after which the tools that search are taken away. */
  max_searches?: number;
}

/** A bound of {@linkcode AgentConfig}. */
export type AgentBound = Exclude<keyof AgentConfig, "model">;

/** The bounds of the configuration, as a run knows them. */
export const AGENT_BOUNDS: Readonly<
  Record<
    AgentBound,
    | ("rounds" | "calls" | "seconds" | "tokens" | "cost" | "tools")
    | ("iterations" | "clarifications" | "searches")
  >
> = {
  max_rounds: "rounds",
  max_calls: "calls",
  max_seconds: "seconds",
  max_tokens: "tokens",
  max_cost: "cost",
  max_tools: "tools",
  max_iterations: "iterations",
  max_clarifications: "clarifications",
  max_searches: "searches",
};

/**
 * A program of any language that is a tool: it reads its arguments from stdin and writes its result to stdout, both as
 * JSON. It starts with each call and can do only what is said here, as far as the user grants it.
 */
export interface ScriptTool {
  /** 1 to 64 letters, digits, `_` and `-`, with a letter first. */
  name: string;
  /** The file that is started. A relative path starts at the workspace; in the configuration it is absolute, or begins with `~/`. */
  path: string;
  /** What a model reads; under 1,024 characters. */
  description: string;
  /**
   * The words that start it, before its path: `["python3", "-I"]`. @default by its ending: `.py`, `.sh`, `.bash`, `.js`,
   * `.mjs`, `.cjs`, `.ts`, `.rb`, `.pl`, `.php`, `.lua`, `.R`; any other file is executed itself
   */
  interpreter?: readonly string[];
  /** Other files and folders that it may read, its modules for example; relative ones start at its own folder. @default none */
  files?: readonly string[];
  /** The arguments, an object; drafts 4 to 2020-12. @default any object */
  input_schema?: JsonSchema;
  /** The result; drafts 4 to 2020-12. @default anything */
  output_schema?: JsonSchema;
  /**
   * What it writes: `bare` for the result itself, `envelope` for `{ ok, result, artifacts, warnings, error }`.
   * @default what it looks like
   */
  reply?: "bare" | "envelope";
  /** It may read the workspace. @default false */
  filesystem_read?: boolean;
  /** It may write the workspace, and read it too. @default false */
  filesystem_write?: boolean;
  /** The hosts that it may reach; `true` for all that the user grants. @default false */
  network?: boolean | readonly string[];
  /** The programs that it may start, besides its interpreter. @default those of the system, within its own walls */
  commands?: readonly string[];
  /** Longest time of one call, in seconds. @default 30 */
  timeout_seconds?: number;
  /** Most calls of it at once. @default no bound */
  concurrency?: number;
  /** A call may run beside its neighbours. @default false */
  parallel?: boolean;
  /** Who may call it, unless the user says otherwise. @default "allow" */
  permission?: Permission;
}

/** A configuration file. */
export interface Config {
  /** Policy of runs that do not name a policy. */
  policy?: string;
  /** Policies of the user's own, by name. */
  policies?: Readonly<Record<string, PolicyConfig>>;
  /**
   * Files that define tools of the user's own, or folders with such files: absolute, or with `~/`. Those of a project start
   * there, and count once the user trusts them.
   */
  tool_files?: readonly string[];
  /** MCP servers by name, in the form of `.mcp.json`; only in the user's file. */
  mcpServers?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Most characters of a text that an MCP server gives; only in the user's file. @default the bound of all results */
  mcp_context_limit?: number;
  /** Scripts that are tools, with absolute paths, or such with `~/`; only in the user's file. */
  script_tools?: readonly ScriptTool[];
  /** By full name, or with `*` for any part of it: `par/*`. */
  tools?: Readonly<Record<string, ToolConfig>>;
  /** Programs, each as a list of words, that get every call before and after it; only in the user's file. */
  hooks?: { before?: readonly (readonly string[])[]; after?: readonly (readonly string[])[] };
  /** Bounds of every program that is started. */
  programs?: Partial<ProgramLimits>;
  /** A project's file can only deny. */
  permissions?: PermissionConfig;
  /** A project's file can only make it stricter. */
  sandbox?: SandboxConfig;
  /** Settings for runs of the agent. */
  agent?: AgentConfig;
  /** Agents by name; those of a project grant nothing. */
  agents?: Readonly<Record<string, AgentDefinition>>;
  /** By name; only in the user's file. */
  models?: Readonly<Record<string, ModelConfig>>;
  /** File to which every run adds its audit; only in the user's file. */
  audit?: string;
}
