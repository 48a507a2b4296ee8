import type { AccessKind } from "../access.ts";
import type { AgentTermination, AgentUsage } from "./agent.ts";
import type { RunEnding } from "./ending.ts";
import type { Progress } from "../context.ts";
import type { Grants } from "../grants.ts";
import type { ProgramEvent } from "../program.ts";
import type { ToolResult } from "../result.ts";
import type { Plan } from "../step/plan.ts";
import type { AgentState } from "../step/thinking.ts";

/** Why a run ended; `not_started` is for an agent's run that failed before its first request. */
export type TerminationReason = AgentTermination | "call_failed" | "not_started";

/** What happens in a run, one object an event; on the wire each carries `"v": 1`. */
export type RunEvent =
  | {
    type: "run.start";
    run_id: string;
    command: string;
    workspace: string;
    grants: Pick<Grants, "policy" | "allow" | "deny">;
    /** Name of the agent, if it is not the usual one. */
    agent?: string;
    /** Only in a run of the agent. */
    model?: string;
    session_id?: string;
    /** Flags of a resumed run that allow more than its session did. */
    widened?: readonly string[];
    /** Only in a run of the agent. */
    state?: AgentState;
  }
  /** A round of the agent: its number, from 1, and an estimate of its request. */
  | { type: "turn.start"; n: number; input_tokens: number }
  /** Text of the model, as it comes. `restart`: drop the earlier text of this turn, because the stream broke or the text was no answer. */
  | { type: "text.delta"; text: string; restart?: true }
  | { type: "retry"; n: number; max: number; wait_ms: number; code: string; message: string }
  /** Older turns were summed up. */
  | { type: "compact"; before_tokens: number; after_tokens: number }
  /** The agent waits for the person, or goes on after the answer. */
  | { type: "state"; state: AgentState; questions?: readonly string[] }
  /** The plan of the agent as it is now. */
  | { type: "plan"; plan: Plan }
  /** A warning outside a call: a correction for the model, or a difference from a recording. */
  | { type: "warning"; message: string }
  /** From the next round on the model has these tools too, by their names: a source has added them. */
  | { type: "tools.added"; tools: readonly string[] }
  /** A file of the prompt goes with it; `lines` is `null` for a picture. */
  | { type: "attached"; path: string; lines: number | null }
  | { type: "tool.start"; id: CallId; tool: string; arguments: unknown }
  | ({ type: "tool.progress"; id: CallId } & Progress)
  /** A program of the call starts, is typed into, or ends; one that stays open may end after its call. */
  | ({ id: CallId } & ProgramEvent)
  /** Outside the grants; the flag would allow it. */
  | { type: "permission"; id: CallId; decision: "refused"; kind: AccessKind; target: string; flag: string }
  /** Forbidden by a rule of a policy, a permission or a hook. */
  | { type: "permission"; id: CallId; decision: "refused"; rule: string }
  /** A person agreed. */
  | { type: "permission"; id: CallId; decision: "confirmed" }
  /** `recorded`: a replay did not run the call, and the result is that of the recording. */
  | { type: "tool.end"; id: CallId; verdict?: "recorded"; result: ToolResult }
  | {
    type: "run.end";
    exit_code: number;
    termination_reason: TerminationReason;
    usage: { calls: number; failed: number } | AgentUsage;
    /** Only in a run of the agent, as all below. */
    agent?: string;
    answer?: string | null;
    changed?: RunEnding["changed"];
    refused?: RunEnding["refused"];
    resume?: RunEnding["resume"];
    state?: AgentState;
    /** What the person is asked, if the run waits for an answer. */
    questions?: readonly string[];
  };

/** The id of a call in its run: the caller's id, or the call's number. */
export type CallId = string | number;
