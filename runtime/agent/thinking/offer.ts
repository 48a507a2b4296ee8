import type { AgentTool } from "../loop/parts.ts";
import type { StepMark, Steps } from "./steps.ts";

/** Chooses the tools of steps, each choice as one list for as long as it does not change. */
export class Offer {
  readonly #steps: Steps;
  readonly #lists = new WeakMap<readonly AgentTool[], Map<string, readonly AgentTool[]>>();

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  /**
   * Returns those of the open tools that the limits leave at a mark.
   *
   * @param also Which of them the step takes, and a word for that choice
   */
  of(
    open: readonly AgentTool[],
    mark: StepMark,
    also: { word: string; takes(tool: AgentTool): boolean } = ALL,
  ): readonly AgentTool[] {
    const free = open.map((tool) => also.takes(tool) && this.#steps.taken(tool, mark) === null);
    const key = `${also.word} ${free.map(Number).join("")}`;
    const lists = this.#lists.get(open) ?? new Map<string, readonly AgentTool[]>();
    this.#lists.set(open, lists);
    const list = lists.get(key) ?? (free.every(Boolean) ? open : open.filter((_, at) => free[at]));
    lists.set(key, list);
    return list;
  }
}

const ALL = { word: "all", takes: () => true };
