import type { AgentTermination } from "../../../schemas/agent/agent.ts";
import type { ErrorInfo } from "../../../schemas/error.ts";
import type { Message } from "../../../schemas/agent/chat.ts";
import { estimateTools } from "../conversation/estimate_tokens.ts";
import type { Budget } from "./budget.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { AgentParts, AgentTool } from "./parts.ts";
import type { TokenMeter } from "./token_meter.ts";

/** One run of the agent in progress. */
export interface RunState {
  readonly parts: AgentParts;
  readonly conversation: Conversation;
  readonly budget: Budget;
  readonly meter: TokenMeter;
  /** Those of now, by the names that the model calls; also those that no request has so far. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** What the form of the answer takes of each request, in tokens. */
  readonly formTokens: number;
  /** Aborts when the run is to end or its time is up. */
  readonly signal: AbortSignal;
  /** Ends the run because of a bug or a failure of the machine; what is under way is cancelled. */
  fail(error: unknown): void;
  /** When its time is up, on the clock of the parts. */
  readonly deadline: number;
  /** Size of the conversation when its last summary failed. */
  failedAt: number;
}

/** Lists of tools by the names that the model calls. */
const byName = new WeakMap<readonly AgentTool[], ReadonlyMap<string, AgentTool>>();

/** Returns all tools of now by their names. */
export function toolsByName({ tools }: Pick<AgentParts, "tools">): ReadonlyMap<string, AgentTool> {
  const all = "all" in tools ? tools.all : tools;
  const known = byName.get(all) ?? new Map(all.map((tool) => [tool.name, tool]));
  byName.set(all, known);
  return known;
}

/** Takes in the tools that were added since the last request. What was said before stays as it is. */
export async function takeInTools({ parts: { tools }, signal }: RunState): Promise<void> {
  if ("grow" in tools) await tools.grow?.(signal);
}

/** Returns the tools of the next request. */
export function openTools({ parts: { tools } }: Pick<RunState, "parts">): readonly AgentTool[] {
  return "open" in tools ? tools.open : tools;
}

/** What lists of tools take of a request, in tokens: they are long, and seldom change. */
const sizes = new WeakMap<readonly AgentTool[], number>();

/** Returns what the tools and the form of the answer take of the next request, in tokens. */
export function fixedTokens(run: RunState): number {
  const tools = openTools(run);
  const size = sizes.get(tools) ?? estimateTools(tools);
  sizes.set(tools, size);
  return size + run.formTokens;
}

/** How a run ends. */
export interface RunEnd {
  termination: AgentTermination;
  /** Why, in one sentence; `null` for success. */
  message: string | null;
  /** @default the last that the model said */
  answer?: string;
  output?: unknown;
  /** The error behind it, if it was one. */
  cause?: ErrorInfo;
}

/**
 * Adds a message of the loop to the conversation and to the trace.
 *
 * @param text What the model is told
 * @param shown What a person is told instead
 */
export function addRemark(run: RunState, text: string, shown: string): void {
  const message: Message = { role: "user", kind: "remark", content: [{ type: "text", text }] };
  run.parts.trace({ t: "message", message });
  run.conversation.add(message);
  run.parts.emit({ type: "warning", message: shown });
}
