import type { AgentUsage } from "../../../schemas/agent/agent.ts";
import { ToolError } from "../../../schemas/error.ts";
import { toToolError } from "../../calls/failed_result.ts";
import type { RunLog } from "./run_log.ts";
import type { AskKind, ServedEvent } from "./runs.ts";
import { RunQuestions } from "./run_questions.ts";
import { keepRequest, type KeptRequest, markBegun } from "./settings/kept_request.ts";

/** What a run that is at work here, or waits for its turn, is made of. */
export interface LiveParts {
  id: string;
  state: string;
  request: KeptRequest;
  log: RunLog;
  /** It goes on with a session that was at work before. */
  isResumed: boolean;
  /** Where it stands in the trace of whoever asked. */
  traceparent: string | undefined;
}

/** A run that is at work here, or waits for its turn. */
export class LiveRun {
  readonly id: string;
  readonly log: RunLog;
  readonly isResumed: boolean;
  readonly traceparent: string | undefined;
  readonly questions: RunQuestions;
  readonly #state: string;
  readonly #stop = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  #request: KeptRequest;
  #ahead: number | null = null;
  isAtWork = false;
  /** The agent that does it, and the model that it asks, as far as they are known. */
  facts: { agent?: string; model?: string | null } = {};
  /** How many clients follow its events. */
  followers = 0;

  constructor({ id, state, request, log, isResumed, traceparent }: LiveParts) {
    this.id = id;
    this.log = log;
    this.isResumed = isResumed;
    this.traceparent = traceparent;
    this.#state = state;
    this.#request = request;
    this.questions = new RunQuestions((event) => this.emit(event), {
      ended: this.#stop.signal,
      consentSeconds: request.choice.consentSeconds,
    });
  }

  get request(): KeptRequest {
    return this.#request;
  }

  /** Aborts when the run is to end; the reason is a `ToolError`. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves when the run has ended and nothing of it is at work. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  get standing(): "queued" | "running" | "waiting" {
    if (!this.isAtWork) return "queued";
    return this.questions.waiting.length > 0 ? "waiting" : "running";
  }

  /** Tells an event. A run whose events cannot be kept ends. */
  emit(event: ServedEvent): void {
    if (this.log.isClosed) return;
    try {
      if (this.#request.said !== null && this.#tellsSaid(event)) {
        this.#request = markBegun(this.#state, this.id, this.#request);
      }
      this.log.write(event);
    } catch (error) {
      this.stop(toToolError(error));
    }
  }

  /** Says whether an event shows that what was said stands in the trace: it may also end without asking the model again. */
  #tellsSaid(event: ServedEvent): boolean {
    if (event.type !== "run.end") return event.type === "turn.start";
    return this.#request.failure === null && event.termination_reason !== "interrupted";
  }

  /** Tells how many runs are before it in the queue, if that has changed. */
  tellPlace(ahead: number): void {
    if (ahead !== this.#ahead) this.emit({ type: "run.queued", ahead });
    this.#ahead = ahead;
  }

  /** What it has used since it began, or since it was gone on with. */
  get usage(): AgentUsage | null {
    return this.#request.going ?? null;
  }

  /** Takes what it has used so far; after each reply it is kept, in case that this process is killed. */
  addUsage(going: AgentUsage): void {
    const isReply = going.rounds !== this.usage?.rounds;
    this.#request = { ...this.#request, going };
    if (!isReply) return;
    try {
      keepRequest(this.#state, this.id, this.#request);
    } catch {
      // The work is worth more than the count of it, which most likely stands in the trace at the end.
    }
  }

  /** Keeps why the run could not begin. */
  fail(error: ToolError): void {
    this.#request = { ...this.#request, failure: error.toInfo() };
    keepRequest(this.#state, this.id, this.#request);
  }

  /** Ends the run: it is kept, and can be resumed. */
  stop(reason: ToolError): void {
    this.#stop.abort(reason);
  }

  /** Resolves when the run has ended, or waits for an answer of one of these kinds. */
  async settled(kinds: readonly AskKind[]): Promise<void> {
    while (!this.log.isClosed && !this.asks(kinds)) await this.log.more;
  }

  /** Says whether it waits for an answer of one of these kinds. */
  asks(kinds: readonly AskKind[]): boolean {
    return this.questions.waiting.some(({ kind }) => kinds.includes(kind));
  }

  /** Nothing more comes of it. */
  end(): void {
    this.log[Symbol.dispose]();
    this.#over.resolve();
  }
}

/** Says why somebody ended a run. */
export function cancelledBy(why: string): ToolError {
  return new ToolError("cancelled", why);
}
