import { AGENT_TERMINATIONS, type AgentOutcome, stateOf } from "../../../schemas/agent/agent.ts";
import type { Message } from "../../../schemas/agent/chat.ts";
import { estimateText, estimateTools } from "../conversation/estimate_tokens.ts";
import type { Budget } from "./budget.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { AgentParts, AgentTool, RunEnd, StepAsk, StepLines } from "./parts.ts";
import type { TokenMeter } from "./token_meter.ts";

/** What ends a run. */
export interface RunClock {
  /** Aborts when the run is to end or its time is up. */
  readonly signal: AbortSignal;
  /** Ends the run because of a bug or a failure of the machine; what is under way is cancelled. */
  fail(error: unknown): void;
  /** When its time is up, on the clock of the parts. */
  readonly deadline: number;
}

/** One run of the agent in progress. */
export interface RunState extends RunClock {
  readonly parts: AgentParts;
  readonly conversation: Conversation;
  readonly budget: Budget;
  readonly meter: TokenMeter;
  /** Those of now, by the names that the model calls; also those that no request has so far. */
  readonly tools: ReadonlyMap<string, AgentTool>;
  /** What the form of the answer takes of each request, in tokens. */
  readonly formTokens: number;
  /** What the step under way asks; `null` before the first one. */
  step: StepAsk | null;
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

/** Returns the tools that a request could have. */
export function openTools({ parts: { tools } }: Pick<RunState, "parts">): readonly AgentTool[] {
  return "open" in tools ? tools.open : tools;
}

/** Returns what the next request asks. */
export function stepOf(run: Pick<RunState, "parts" | "step">): StepAsk {
  return run.step ?? { tools: openTools(run) };
}

/** What lists of tools take of a request, in tokens: they are long, and seldom change. */
const sizes = new WeakMap<object, number>();

/** Returns what the tools and the form of the answer take of the next request, in tokens. */
export function fixedTokens(run: RunState): number {
  const { tools, form, note = "" } = stepOf(run);
  const sized = form ?? tools;
  const size = sizes.get(sized) ?? (form ? estimateText(JSON.stringify(form.schema)) : estimateTools(tools));
  sizes.set(sized, size);
  return size + run.formTokens + (note === "" ? 0 : estimateText(note));
}

/** Adds lines that go on with the conversation. */
export function addLines(run: RunState, { lines, warning }: StepLines): void {
  for (const line of lines) {
    run.parts.trace(line);
    const { message } = line;
    if (message) run.conversation.add(message);
    if (line.t === "plan") run.parts.emit({ type: "plan", plan: line.plan });
  }
  if (warning !== undefined) run.parts.emit({ type: "warning", message: warning });
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

/** Lets the way of thinking say what comes next, and takes note of it. */
export function chooseStep(run: RunState): RunEnd | null {
  const { thinking } = run.parts;
  while (thinking) {
    const next = thinking.next(openTools(run));
    if ("end" in next) return next.end;
    run.step = "ask" in next ? next.ask : null;
    if ("ask" in next) break;
    addLines(run, next);
  }
  return null;
}

/** Returns what a run came to. */
export function outcomeOf({ conversation, budget }: RunState, end: RunEnd): AgentOutcome {
  const code = AGENT_TERMINATIONS[end.termination];
  const { retryable = false, details = {} } = end.cause ?? {};
  return {
    answer: end.answer ?? conversation.lastText,
    ...("output" in end && { output: end.output }),
    termination_reason: end.termination,
    state: stateOf(end.termination),
    ...(end.questions && { questions: end.questions }),
    error: code === null ? null : { code, message: end.message ?? end.termination, retryable, details },
    usage: budget.usage,
  };
}
