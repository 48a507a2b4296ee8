import type { Part } from "./chat.ts";
import type { ErrorCode, ErrorInfo } from "../error.ts";
import type { Usage } from "./model.ts";
import type { AgentState } from "../step/thinking.ts";

/** Bounds of one run of the agent. */
export interface AgentLimits {
  /** Replies of the model to turns of the task, and to MCP servers. */
  rounds: number;
  /** Tool calls. */
  calls: number;
  /** Wall time in seconds. */
  seconds: number;
  /** Tokens of all requests together; `null` for no bound. */
  tokens: number | null;
  /** Dollars; needs the model's prices, or a provider that says what a reply cost. `null` for no bound. */
  cost: number | null;
  /** The run ends after the same call this many times in a row. */
  repeats: number;
  /** The run ends after this many useless replies in a row: empty, cut off, or with only broken calls. */
  faults: number;
  /** Tools that a request has at most: of more, it has those that the model finds by a search. */
  tools: number;
  /** Most tries of one request that fails for a temporary reason. */
  tries: number;
  /** In this step of a task, and in those after it, only tools that report and finish are offered; `null` for never. */
  iterations: number | null;
  /** Answers of the person to questions, after which the tools that ask are taken away; `null` for no bound. */
  clarifications: number | null;
  /** Successful searches of a task, after which the tools that search are taken away; `null` for no bound. */
  searches: number | null;
}

/** The bounds that hold unless the user sets others. */
export const AGENT_LIMITS: AgentLimits = {
  rounds: 200,
  calls: 2_000,
  seconds: 10_800,
  tokens: null,
  cost: null,
  repeats: 3,
  faults: 5,
  tools: 64,
  tries: 6,
  iterations: null,
  clarifications: null,
  searches: null,
};

/** Why a run of the agent ended, and the error code that stands for it; `null` is success. */
export const AGENT_TERMINATIONS = {
  completed: null,
  /** The model reported that it failed (`terminate`). */
  task_failed: "unavailable",
  interrupted: "cancelled",
  /** The model asked the person, and nobody is there: the session goes on with the answer. */
  waiting_for_clarification: null,
  /** The steps are used up, and the model gave no answer when only an answer was left. */
  max_iterations: "limit_exceeded",
  max_rounds: "limit_exceeded",
  max_calls: "limit_exceeded",
  max_time: "timeout",
  max_tokens: "limit_exceeded",
  max_cost: "limit_exceeded",
  repeated_call: "limit_exceeded",
  too_many_faults: "external_failure",
  /** The model's replies were cut off at their longest length; the answer is what came of the last one. */
  cut_off: "limit_exceeded",
  context_overflow: "limit_exceeded",
  unauthenticated: "unauthenticated",
  model_unreachable: "external_failure",
  /** The model's server knows no model of this name. */
  model_unknown: "configuration",
  rate_limited: "rate_limited",
  output_invalid: "output_invalid",
  /** `--strict`: the request or a tool's result differs from the recorded one, or the recording ended. */
  replay_differs: "conflict",
  internal: "internal",
} as const satisfies Record<string, ErrorCode | null>;

/** Why a run of the agent ended. */
export type AgentTermination = keyof typeof AGENT_TERMINATIONS;

/** Returns the state in which an agent is after its end. */
export function stateOf(termination: AgentTermination): AgentState {
  if (termination === "completed" || termination === "waiting_for_clarification") return termination;
  if (termination === "interrupted") return "cancelled";
  const code = AGENT_TERMINATIONS[termination];
  const isFailed = termination === "task_failed" || code === "limit_exceeded" || code === "timeout";
  return isFailed ? "failed" : "error";
}

/** Says whether the last that a model said is the answer, or a part of it, after such an end. */
export function isAnswered(termination: string): boolean {
  return ["completed", "task_failed", "cut_off", "waiting_for_clarification"].includes(termination);
}

/** What a run used. */
export interface AgentUsage extends Omit<Usage, "cost"> {
  /** Replies of the model to turns of the task, and to MCP servers. */
  rounds: number;
  /** Tool calls. */
  calls: number;
  /** Calls that failed. */
  failed: number;
  /** Dollars, as the provider says or else by the prices; `null` if neither is known. */
  cost: number | null;
  /** Some of the tokens are estimated, because the provider did not count. */
  estimated: boolean;
}

/** What a run has used before its first round. */
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
  /** The model's final answer; `null` if it gave no answer. */
  answer: string | null;
  /** The answer as JSON, if the user asked for a schema. */
  output?: unknown;
  /** Why the run ended. */
  termination_reason: AgentTermination;
  /** In which state that leaves the agent; absent in traces of earlier versions. */
  state?: AgentState;
  /** What the person is asked, if the run waits for an answer. */
  questions?: readonly string[];
  /** The error behind the end; `null` if it was none. */
  error: ErrorInfo | null;
  /** What the run used. */
  usage: AgentUsage;
}

/** What a person asks an agent to do. */
export type Task = readonly Part[];
