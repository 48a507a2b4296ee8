import { ToolError } from "../../../schemas/error.ts";
import { toolResult } from "../tool_result.ts";
import type { NumberedEvent, Runs, RunWish, ServedEvent } from "../../../runtime/server/runs/runs.ts";

type Detail = Awaited<ReturnType<Runs["get"]>>;

/** What a run plays: its events, and what else is told of it at the end. */
export interface Played {
  events: readonly ServedEvent[];
  /** Fields of the run after its events. */
  end?: Partial<Detail>;
  /** The run goes on behind the events only then. @default at once */
  until?: Promise<void>;
}

interface Playing {
  detail: Detail;
  events: NumberedEvent[];
  over: PromiseWithResolvers<void>;
}

/** The states of runs by the reasons of their ends, but for those that failed. */
const STATES: Readonly<Record<string, string>> = {
  completed: "completed",
  waiting_for_clarification: "waiting",
};

/** Runs that play events: the first request the first list, the next one, or a run that goes on, the next. */
export class PlayedRuns implements Runs {
  readonly queued = 0;
  readonly requests: RunWish[] = [];
  readonly answers: unknown[] = [];
  readonly removed: string[] = [];
  readonly all = new Map<string, Playing>();
  readonly #lists: Played[];

  constructor(...lists: Played[]) {
    this.#lists = lists;
  }

  start(request: RunWish): Promise<Detail> {
    const n = this.requests.push(request);
    const id = `20261123-100000-0000000${n}`;
    const { prompt: task, agent = null, workspace = "/work" } = request;
    const time = "2026-11-23T10:00:00.000Z";
    const none = { model: null, policy: null, grants: null, answer: null, error: null, usage: null };
    const can = { resume: false, undo: false, cancel: true, answer: false };
    const detail: Detail = {
      ...{
        id,
        state: "running",
        task,
        agent,
        workspace,
        ...none,
        created: time,
        updated: time,
        seconds: null,
        changed: null,
      },
      ...{ termination_reason: null, events: 0, questions: [], can },
    };
    const run = { detail, events: [], over: Promise.withResolvers<void>() };
    this.all.set(id, run);
    this.#play(run);
    return Promise.resolve(structuredClone(detail));
  }

  list(): ReturnType<Runs["list"]> {
    return Promise.resolve({ runs: [...this.all.values()].map(({ detail }) => detail), next: null });
  }

  get(id: string): Promise<Detail> {
    return Promise.resolve().then(() => structuredClone(this.#of(id).detail));
  }

  async *#following(id: string, after: number): AsyncGenerator<NumberedEvent[]> {
    const run = this.#of(id);
    const { over } = run;
    const first = run.events.filter(({ n }) => n > after);
    if (first.length > 0) yield first;
    await over.promise;
    const rest = run.events.slice(after + first.length);
    if (rest.length > 0) yield rest;
  }

  follow(id: string, after: number): ReturnType<Runs["follow"]> {
    return Promise.resolve(this.#following(id, after));
  }

  async settled(id: string): Promise<Detail> {
    await this.#of(id).over.promise;
    return await this.get(id);
  }

  answer(id: string, answer: unknown): Promise<Detail> {
    this.answers.push(answer);
    return this.#again(id);
  }

  resume(id: string, how: unknown): Promise<Detail> {
    this.answers.push(how);
    return this.#again(id);
  }

  cancel(id: string): Promise<Detail> {
    const run = this.#of(id);
    Object.assign(run.detail, { state: "interrupted", termination_reason: "interrupted" });
    return this.get(id);
  }

  async remove(id: string): Promise<Detail> {
    const detail = await this.get(id);
    this.all.delete(id);
    this.removed.push(id);
    return detail;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #again(id: string): Promise<Detail> {
    const run = this.#of(id);
    run.over = Promise.withResolvers();
    this.#play(run);
    return this.get(id);
  }

  #play(run: Playing): void {
    const { events, end = {}, until } = this.#lists.shift() ?? { events: [] };
    const split = until === undefined ? 0 : events.findIndex(({ type }) => type === "run.end");
    const add = (list: readonly ServedEvent[]) => {
      for (const event of list) run.events.push({ n: run.events.length + 1, time: "", event });
      run.detail.events = run.events.length;
    };
    add(events.slice(0, split));
    const finish = () => {
      add(events.slice(split));
      const last = events.findLast((event) => event.type === "run.end");
      const { answer = null, termination_reason = null, usage = null } = last ?? {};
      const state = STATES[termination_reason ?? ""] ?? "failed";
      Object.assign(run.detail, { state, answer, termination_reason, usage, ...end });
      run.over.resolve();
    };
    if (until === undefined) finish();
    else until.then(finish);
  }

  #of(id: string): Playing {
    const run = this.all.get(id);
    if (run === undefined) throw new ToolError("not_found", `There is no run ${id}`);
    return run;
  }
}

/** The events of a run that says a text, in pieces, and ends with an answer. */
export function spoken(...pieces: string[]): ServedEvent[] {
  return [turn(1), ...pieces.map(text), ended(pieces.join(""))];
}

export function turn(n: number): ServedEvent {
  return { type: "turn.start", n, input_tokens: 10 };
}

export function text(text: string): ServedEvent {
  return { type: "text.delta", text };
}

export function called(id: string, tool: string, output: string): ServedEvent[] {
  const metadata = { duration_ms: 3, place: "worker", summary: "1 line" } as const;
  const result = toolResult({ tool_name: tool, result: output, text: output, metadata });
  return [
    { type: "tool.start", id, tool, arguments: { path: "a`<b>`.ts" } },
    { type: "tool.end", id, result },
  ];
}

export function ended(
  answer: string | null,
  termination_reason: Extract<ServedEvent, { type: "run.end" }>["termination_reason"] = "completed",
): ServedEvent {
  const usage = { input_tokens: 100, cached_tokens: 40, output_tokens: 7, rounds: 1, calls: 0, failed: 0 };
  return {
    ...{ type: "run.end", exit_code: 0, termination_reason, answer },
    usage: { ...usage, cost: null, estimated: false },
  };
}

export const LONG_ANSWER = "The orders are counted by day. ".repeat(12).trim();

export function lookedUp(): ServedEvent[] {
  return [
    turn(1),
    text("I look."),
    ...called("1", "own/Look", "4"),
    ...spoken(LONG_ANSWER.slice(0, 250), LONG_ANSWER.slice(250)),
  ];
}
