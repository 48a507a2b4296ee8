import type { Executor, ThinkingKind, ThinkingPrompts } from "./thinking.ts";

/** An agent as data: what a run takes where its user says nothing else. */
export interface AgentDefinition {
  /** What it is for, in a line. */
  description?: string;
  /** How it works from step to step. @default "tools" */
  kind?: ThinkingKind;
  /** Of the kind `tools`: each reply must call a tool, as far as one of them ends the run. @default false */
  must_call?: boolean;
  /** The complete set of its tools: names, bare or full, as `NAME=ALIAS` under another one. @default the default toolset */
  tools?: readonly string[];
  /** Texts that take the place of the usual ones. */
  prompts?: ThinkingPrompts;
  /** Of the kind `plan`: who does its steps, by name. @default one, with all tools */
  executors?: Readonly<Record<string, AgentExecutor>>;
  /** The model, by its name or with all that is needed to ask it. @default the run's */
  model?: string | AgentModelConfig;
  /** Bounds as in `agent` of the configuration: `max_rounds`, `max_iterations`, ... @default the run's */
  limits?: Readonly<Record<string, number>>;
  /** Settings of its tools for the web. */
  search?: AgentSearch;
  /** Names of the MCP servers of the configuration that it uses; `*` stands for all. @default none beside its `tools`, else all */
  mcp?: readonly string[];
  /** What it may touch. What the user did not write can only narrow. @default what the run grants */
  grants?: AgentGrantConfig;
}

/** Who does steps of a plan, in its own words or as another agent would. */
export interface AgentExecutor extends Omit<Executor, "description"> {
  /** What it is good at: the model that plans reads it. @default what its agent is for */
  description?: string;
  /** An agent whose tools, system prompt and bound of steps it takes where it says nothing itself. @default none */
  agent?: string;
}

/** A model of an agent. */
export interface AgentModelConfig {
  /** Name that its server or its provider knows it by. @default the run's */
  name?: string;
  /** Where its API is. @default the run's */
  base_url?: string;
  /** Variable of the environment that holds its key. @default the one of its provider */
  api_key_env?: string;
  /** From 0 to 2. @default the server's own */
  temperature?: number;
  /** Longest reply, in tokens. @default as long as the server gives */
  max_tokens?: number;
  /** Longest silence within a reply, in seconds. @default 600 */
  idle_seconds?: number;
  /** The API that it is asked by. @default what its provider is known for */
  wire?: "chat" | "responses";
  /** Extra fields of every request. */
  extra_body?: Readonly<Record<string, unknown>>;
}

/** Settings of tools for the web. */
export interface AgentSearch {
  /** The search engine. @default what is configured */
  engine?: string;
  /** Most results of a search. */
  max_results?: number;
  /** Most searches of a session. */
  max_searches?: number;
  /** Most characters of a page at once. */
  content_limit?: number;
}

/** Everything of a kind, or a list, by the kinds of access. */
export type AgentScopes = Partial<Record<"read" | "write" | "net" | "run", true | readonly string[]>>;

/** What an agent may touch. */
export interface AgentGrantConfig {
  /** Name of its policy. @default the run's */
  policy?: string;
  /** Adds to the policy; only in the user's own configuration. */
  allow?: AgentScopes;
  /** Wins over everything that is allowed. */
  deny?: AgentScopes;
}

/** An agent as a file of another system describes it. */
export type FileAgentText = Readonly<Record<"base_class", string> & Record<"tools", readonly string[]>>;

/** A class of agents of another system, as far as it is data. */
export interface AgentClass {
  /** How its agents work. */
  kind: ThinkingKind;
  /** Each reply of the model must call a tool. @default false */
  must_call?: true;
  /** Tools that its agents have before those that they name. */
  tools: readonly string[];
}
