import type { AccessKind } from "../access.ts";
import type { CommandRule } from "../command.ts";
import type { ProgramLimits } from "../config.ts";
import type { AgentLimits } from "./agent.ts";
import type { ThinkingSettings } from "../step/thinking.ts";
import type { PolicyName } from "../grants.ts";

/** What a session was allowed and made of: a run that goes on with it keeps all of this. */
export interface SessionSettings {
  /** Words of the command line for what was allowed and denied, the sandbox, the role, files of tools. Paths are absolute. */
  flags: readonly string[];
  policy: SessionPolicy;
  /** Absolute path of the configuration that was named, `false` for no configuration, `null` for the usual one. */
  config: string | false | null;
  tools: SessionTools;
  /** Most tools that go with every request, if the user said so; the model searches more of them. */
  max_tools?: number;
  /** How the agent works from step to step, if the user said so, with the limits that take tools away. */
  thinking?: SessionThinking;
  /** `null` if a program gave a model of its own, and if the agent has one. */
  model: SessionModel | null;
  /** Who did it; absent in traces of earlier versions. */
  agent?: SessionAgent;
}

/** The agent of a session. */
export interface SessionAgent {
  name: string;
  /** Absolute path of the file of agents that describes it, `null` for agents of the configuration and built-in ones. */
  file: string | null;
}

/** A way of thinking as it was when the session was last at work. */
export interface SessionThinking extends ThinkingSettings {
  /** Absent ones are those that hold for all. */
  limits: Partial<Pick<AgentLimits, "iterations" | "clarifications" | "searches">>;
}

/** A policy as it was when the session was last at work. */
export interface SessionPolicy {
  name: string;
  base: PolicyName;
  allow: readonly CommandRule[];
  deny: readonly CommandRule[];
  /** Kinds that it takes away. @default none */
  without?: readonly AccessKind[];
  /** Programs have the network of the machine. @default false */
  share_net?: boolean;
  /** Its bounds of programs. @default none */
  programs?: Partial<ProgramLimits>;
  /** A function of the embedding program judged commands; it cannot be kept. @default false */
  filter?: boolean;
  /** The user named it; otherwise the configuration did, which may choose a stricter one since. */
  named: boolean;
}

/** Which tools were offered; `null` for none. */
export type SessionTools =
  | null
  | { toolsets: readonly string[]; tools: readonly string[]; extra_tools: readonly string[] };

/** The model as it was named. */
export interface SessionModel {
  name: string;
  /** `null` if none was named. */
  base_url: string | null;
}
