import type { AgentLimits } from "../../../schemas/agent/agent.ts";
import type { ModelReply } from "../../../schemas/agent/model.ts";
import type { CallResult, TraceLine } from "../../../schemas/agent/trace.ts";
import type { Plan, PlanStep } from "../../../schemas/step/plan.ts";
import type { StepPart } from "../../../schemas/step/step.ts";
import { callsOf } from "../conversation/conversation.ts";
import type { AgentTool, Asked } from "../loop/parts.ts";

/** The limits that take tools away. */
export type StepLimits = Pick<AgentLimits, "iterations" | "clarifications" | "searches" | "faults">;

/** How far a task was when a reply was asked for. */
export interface StepMark {
  /** Number of the step, from 1. */
  step: number;
  /** The model has said how the work stands, and now chooses. */
  reasoned: boolean;
  searches: number;
  clarifications: number;
  /** Replies with a call since only an answer is left. */
  closings: number;
  /** Replies with a call since the step of the plan began. */
  inStep: number;
}

/** Texts in the place of what was asked for, after which a server is taken for one that leaves demands out. */
const DEAF = 2;

/** What is behind a call's own words in a result. */
const NOTES = /\n\n?\[(?:warning|file|system)\] [\s\S]*$/;

/**
 * How far a task is, counted from the lines of its trace: so a run that was killed goes on where it was. A new task counts
 * from the beginning.
 */
export class Steps {
  /** How far it is. */
  now: StepMark = begin();
  /** How far it was when the last reply was asked for. */
  last: StepMark = begin();
  /** The plan, `null` before there is one. */
  plan: Plan | null = null;
  /** Useless replies to the request for a plan. */
  planless = 0;
  /** What the person was asked and has not answered. */
  questions: Asked | null = null;
  /** What the one call gave that was left when the steps were used up, if it did not end the run itself. */
  closed: string | null = null;
  /** Texts in the place of what was asked for, and whether the last reply was one: its server may not tell the model. */
  #texts = 0;
  #wasText = false;
  /** Searches of the last reply that may begin. */
  #begun = 0;
  readonly #tools: readonly AgentTool[];
  readonly #limits: StepLimits;

  constructor(tools: readonly AgentTool[], limits: StepLimits) {
    this.#tools = tools;
    this.#limits = limits;
  }

  note(line: TraceLine): void {
    if (line.t === "reply" && line.purpose === "turn") this.#addReply(line.reply);
    if (line.t === "result") this.#addResult(line);
    if (line.t === "plan") {
      this.plan = changedPlan(this.plan, line.plan);
      // With a message, a step of it begins.
      if (line.message) this.now = { ...this.now, inStep: 0 };
    }
    if (line.t !== "message" || line.message.role !== "user") return;
    const { kind } = line.message;
    if (kind === "task") {
      this.now = begin();
      this.plan = null;
      this.planless = 0;
    }
    if (kind === "clarification") {
      const clarifications = this.now.clarifications + 1;
      this.now = { ...this.now, clarifications, reasoned: false, closings: 0 };
    }
    if (kind === "task" || kind === "clarification") this.questions = this.closed = null;
  }

  /** Whether the next demand is told in words as well: after a text once, and from the second text on always. */
  get needsWords(): boolean {
    return this.#wasText || this.#texts >= DEAF;
  }

  /** Whether only a report and an answer are left at a mark. */
  closes({ step }: StepMark): boolean {
    return this.#limits.iterations !== null && step >= this.#limits.iterations;
  }

  /** Says why a tool is not offered at a mark, `null` if it may be. */
  taken({ step_part: part, ends_run }: AgentTool, mark: StepMark): string | null {
    const { iterations, clarifications, searches } = this.#limits;
    if (this.closes(mark) && ends_run === null && !isClosing(part)) {
      return `The limit of ${iterations} steps is reached: only the answer is left`;
    }
    if (part === "search" && searches !== null && mark.searches >= searches) return noSearches(searches);
    if (part === "clarify" && clarifications !== null && mark.clarifications >= clarifications) {
      return `The limit of ${clarifications} clarifications is reached: decide yourself, and say what you assume`;
    }
    return null;
  }

  /** Says why a call of the last reply is not run, `null` if it may. A reply may search more often than is left. */
  refuses(tool: AgentTool): string | null {
    const { searches } = this.#limits;
    const why = this.taken(tool, this.last);
    if (why !== null || tool.step_part !== "search") return why;
    if (searches !== null && this.now.searches + this.#begun >= searches) return noSearches(searches);
    this.#begun++;
    return null;
  }

  #addReply(reply: ModelReply): void {
    const { now } = this;
    this.#begun = 0;
    const parts = callsOf(reply).map(({ name }) => this.#tools.find((tool) => tool.name === name)?.step_part);
    this.last = now;
    this.#wasText = parts.length === 0 && reply.finish !== "length" && reply.content.trim() !== "";
    if (this.#wasText) this.#texts++;
    const isThought = parts.length > 0 && parts.every((part) => part === "reason") && !now.reasoned;
    if (isThought) {
      this.now = { ...now, reasoned: true };
      return;
    }
    if (this.plan === null && parts.length === 0) this.planless++;
    if (parts.length === 0) return;
    const closings = this.closes(now) ? now.closings + 1 : 0;
    this.now = { ...now, closings, step: now.step + 1, inStep: now.inStep + 1, reasoned: false };
  }

  #addResult({ tool: fullName, ok, content }: CallResult): void {
    const part = this.#tools.find((tool) => tool.full_name === fullName)?.step_part;
    if (part === "reason" && !ok) this.now = { ...this.now, reasoned: false };
    if (!ok) return;
    if (part === "search") this.now = { ...this.now, searches: this.now.searches + 1 };
    const said = content.replace(NOTES, "").trim();
    if (part === "report" && this.closes(this.last)) this.closed = said;
    if (part === "clarify" || part === "answer") {
      this.questions = {
        tool: fullName,
        text: this.questions === null ? said : `${this.questions.text}\n${said}`,
        isAnswer: part === "answer" && this.questions?.isAnswer !== false,
      };
    }
  }
}

/** The plan after a change. A tool that keeps plans of its own changes the steps that are left: what is done stays. */
function changedPlan(now: Plan | null, changed: Plan): Plan {
  if (now === null || now.id === changed.id) return changed;
  const same = (steps: readonly PlanStep[], { text }: PlanStep) => steps.find((step) => step.text === text);
  const over = now.steps.filter((step) =>
    (step.status === "completed" || step.status === "blocked") && !same(changed.steps, step)
  );
  const next = changed.steps.map((step) =>
    step.status === "not_started" ? same(now.steps, step) ?? step : step
  );
  return { id: now.id, title: changed.title, steps: [...over, ...next] };
}

function begin(): StepMark {
  return { step: 1, reasoned: false, searches: 0, clarifications: 0, closings: 0, inStep: 0 };
}

/** The person's turn is an end as well. */
function isClosing(part: StepPart | undefined): boolean {
  return part === "finish" || part === "answer" || part === "reason" || part === "report";
}

function noSearches(limit: number): string {
  return `The limit of ${limit} searches is reached: go on with what was found`;
}
