import type { AgentOutcome } from "../../schemas/agent/agent.ts";
import type { RunEvent } from "../../schemas/agent/events.ts";

/** How a run ended. */
export interface AgentResult extends AgentOutcome {
  /** `null` if nothing is kept. */
  session_id: string | null;
  trace_path: string | null;
}

/**
 * A run that goes on: await it for its result, iterate over it for its events, or both. It goes on though nobody does.
 * Both reject with a `ToolError` if the run cannot begin.
 */
export interface AgentRun extends PromiseLike<AgentResult>, AsyncIterable<RunEvent> {}

/**
 * Keeps the events of a run until somebody takes them. Whoever only awaits the result does not want them; whoever
 * iterates gets all of them, also those from before.
 */
export class AgentEvents {
  #kept: RunEvent[] | null = [];
  #more = Promise.withResolvers<void>();
  #ended = false;
  #taken = false;

  add(event: RunEvent): void {
    this.#kept?.push(event);
    this.#wake();
  }

  /** Returns the run, for those who await it and those who iterate over it. */
  follow(result: Promise<AgentResult>): AgentRun {
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    // Whoever awaits or iterates hears of a failure; if nobody does, nobody wants to know.
    result.then(end, end);
    return {
      then: (onValue, onError) => {
        if (!this.#taken) this.#kept = null;
        return result.then(onValue, onError);
      },
      [Symbol.asyncIterator]: () => this.#take(result),
    };
  }

  /** A second iteration shares the events with the first. */
  #take(result: Promise<AgentResult>): AsyncGenerator<RunEvent> {
    this.#taken = true;
    this.#kept ??= [];
    return this.#events(result);
  }

  async *#events(result: Promise<AgentResult>): AsyncGenerator<RunEvent> {
    try {
      for (;;) {
        const event = this.#kept?.shift();
        if (event) yield event;
        else if (this.#ended) break;
        else await this.#more.promise;
      }
    } finally {
      // Whoever leaves early wants no more of them.
      this.#kept = null;
    }
    await result;
  }

  #wake(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }
}
