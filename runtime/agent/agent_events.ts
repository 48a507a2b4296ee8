import type { AgentOutcome } from "../../schemas/agent/agent.ts";
import type { RunEnding } from "../../schemas/agent/ending.ts";
import type { RunEvent } from "../../schemas/agent/events.ts";

/** How a run ended. */
export interface AgentResult<Output = unknown> extends Omit<AgentOutcome, "output">, RunEnding {
  /** The answer as the schema gives it, if there is one; absent if the run ended without such an answer. */
  output?: Output;
  /** Name of the agent, if it is not the usual one. */
  agent?: string;
  /** `null` if the run keeps no trace. */
  session_id: string | null;
  /** Path of the trace's file; `null` if the run keeps none. */
  trace_path: string | null;
}

/**
 * A run in progress: await it for its result, iterate over it for its events, or both. It also continues
 * without a listener. Both reject with a `ToolError` if the run cannot begin.
 */
export interface AgentRun<Output = unknown>
  extends PromiseLike<AgentResult<Output>>, AsyncIterable<RunEvent> {}

/**
 * Keeps the events of a run until they are read. A caller that only awaits the result gets no events. A
 * caller that iterates gets all of them, also the earlier ones.
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

  /** Returns the run, to await or to iterate over. */
  follow<Output>(result: Promise<AgentResult<Output>>): AgentRun<Output> {
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    // A caller that awaits or iterates gets the failure. Without such a caller, the failure is ignored.
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
  #take(result: Promise<unknown>): AsyncGenerator<RunEvent> {
    this.#taken = true;
    this.#kept ??= [];
    return this.#events(result);
  }

  async *#events(result: Promise<unknown>): AsyncGenerator<RunEvent> {
    try {
      for (;;) {
        const event = this.#kept?.shift();
        if (event) yield event;
        else if (this.#ended) break;
        else await this.#more.promise;
      }
    } finally {
      // A caller that leaves the loop early needs no more events.
      this.#kept = null;
    }
    await result;
  }

  #wake(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }
}
