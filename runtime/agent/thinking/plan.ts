import type { Message } from "../../../schemas/agent/chat.ts";
import type { ModelReply } from "../../../schemas/agent/model.ts";
import type { Plan, StepStatus } from "../../../schemas/step/plan.ts";
import type { Executor } from "../../../schemas/step/thinking.ts";
import { offeredName } from "../loop/offered_name.ts";
import type { AgentTool, RunEnd, StepLines } from "../loop/parts.ts";
import { DEFAULT_STEPS, executorOf, planForm, planRequest, readPlan, showPlanText } from "./plan_text.ts";
import { fillTemplate, numberedTools } from "./prompts.ts";
import { answered, StepThinking } from "./step_thinking.ts";
import type { StepMark } from "./steps.ts";

/** Useless replies to the request for a plan, after which the usual steps are taken. */
const PLANLESS = 2;
const USED_UP =
  "The calls of this step are used up. Say in a few sentences what came out, and what is left of it.";
/** Longest note of what came out of a step, in characters. */
const MAX_NOTES = 500;

/** The model makes a plan; its steps are done one after the other, each by its executor, and summed up. */
export class PlanThinking extends StepThinking {
  next(open: readonly AgentTool[]): ReturnType<StepThinking["next"]> {
    const { plan, now } = this.steps;
    if (plan === null) {
      const note = planRequest(this.#executors);
      return { ask: { tools: [], form: planForm(this.#executors), note } };
    }
    const step = openStep(plan);
    if (step < 0) return this.closing([]) ?? { ask: { tools: [] } };
    const executor = executorOf(plan.steps[step]!.text, this.#executors);
    const takes = (tool: AgentTool) => mayTake(executor, tool);
    const closing = this.closing(open.filter(takes));
    if (closing) return closing;
    if (isUsedUp(executor, now)) return { ask: { tools: [], note: USED_UP } };
    const tools = this.offer.of(open, now, { word: `executor ${executor?.name ?? ""}`, takes });
    const system = executor?.system;
    return { ask: { tools, ...(system !== undefined && { system: this.#fill(system, tools) }) } };
  }

  override refuses(tool: AgentTool): string | null {
    const { plan } = this.steps;
    if (plan === null) return "Make the plan first: reply with it, without a call";
    const step = plan.steps[openStep(plan)];
    if (!step) return "The steps of the plan are over: sum up, without a call";
    const executor = executorOf(step.text, this.#executors);
    if (!mayTake(executor, tool)) return `The executor of this step has no tool ${tool.name}`;
    return super.refuses(tool);
  }

  override deal(reply: ModelReply): ReturnType<StepThinking["deal"]> {
    const { plan } = this.steps;
    if (plan === null) return this.#begin(reply);
    if (this.wasClosing) {
      const message = `The limit of ${this.parts.limits.iterations} steps is reached before the plan is done`;
      return { end: { termination: "max_iterations", message, answer: reply.content } };
    }
    const step = plan.steps[openStep(plan)];
    if (step) {
      const isBlocked = isUsedUp(executorOf(step.text, this.#executors), this.steps.last);
      return this.#move(plan, { status: isBlocked ? "blocked" : "completed", notes: reply.content });
    }
    return { end: endOf(plan, answered(reply)) };
  }

  override ended(end: RunEnd): StepLines | { end: RunEnd } {
    const { plan } = this.steps;
    if (plan === null || openStep(plan) < 0 || this.wasClosing) return { end };
    const status = end.termination === "completed" ? "completed" : "blocked";
    return this.#move(plan, { status, notes: end.answer ?? end.message ?? "" });
  }

  get #executors(): Readonly<Record<string, Executor>> {
    return this.parts.settings.executors ?? {};
  }

  #fill(system: string, tools: readonly AgentTool[]): string {
    return fillTemplate(system, { available_tools: numberedTools(tools), current_date: this.parts.date });
  }

  #begin(reply: ModelReply): ReturnType<StepThinking["deal"]> {
    const read = readPlan(reply.content);
    if (typeof read !== "string") return this.#move({ id: "plan", ...read });
    if (this.steps.planless < PLANLESS) {
      const remark =
        `Your reply is no plan: ${read}. Reply with one JSON object: "title", and "steps", a list of texts.`;
      return { fault: { remark, shown: `the model's reply is no plan (${read})` } };
    }
    const steps = DEFAULT_STEPS.map((text) => ({ text, status: "not_started" as const, notes: "" }));
    const warning = "the model made no plan, the usual steps are taken";
    return { ...this.#move({ id: "plan", title: "Plan", steps }), warning };
  }

  /** Notes how the step under way ended, and begins the next one. */
  #move(before: Plan, done?: { status: StepStatus; notes: string }): StepLines {
    const at = done ? openStep(before) : -1;
    const marked = before.steps.map((step, place) =>
      done && place === at ? { ...step, status: done.status, notes: done.notes.slice(0, MAX_NOTES) } : step
    );
    const next = marked.findIndex(({ status }) => status === "not_started" || status === "in_progress");
    const steps = marked.map((step, place) =>
      place === next ? { ...step, status: "in_progress" as const } : step
    );
    const plan: Plan = { ...before, steps };
    return { lines: [{ t: "plan", plan, message: remark(stepText(plan, next)) }] };
  }
}

/** Place of the step under way, -1 if all are done. */
function openStep({ steps }: Plan): number {
  return steps.findIndex(({ status }) => status === "not_started" || status === "in_progress");
}

function mayTake(executor: Pick<Executor, "tools"> | null, tool: AgentTool): boolean {
  const { tools } = executor ?? {};
  if (tools === undefined || tools.includes(tool.name) || tools.includes(tool.full_name)) return true;
  const alone = new Map([[tool.name, tool]]);
  // A name is spelled as wherever tools are named, `NAME=ALIAS` included.
  return tools.some((word) => offeredName(word.split("=").at(-1)!, alone) !== null);
}

/** Whether the executor of a step has made all the calls that it may. */
function isUsedUp(executor: Pick<Executor, "max_iterations"> | null, { inStep }: StepMark): boolean {
  return executor?.max_iterations !== undefined && inStep >= executor.max_iterations;
}

function stepText(plan: Plan, at: number): string {
  const shown = showPlanText(plan);
  if (at < 0) {
    return `${shown}\n\nThe steps are over. Sum up for the person what was done and what came out; what is blocked was ` +
      "not done.";
  }
  return `${shown}\n\nDo step ${at + 1} now: ${
    plan.steps[at]!.text
  }\nDo this step alone. When it is done, say in a few ` +
    "sentences what came out.";
}

function remark(text: string): Message {
  return { role: "user", kind: "remark", content: [{ type: "text", text }] };
}

/** Steps that could not be done are a task that failed. */
function endOf({ steps }: Plan, end: RunEnd): RunEnd {
  const blocked = steps.filter(({ status }) => status === "blocked");
  if (blocked.length === 0) return end;
  const names = blocked.map(({ text }) => text).join("; ");
  return {
    ...end,
    termination: "task_failed",
    message: `${blocked.length} of ${steps.length} steps are blocked: ${names}`,
  };
}
