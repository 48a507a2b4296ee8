import { ToolError } from "../../../schemas/error.ts";
import { entryUrl } from "../../self/entry_urls.ts";
import { startWorker } from "../../self/start_worker.ts";
import type { SchemaAnswer, SchemaQuestion } from "./protocol.ts";

/** A question without its number. */
export type SchemaAsk = SchemaQuestion extends infer Q ? Q extends { n: number } ? Omit<Q, "n"> : never
  : never;

/** How long the worker may take to start, in milliseconds. */
const START_MS = 60_000;

/** A worker that checks values, and what it holds. It is asked one question at a time. */
export class SchemaWorker implements Disposable {
  /** The schemas that it has taken. */
  readonly taken = new Set<number>();
  readonly #worker: Worker;
  readonly #ready: Promise<SchemaAnswer | null>;
  #answer = Promise.withResolvers<SchemaAnswer | null>();
  #asked = 0;

  /** Starts the worker. Needs `read` of the program's own files. */
  constructor() {
    this.#ready = this.#answer.promise;
    this.#worker = startWorker(entryUrl("schema_check"), "none");
    this.#worker.onmessage = ({ data }: MessageEvent<SchemaAnswer>) => {
      if (data.n === this.#asked) this.#answer.resolve(data);
    };
    this.#worker.onerror = (event) => {
      event.preventDefault();
      const failure = { pointer: "#", message: event.message };
      this.#answer.resolve({ n: this.#asked, failure });
    };
  }

  /**
   * Asks, and waits for the answer.
   *
   * @param ms Longest time for the answer, in milliseconds; the start of the worker does not count
   * @returns `null` if there was no answer in time: then the worker is of no use any more
   */
  async ask(question: SchemaAsk, ms: number): Promise<SchemaAnswer | null> {
    const started = await this.#wait(this.#ready, START_MS);
    if (started === null || "failure" in started) {
      throw new ToolError("unavailable", "Cannot check against schemas: the worker for it did not start");
    }
    this.#answer = Promise.withResolvers();
    this.#worker.postMessage({ ...question, n: ++this.#asked } satisfies SchemaQuestion);
    return await this.#wait(this.#answer.promise, ms);
  }

  /** Ends it, whatever it does. Only V8 itself, in the middle of a pattern, could not be stopped: patterns are bounded. */
  [Symbol.dispose](): void {
    this.#worker.terminate();
    this.#answer.resolve(null);
  }

  async #wait(answer: Promise<SchemaAnswer | null>, ms: number): Promise<SchemaAnswer | null> {
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => late.resolve(null), ms);
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}
