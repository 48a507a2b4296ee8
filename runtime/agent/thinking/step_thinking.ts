import type { Message } from "../../../schemas/agent/chat.ts";
import type { ModelReply } from "../../../schemas/agent/model.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import type { JsonSchema } from "../../../schemas/manifest.ts";
import type { ThinkingKind, ThinkingSettings } from "../../../schemas/step/thinking.ts";
import type { AgentTool, Asked, Fault, RunEnd, StepAsk, StepLines, Thinking } from "../loop/parts.ts";
import { Offer } from "./offer.ts";
import { clarificationMessage } from "./prompts.ts";
import { type StepLimits, Steps } from "./steps.ts";

/** What a way of thinking is made of. */
export interface ThinkingParts {
  settings: ThinkingSettings;
  limits: StepLimits;
  /** All tools of the run. */
  tools: readonly AgentTool[];
  /** The form of what the model says of the work, as the arguments of a tool that reasons. */
  reasoning: JsonSchema;
  /** The person's day, as in `2026-01-31`. */
  date: string;
}

/** A reply as a way of thinking understands it. */
export type ReadReply = ReturnType<Thinking["read"]>;

const CLOSING_CALL =
  "The steps of this task are used up. Call one of the tools that are left, now, with what you have.";
const CLOSING_TEXT = "The steps of this task are used up. Give your answer now, with what you have.";

/** What all ways of thinking share: counted steps, limits that take tools away, questions to the person. */
export abstract class StepThinking implements Thinking {
  readonly kind: ThinkingKind;
  protected readonly parts: ThinkingParts;
  protected readonly steps: Steps;
  protected readonly offer: Offer;

  constructor(parts: ThinkingParts) {
    this.parts = parts;
    this.kind = parts.settings.kind ?? "tools";
    this.steps = new Steps(parts.tools, parts.limits);
    this.offer = new Offer(this.steps);
  }

  abstract next(open: readonly AgentTool[]): { ask: StepAsk } | StepLines | { end: RunEnd };

  note(line: TraceLine): void {
    this.steps.note(line);
  }

  read(reply: ModelReply, _ask: StepAsk): ReadReply {
    return { reply, notes: [], warnings: [] };
  }

  refuses(tool: AgentTool): string | null {
    return this.steps.refuses(tool);
  }

  deal(reply: ModelReply): { fault: Fault } | StepLines | { end: RunEnd } {
    return { end: answered(reply) };
  }

  ended(end: RunEnd): StepLines | { end: RunEnd } {
    return { end };
  }

  get questions(): Asked | null {
    return this.steps.questions;
  }

  clarification(answer: string): Message {
    const { settings: { prompts }, date } = this.parts;
    return clarificationMessage(answer, prompts?.clarification, date);
  }

  /**
   * What the last step asks for: one forced call that closes, then the end. `null` as long as there are other steps. A call
   * that comes to nothing is asked for again, as often as useless replies are.
   */
  protected closing(open: readonly AgentTool[]): { ask: StepAsk } | { end: RunEnd } | null {
    const { now, closed } = this.steps;
    if (closed !== null) return { end: { termination: "completed", message: null, answer: closed } };
    if (!this.steps.closes(now)) return null;
    if (now.closings >= this.parts.limits.faults) {
      const message =
        `The limit of ${this.parts.limits.iterations} steps is reached, and the model gave no answer`;
      return { end: { termination: "max_iterations", message } };
    }
    const tools = this.offer.of(open, now, ACTS);
    if (tools.length === 0) return { ask: { tools, note: CLOSING_TEXT } };
    return { ask: { tools, mustCall: true, note: CLOSING_CALL } };
  }

  /** Whether the last reply was asked for as the last word. */
  protected get wasClosing(): boolean {
    return this.steps.closes(this.steps.last);
  }
}

/** The tools that do something. */
export const ACTS = { word: "acts", takes: ({ step_part }: AgentTool) => step_part !== "reason" };

/** The end by an answer. */
export function answered({ content }: ModelReply): RunEnd {
  return { termination: "completed", message: null, answer: content };
}

/** Keeps one of several calls where a step has one: the first of a tool that was asked for, else the first. */
export function oneCall(reply: ModelReply, { tools }: Pick<StepAsk, "tools">): ReadReply {
  const { tool_calls: all } = reply;
  const first = all.find((call) => tools.some(({ name }) => name === call.name)) ?? all[0];
  if (!first || all.length === 1) return { reply, notes: [], warnings: [] };
  const others = all.filter((call) => call !== first);
  const names = others.map(({ name }) => name).join(", ");
  return {
    reply: { ...reply, tool_calls: [first] },
    notes: [`A step makes one call: ${names} of the same reply was not run`],
    warnings: [`the model made ${others.length + 1} calls in a step of one, only ${first.name} is run`],
  };
}
