import type { AgentOutcome } from "./agent.ts";
import type { Message, Part } from "./chat.ts";
import type { ErrorInfo } from "../error.ts";
import type { ModelReply, Purpose } from "./model.ts";

/**
 * One line of a session's trace. It is only added to, each fact once: the conversation is made again by folding the
 * lines. Secrets are masked, pictures stand by their files.
 */
export type TraceLine =
  /** A run begins, or goes on after an earlier one ended or died. */
  | {
    t: "run";
    v: 1;
    run_id: string;
    session_id: string;
    /** ISO 8601. */
    time: string;
    version: string;
    model: string;
    workspace: string;
    policy: string;
    /** Names as offered. */
    tools: readonly string[];
    resumed: boolean;
  }
  | { t: "message"; message: Message }
  | { t: "reply"; purpose: Purpose; reply: ModelReply }
  /** A call begins: if no result follows, nobody knows what it did. */
  | { t: "call"; id: string; tool: string; arguments: unknown }
  | CallResult & { t: "result" }
  /** The messages before the one at `keep` (counted in the folded conversation) are replaced by the summary. */
  | { t: "compact"; keep: number; summary: string }
  | { t: "end"; time: string; outcome: AgentOutcome };

/** What a call gave, as the model is told. */
export interface CallResult {
  /** The model's own, made unique. */
  id: string;
  /** Full name, or what the model called for if there is no such tool. */
  tool: string;
  ok: boolean;
  content: string;
  pictures: readonly (Part & { type: "image" })[];
  error: ErrorInfo | null;
  duration_ms: number;
}
