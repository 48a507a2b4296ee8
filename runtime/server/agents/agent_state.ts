import type { z } from "zod";

import type { AgentState } from "../../../schemas/step/thinking.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import type { RunInfo } from "../api/run_schemas.ts";
import type { ServedEvent } from "../runs/runs.ts";

type RunStatus = z.infer<typeof RunInfo>["state"];

const STATES: Readonly<Record<RunStatus, AgentState>> = {
  queued: "inited",
  running: "researching",
  waiting: "waiting_for_clarification",
  interrupted: "cancelled",
  completed: "completed",
  failed: "failed",
};

/** Returns the state of a run in the words of SGR Agent Core. */
export function stateOfRun(state: RunStatus): AgentState {
  return STATES[state];
}

/** The tools that are parts of a step, by what they do. */
export interface StepTools {
  search: ReadonlySet<string>;
  reason: ReadonlySet<string>;
}

/** Returns the tools that search and those that say how the work stands. */
export function stepTools({ tools }: Pick<Manifest, "tools">): StepTools {
  const named = (part: string) =>
    new Set(tools.filter(({ step_part }) => step_part === part).map(({ full_name }) => full_name));
  return { search: named("search"), reason: named("reason") };
}

/** What the events of an agent add up to. */
export interface StepCounts {
  iteration: number;
  searches_used: number;
  clarifications_used: number;
  /** What the agent said last of how the work stands; `null` if it never did. */
  current_step_reasoning: unknown;
}

/** Adds up the events of a run, one after the other. */
export class StepCounter {
  readonly #tools: StepTools;
  readonly #counts: StepCounts = {
    iteration: 0,
    searches_used: 0,
    clarifications_used: 0,
    current_step_reasoning: null,
  };
  /** The run ended with a question, so that what begins next begins with its answer. */
  #isWaiting = false;

  constructor(tools: StepTools) {
    this.#tools = tools;
  }

  get counts(): StepCounts {
    return { ...this.#counts };
  }

  hear(event: ServedEvent): void {
    const counts = this.#counts;
    if (event.type === "turn.start") counts.iteration++;
    if (event.type === "tool.end" && event.result.ok && this.#tools.search.has(event.result.tool_name)) {
      counts.searches_used++;
    }
    if (event.type === "tool.start" && this.#tools.reason.has(event.tool)) {
      counts.current_step_reasoning = event.arguments;
    }
    if (event.type === "question.end" && event.answer !== null) counts.clarifications_used++;
    if (event.type === "run.start" && this.#isWaiting) counts.clarifications_used++;
    if (event.type === "run.start" || event.type === "run.end") {
      this.#isWaiting = event.type === "run.end" && event.termination_reason === "waiting_for_clarification";
    }
  }
}
