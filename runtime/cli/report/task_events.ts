import { type AgentUsage, NO_USAGE } from "../../../schemas/agent/agent.ts";
import type { CallId } from "../../../schemas/agent/events.ts";
import type { TaskAnswer } from "../../queue/tasks/answer_task.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Output } from "../io/output.ts";

/** What only those hear who watch a run at its server. */
const OF_SERVERS: ReadonlySet<string> = new Set(["prompt", "run.queued", "question", "question.end"]);

/** Writes the events of many runs, one line of JSON each, with the id of their task, and one last event of all. */
export class TaskEvents {
  readonly #output: Pick<Output, "write">;
  readonly #mask: (line: string) => string;
  readonly #onFail: (error: unknown) => void;
  /** Pieces of a text that belong together are masked where they are kept. */
  #written: Promise<void> = Promise.resolve();
  #usage: AgentUsage = NO_USAGE;

  /** @param parts `onFail` is called, perhaps several times, when events can no longer be written */
  constructor(
    parts: { output: Pick<Output, "write">; mask(line: string): string; onFail(error: unknown): void },
  ) {
    this.#output = parts.output;
    this.#mask = parts.mask;
    this.#onFail = parts.onFail;
  }

  /** Resolves when all events so far are written, rejects if one could not be. */
  get written(): Promise<void> {
    return this.#written;
  }

  /** Tells an event of a run. */
  emit(task: CallId, event: { type: string }): void {
    if (!OF_SERVERS.has(event.type)) this.#write({ v: 1, task, ...event });
  }

  /** Counts a task that has ended; `isToldEnd`: its run has told so. One that did not begin has told nothing. */
  end(answer: TaskAnswer, { isToldEnd }: { isToldEnd: boolean }): void {
    const { id, usage, error, exit_code, termination_reason } = answer;
    if (usage !== null) this.#usage = sum(this.#usage, usage);
    if (isToldEnd) return;
    if (error !== null) this.#write({ v: 1, task: id, type: "warning", message: error.message });
    const end = {
      exit_code,
      termination_reason,
      usage,
      answer: null,
      changed: [],
      refused: [],
      resume: null,
    };
    this.#write({ v: 1, task: id, type: "run.end", ...end });
  }

  /** The last event, of all tasks together. */
  async last(exitCode: number, { interrupted }: { interrupted: boolean }): Promise<void> {
    const termination_reason = interrupted ? "interrupted" : exitCode === 0 ? "completed" : "task_failed";
    this.#write({ v: 1, type: "run.end", exit_code: exitCode, termination_reason, usage: this.#usage });
    await this.#written;
  }

  #write(event: object): void {
    const line = this.#mask(jsonLine(event));
    this.#written = this.#written.then(() => this.#output.write(line));
    // A caller that awaits `written` gets the error. Without such a caller, only the handler gets it.
    this.#written.catch(this.#onFail);
  }
}

function sum(one: AgentUsage, other: AgentUsage): AgentUsage {
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    cached_tokens: one.cached_tokens + other.cached_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    rounds: one.rounds + other.rounds,
    calls: one.calls + other.calls,
    failed: one.failed + other.failed,
    cost: one.cost === null && other.cost === null ? null : (one.cost ?? 0) + (other.cost ?? 0),
    estimated: one.estimated || other.estimated,
  };
}
