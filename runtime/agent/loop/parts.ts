import type { AgentLimits, AgentTermination, AgentUsage } from "../../../schemas/agent/agent.ts";
import type { ErrorInfo } from "../../../schemas/error.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import type {
  FunctionTool,
  Model,
  ModelProfile,
  ModelReply,
  ModelRequest,
  ReplyForm,
} from "../../../schemas/agent/model.ts";
import type { Message } from "../../../schemas/agent/chat.ts";
import type { PlanBook } from "../../../schemas/step/plan.ts";
import type { EndingCall, StepPart } from "../../../schemas/step/step.ts";
import type { ThinkingKind } from "../../../schemas/step/thinking.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import type { CallLine } from "../../calls/call_line.ts";
import type { CallResult, TraceLine } from "../../../schemas/agent/trace.ts";

/** A tool of the run, as the loop sees it. */
export interface AgentTool extends FunctionTool {
  full_name: string;
  /** What its server calls it. @default no server has it */
  own_name?: string;
  /** May run beside its neighbours. */
  parallel: boolean;
  read_only: boolean;
  /** A call that broke off may be made again. @default that of `read_only` */
  idempotent?: boolean;
  /** What part of a step it is. @default none */
  step_part?: StepPart;
  /** How a successful call of it ends the run, after its turn; `null` if it does not. */
  ends_run: EndingCall | null;
  /** Key of the session's state under which its set keeps plans. @default it keeps none */
  keeps_plans?: string;
  /** Arguments that are too long are cut. @default false */
  cuts_long?: boolean;
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

/** Answers an MCP server or a tool by a model, in the name of a run: it counts in the run's budget. */
export type AnswerAside = (
  request: ModelRequest,
  options: { model: Model; signal: AbortSignal },
) => Promise<ModelReply>;

/** The model of a run. */
export interface RunModel extends Model {
  /** Takes what answers MCP servers and tools until the run has ended. @default they cannot ask it */
  lend?(answer: AnswerAside): Disposable;
}

/** How a run ends. */
export interface RunEnd {
  termination: AgentTermination;
  /** Why, in one sentence; `null` for success. */
  message: string | null;
  /** @default the last that the model said */
  answer?: string;
  output?: unknown;
  /** What the person is asked, if the run waits for an answer. */
  questions?: readonly string[];
  /** The error behind it, if it was one. */
  cause?: ErrorInfo;
}

/** What a step asks of the model. */
export interface StepAsk {
  /** The tools of the step; the same list as long as it does not change. */
  tools: readonly AgentTool[];
  /** The reply must call one of them. */
  mustCall?: boolean;
  /** The reply must be one JSON object of this form, which stands for the tools. */
  form?: ReplyForm;
  /** Takes the place of the system message. */
  system?: string;
  /** What the model is told with this request alone, behind the conversation. */
  note?: string;
  /** The model did not heed such a demand before: it is told in words as well. @default false */
  inWords?: boolean;
}

/** A reply that is of no use: what the model is told to do, and what a person is told. */
export interface Fault {
  remark: string;
  shown: string;
}

/** Lines of the trace that go on with the conversation. */
export interface StepLines {
  lines: readonly Extract<TraceLine, { t: "message" | "plan" }>[];
  /** What a person is told. @default nothing */
  warning?: string;
}

/** What a tool asks the person, by its full name; a question a line. */
export interface Asked {
  tool: string;
  text: string;
  /** It is an answer, which gives the person the turn. */
  isAnswer: boolean;
}

/** How an agent works from step to step. All that it knows comes from the lines of the trace. */
export interface Thinking {
  readonly kind: ThinkingKind;
  /** Takes note of a line of the trace, those of earlier runs first. */
  note(line: TraceLine): void;
  /** Decides what comes next: a request, lines before it, or the end. */
  next(open: readonly AgentTool[]): { ask: StepAsk } | StepLines | { end: RunEnd };
  /** Understands a reply before it is kept; `notes` say what was repaired, `warnings` tell a person. */
  read(
    reply: ModelReply,
    ask: StepAsk,
  ): { reply: ModelReply; notes: readonly string[]; warnings: readonly string[] };
  /** Says why a call of a tool in the last reply is not run, `null` if it may. */
  refuses(tool: AgentTool): string | null;
  /** Deals with a reply without calls: it is of no use, or the work goes on, or it ends. */
  deal(reply: ModelReply): { fault: Fault } | StepLines | { end: RunEnd };
  /** Deals with the end that the model said by a call. */
  ended(end: RunEnd): StepLines | { end: RunEnd };
  /** What the tools that ask have told the person since the person spoke last; `null` if they asked nothing. */
  readonly questions: Asked | null;
  /** Makes the message of the person's answer. */
  clarification(answer: string): Message;
}

/** Time and chance. */
export interface RunChance {
  /** Milliseconds on a clock that only goes forward. */
  now(): number;
  /** Waits; rejects with the signal's reason if it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

/** Who hears of a run, and ends it. */
export interface RunWatcher {
  emit(event: RunEvent): void;
  /** Hears what the run has used, each time that it used something. */
  onUsage?: ((usage: AgentUsage) => void) | undefined;
  /** Aborts when the run is to end; the reason is a `ToolError`. */
  signal: AbortSignal;
}

/** What a run of the agent is made of: every effect is passed in. */
export interface AgentParts extends RunChance, RunWatcher {
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
  /** Reads a picture for a request, as base64. Rejects with a `ToolError` if it is gone. */
  readPicture(path: string): Promise<string>;
  /** What the last answer must be: JSON of this schema; `check` returns what is wrong with a value. */
  output?: { schema: JsonSchema; check(value: unknown): string[] | Promise<string[]> };
  /** How it works from step to step. @default by calls of tools */
  thinking?: Thinking;
  /** Asks the person what a tool wants to know; `null` without an answer. @default nobody is there */
  askPerson?: (asked: Asked, signal: AbortSignal) => Promise<string | null>;
  /** Returns the plans that the set of a tool keeps. @default none are shown */
  readPlans?: (tool: AgentTool) => Promise<PlanBook | null>;
}
