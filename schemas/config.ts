import type { CommandRule } from "./command.ts";
import type { PolicyName } from "./grants.ts";
import type { Permission } from "./permission.ts";

/** What the user says about one tool. */
export interface ToolConfig {
  permission?: Permission;
  /** Longest time of one call, in seconds. */
  timeout_seconds?: number;
}

/** The user's own policy: a built-in policy, narrowed by rules about commands. */
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
  /** A program is stopped when less than this is free where it may write. */
  free_disk_mb: number;
  /** Processor time of each process. */
  cpu_seconds: number;
}

/** Whether programs in a sandbox see the known toolchains of the home. */
export type ToolchainMode = "on" | "off";

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
  /** Extra fields of every request to the model. */
  extra_body?: Readonly<Record<string, unknown>>;
}

/** Settings for runs of the agent, unless the command line says otherwise. */
export interface AgentConfig {
  /** Only in the user's file. */
  model?: string;
  max_rounds?: number;
  max_calls?: number;
  max_seconds?: number;
  max_tokens?: number;
  /** In dollars. */
  max_cost?: number;
}

/** A bound of {@linkcode AgentConfig}. */
export type AgentBound = Exclude<keyof AgentConfig, "model">;

/** The bounds of the configuration, as a run knows them. */
export const AGENT_BOUNDS: Readonly<Record<AgentBound, "rounds" | "calls" | "seconds" | "tokens" | "cost">> =
  {
    max_rounds: "rounds",
    max_calls: "calls",
    max_seconds: "seconds",
    max_tokens: "tokens",
    max_cost: "cost",
  };

/** A configuration file. */
export interface Config {
  /** Policy of runs that do not name a policy. */
  policy?: string;
  policies?: Readonly<Record<string, PolicyConfig>>;
  /** By full name, or with `*` for any part of it: `par/*`. */
  tools?: Readonly<Record<string, ToolConfig>>;
  /** Programs, each as a list of words, that get every call before and after it; only in the user's file. */
  hooks?: { before?: readonly (readonly string[])[]; after?: readonly (readonly string[])[] };
  programs?: Partial<ProgramLimits>;
  /** Whether programs in a sandbox see the known toolchains of the home; a project's file may only say off. */
  toolchains?: ToolchainMode;
  agent?: AgentConfig;
  /** By name; only in the user's file. */
  models?: Readonly<Record<string, ModelConfig>>;
  /** File to which every run adds its audit; only in the user's file. */
  audit?: string;
}
