import type { Part } from "./chat.ts";
import type { ErrorCode, ErrorInfo } from "../error.ts";
import type { Usage } from "./model.ts";

/** Bounds of one run of the agent. */
export interface AgentLimits {
  /** Replies of the model to turns of the task. */
  rounds: number;
  /** Tool calls. */
  calls: number;
  /** Wall time in seconds. */
  seconds: number;
  /** Tokens of all requests together; `null` for no bound. */
  tokens: number | null;
  /** Dollars; needs the model's prices. `null` for no bound. */
  cost: number | null;
  /** The same call so often in a row ends the run. */
  repeats: number;
  /** So many useless replies in a row end the run: empty ones, cut-off ones, those whose calls were all broken. */
  faults: number;
  /** Tries of one request that fails in a way that can pass. */
  tries: number;
}

/** The bounds where the user sets none. */
export const AGENT_LIMITS: AgentLimits = {
  rounds: 200,
  calls: 2_000,
  seconds: 10_800,
  tokens: null,
  cost: null,
  repeats: 3,
  faults: 5,
  tries: 6,
};

/** Why a run of the agent ended, and the error code that stands for it; `null` is success. */
export const AGENT_TERMINATIONS = {
  completed: null,
  /** The model said itself that it failed (`terminate`). */
  task_failed: "unavailable",
  interrupted: "cancelled",
  max_rounds: "limit_exceeded",
  max_calls: "limit_exceeded",
  max_time: "timeout",
  max_tokens: "limit_exceeded",
  max_cost: "limit_exceeded",
  repeated_call: "limit_exceeded",
  too_many_faults: "external_failure",
  context_overflow: "limit_exceeded",
  unauthenticated: "unauthenticated",
  model_unreachable: "external_failure",
  rate_limited: "rate_limited",
  output_invalid: "output_invalid",
  /** `--strict`: a tool's result is not the recorded one, or the replay ran out. */
  replay_differs: "conflict",
  internal: "internal",
} as const satisfies Record<string, ErrorCode | null>;

/** Why a run of the agent ended. */
export type AgentTermination = keyof typeof AGENT_TERMINATIONS;

/** What a run took. */
export interface AgentUsage extends Usage {
  rounds: number;
  calls: number;
  failed: number;
  /** Dollars; `null` without prices. */
  cost: number | null;
  /** Some of the tokens are estimated, because the provider did not count. */
  estimated: boolean;
}

/** What a run has taken before its first round. */
export const NO_USAGE: Readonly<AgentUsage> = {
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  rounds: 0,
  calls: 0,
  failed: 0,
  cost: null,
  estimated: false,
};

/** How a run of the agent ended. */
export interface AgentOutcome {
  /** The model's last word; `null` if there is none. */
  answer: string | null;
  /** The answer as JSON, where a schema was asked for. */
  output?: unknown;
  termination_reason: AgentTermination;
  error: ErrorInfo | null;
  usage: AgentUsage;
}

/** What a person asks an agent to do. */
export type Task = readonly Part[];
