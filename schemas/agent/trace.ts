import type { AgentOutcome } from "./agent.ts";
import type { Message, Part } from "./chat.ts";
import type { ErrorInfo } from "../error.ts";
import type { SessionSettings } from "./session_settings.ts";
import type { FunctionTool, ModelReply, Purpose } from "./model.ts";
import type { Plan } from "../step/plan.ts";
import type { AgentState } from "../step/thinking.ts";

/**
 * One line of a session's trace. Lines are only added, and each fact stands in one line. Reading the lines in
 * order gives the conversation again. Secrets are masked; pictures are named by their files.
 */
export type TraceLine =
  /** A run begins, or continues after an earlier run ended or crashed. */
  | {
    t: "run";
    v: 1;
    run_id: string;
    session_id: string;
    /** ISO 8601. */
    time: string;
    version: string;
    /** Name of the agent, if it is not the usual one. */
    agent?: string;
    model: string;
    workspace: string;
    policy: string;
    /** Names under which the tools were offered. */
    tools: readonly string[];
    resumed: boolean;
    /** The state of the agent from here on; absent in traces of earlier versions. */
    state?: AgentState;
    /** What the session keeps; absent in traces of earlier versions. */
    settings?: SessionSettings;
    /** Flags of a resumed run that allowed more than the session had allowed. */
    widened?: readonly string[];
  }
  | { t: "message"; message: Message }
  /** From the next request on the model has these tools too; absent in traces of earlier versions. */
  | { t: "tools"; added: readonly AddedTool[] }
  | { t: "reply"; purpose: Purpose; reply: ModelReply }
  /** A call begins. If no result follows, it is unknown what the call did. */
  | { t: "call"; id: string; tool: string; arguments: unknown }
  | CallResult & { t: "result" }
  /** The messages before the one at `keep` (counted in the folded conversation) are replaced by the summary. */
  | { t: "compact"; keep: number; summary: string }
  /** The plan as it is from here on, and what the model is told of it. */
  | { t: "plan"; plan: Plan; message?: Message }
  | { t: "end"; time: string; outcome: AgentOutcome };

/** A tool that a source added while the run went on, as the model sees it. */
export interface AddedTool extends FunctionTool {
  full_name: string;
  /** May run beside its neighbours. */
  parallel: boolean;
  read_only: boolean;
}

/** The result of a call, as the model sees it. */
export interface CallResult {
  /** The model's id for the call, made unique. */
  id: string;
  /** Full name, or the name that the model used if no such tool exists. */
  tool: string;
  ok: boolean;
  content: string;
  pictures: readonly (Part & { type: "image" })[];
  error: ErrorInfo | null;
  duration_ms: number;
  /** The call was not run: this is what a recording has of it. */
  recorded?: true;
}
