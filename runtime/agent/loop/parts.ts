import type { AgentLimits } from "../../../schemas/agent/agent.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import type {
  FunctionTool,
  Model,
  ModelProfile,
  ModelReply,
  ModelRequest,
} from "../../../schemas/agent/model.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import type { CallLine } from "../../calls/call_line.ts";
import type { CallResult, TraceLine } from "../../../schemas/agent/trace.ts";

/** A tool of the run, as the loop sees it. */
export interface AgentTool extends FunctionTool {
  full_name: string;
  /** May run beside its neighbours. */
  parallel: boolean;
  read_only: boolean;
  /** A call of it ends the run after its turn: `success` or `failure` is its `status` argument. */
  ends_run: boolean;
}

/** One call, checked as far as the loop can. */
export interface AgentCall {
  /** Unique in the run. */
  id: string;
  tool: AgentTool;
  arguments: unknown;
  /** One sentence for each repair of the call; they go with its result. @default none */
  warnings?: readonly string[];
}

/** What a call gave. */
export interface AgentCallResult extends CallResult {
  /** The whole result, for the run's watchers; not traced. @default made from the rest */
  full?: ToolResult;
}

/** Options of {@linkcode CallTool}. */
export interface AgentCallOptions {
  signal: AbortSignal;
  /** Called when the turn of the call has come; not if it is cancelled before, or if it is not run. */
  onStart?: () => void;
}

/** Runs one call behind its walls. Never rejects. Emits `tool.progress` and `permission`, not start and end. */
export type CallTool = (call: AgentCall, options: AgentCallOptions) => Promise<AgentCallResult>;

/** Decides which tools a request has. */
export interface ToolShelf {
  /** The same list as long as there are no more. */
  readonly all: readonly AgentTool[];
  /** The tools of the next request; the same list as long as it does not change. */
  readonly open: readonly AgentTool[];
  /** Takes note of a call that begins, by the tool's full name. */
  note(fullName: string, input: unknown): void;
  /** Takes in, before a request, what sources have added since. @default there are never more */
  grow?(signal: AbortSignal): Promise<void>;
}

/** Answers an MCP server by a model, in the name of a run: it counts in the run's budget. */
export type AnswerServer = (
  request: ModelRequest,
  options: { model: Model; signal: AbortSignal },
) => Promise<ModelReply>;

/** The model of a run. */
export interface RunModel extends Model {
  /** Takes what answers MCP servers until the run has ended. @default they cannot ask it */
  lend?(answer: AnswerServer): Disposable;
}

/** What a run of the agent is made of: every effect is passed in. */
export interface AgentParts {
  model: RunModel;
  profile: ModelProfile;
  /** All of them go with every request, unless a shelf keeps most of them back until the model finds them. */
  tools: readonly AgentTool[] | ToolShelf;
  callTool: CallTool;
  /** Where all calls of the host wait for their turn. */
  line: Pick<CallLine, "enter" | "maxParallel">;
  limits: AgentLimits;
  /** Adds a line to the session's trace, before the run continues. */
  trace(line: TraceLine): void;
  emit(event: RunEvent): void;
  /** Reads a picture for a request, as base64. Rejects with a `ToolError` if it is gone. */
  readPicture(path: string): Promise<string>;
  /** What the last answer must be: JSON of this schema; `check` returns what is wrong with a value. */
  output?: { schema: JsonSchema; check(value: unknown): string[] | Promise<string[]> };
  /** Aborts when the run is to end; the reason is a `ToolError`. */
  signal: AbortSignal;
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /** Waits; rejects with the signal's reason if it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}
