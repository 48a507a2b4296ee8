import type { Command, CommandAnalysis } from "../../../schemas/command.ts";
import { ToolError } from "../../../schemas/error.ts";
import { entryUrl } from "../../self/entry_urls.ts";
import { startWorker } from "../../self/start_worker.ts";

/** The question to the worker; `n` counts up. */
export interface ReaderQuestion {
  n: number;
  command: Command;
}

/** The worker's answer. */
export type ReaderAnswer = { n: number; analysis: CommandAnalysis } | { n: number; failure: string };

/** Understands what a command would do. */
export type ReadCommand = (command: Command) => Promise<CommandAnalysis>;

/**
 * Longest reading of one command, in milliseconds. Reading takes bounded time and normally ends long before.
 */
const READ_MS = 20_000;

/** Reads commands in a worker that holds no permission. It starts with the first command, and stays. */
export class CommandReader implements Disposable {
  readonly #waiting = new Map<number, PromiseWithResolvers<CommandAnalysis>>();
  #worker: Worker | undefined;
  #asked = 0;

  /** Starts the worker before the first command needs it. Needs `read` of the program's own files. */
  start(): void {
    this.#worker ??= this.#open();
  }

  /** Reads a command. Rejects with `internal` if it cannot be read: then the command must not run. */
  readonly read: ReadCommand = async (command) => {
    this.start();
    const n = ++this.#asked;
    const answer = Promise.withResolvers<CommandAnalysis>();
    this.#waiting.set(n, answer);
    const timer = setTimeout(() => this.#fail(`it took longer than ${READ_MS} ms`), READ_MS);
    this.#worker?.postMessage({ n, command } satisfies ReaderQuestion);
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(n);
    }
  };

  [Symbol.dispose](): void {
    this.#fail("the run is over");
  }

  #open(): Worker {
    const worker = startWorker(entryUrl("foreign_text"), "none");
    worker.onmessage = ({ data }: MessageEvent<ReaderAnswer>) => {
      const answer = this.#waiting.get(data.n);
      if ("analysis" in data) answer?.resolve(data.analysis);
      else answer?.reject(unread(data.failure));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message);
    };
    return worker;
  }

  /** A worker that failed is replaced with the next command. */
  #fail(why: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(unread(why));
  }
}

function unread(why: string): ToolError {
  return new ToolError("internal", `The command was not started: it could not be read (${why})`);
}
