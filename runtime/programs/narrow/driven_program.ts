import { type ErrorInfo, ToolError } from "../../../schemas/error.ts";
import { entryUrl } from "../../self/entry_urls.ts";
import { startWorker } from "../../self/start_worker.ts";
import { Backlog } from "../../wait/backlog.ts";
import { settlesWithin } from "../../wait/settles_within.ts";
import type { PipedProgram } from "./piped_program.ts";

/** What main tells a worker that drives a program. */
export type ToWorker<Begin, Work> =
  /** First of all: the program is there. */
  | { t: "begin"; begin: Begin }
  /** What the program wrote. */
  | { t: "bytes"; bytes: Uint8Array<ArrayBuffer> }
  | { t: "act"; id: number; work: Work }
  /** Nobody waits for an action any more. */
  | { t: "stop"; id: number };

/** What a worker that drives a program tells main. */
export type FromWorker<Answer> =
  /** Bytes for the program. */
  | { t: "send"; bytes: Uint8Array<ArrayBuffer> }
  /** So many of its bytes were taken in. */
  | { t: "taken"; bytes: number }
  /** It answers, and can be used. */
  | { t: "opened" }
  | { t: "unopened"; error: ErrorInfo }
  | { t: "answer"; id: number; answer: Answer }
  | { t: "failed"; id: number; error: ErrorInfo };

/** What a driver talks with: bytes that come and go. */
export type DrivenPipe = Pick<PipedProgram, "stdout" | "stderr" | "write" | "close">;

/** How a kind of program is driven. */
export interface DriverKind {
  /** What it is, for messages: "browser". */
  what: string;
  entry: Parameters<typeof entryUrl>[0];
  /** From so many bytes that the worker has not taken in, no more is read from the program. */
  highWater: number;
  /** Longest time until it answers, in milliseconds. */
  openMs: number;
  /** Cuts what the program writes into the parts that the worker gets. Each has memory of its own. */
  cut(stdout: AsyncIterable<Uint8Array>, fail: (error: ToolError) => void): AsyncIterable<
    Uint8Array<ArrayBuffer>
  >;
}

/** Exit code of what was killed: its last lines do not say why. */
const KILLED = 137;
/** Characters of a program's last lines that are told. */
const SAID = 600;

/**
 * A running program and the worker that drives it, which holds no permission. Main passes the bytes between them on, and looks
 * at none. Both end with it; close it with `await using`.
 */
export class DrivenProgram<Work, Answer, Pipe extends DrivenPipe = DrivenPipe> implements AsyncDisposable {
  readonly #kind: DriverKind;
  readonly #pipe: Pipe;
  readonly #worker: Worker;
  readonly #opened = Promise.withResolvers<void>();
  readonly #asked = new Map<number, PromiseWithResolvers<Answer>>();
  readonly #backlog: Backlog;
  #count = 0;
  #written: Promise<void> = Promise.resolve();
  #end: ToolError | null = null;
  #closing: Promise<void> | undefined;

  private constructor(kind: DriverKind, { pipe, worker }: { pipe: Pipe; worker: Worker }) {
    this.#kind = kind;
    this.#pipe = pipe;
    this.#worker = worker;
    this.#backlog = new Backlog(kind.highWater);
    // Somebody may not wait for it any more.
    this.#opened.promise.catch(() => {});
    worker.onmessage = ({ data }: MessageEvent<FromWorker<Answer>>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      const message = `The worker that drives the ${kind.what} failed: ${event.message}`;
      this.#fail(new ToolError("internal", message));
    };
  }

  /**
   * Starts a program, and takes it.
   *
   * @param start Starts it, and says what the worker is told first
   * @throws {ToolError} `unavailable` if it ends, or does not answer; what `start` throws
   */
  static async open<Work, Answer, Begin, Pipe extends DrivenPipe>(
    kind: DriverKind,
    start: () => Promise<{ pipe: Pipe; begin: Begin }>,
  ): Promise<DrivenProgram<Work, Answer, Pipe>> {
    // Both take their time to start, and do so at once.
    const worker = startWorker(entryUrl(kind.entry), "none");
    const { pipe, begin } = await start().catch((error) => {
      worker.terminate();
      throw error;
    });
    const driven = new DrivenProgram<Work, Answer, Pipe>(kind, { pipe, worker });
    driven.#post({ t: "begin", begin });
    void driven.#read();
    try {
      if (await settlesWithin(driven.#opened.promise, kind.openMs)) return driven;
      const seconds = kind.openMs / 1000;
      throw new ToolError("unavailable", `The ${kind.what} did not answer within ${seconds} seconds`);
    } catch (error) {
      await driven[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The program. */
  get pipe(): Pipe {
    return this.#pipe;
  }

  /** Why it can be asked nothing any more, `null` if it can. */
  get end(): ToolError | null {
    return this.#end;
  }

  /**
   * Does an action. Throws `ToolError`; `unavailable` if the program ends.
   *
   * @param signal Tells the worker that nobody waits any more; the action still ends by itself
   */
  async act(work: Work, signal: AbortSignal): Promise<Answer> {
    if (this.#end !== null) throw this.#end;
    const id = this.#count++;
    const asked = Promise.withResolvers<Answer>();
    this.#asked.set(id, asked);
    const stop = () => this.#post({ t: "stop", id });
    signal.addEventListener("abort", stop, { once: true });
    this.#post({ t: "act", id, work });
    try {
      return await asked.promise;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    this.#fail(new ToolError("cancelled", `The ${this.#kind.what} was closed`));
    this.#worker.terminate();
    await this.#pipe.close({ graceMs: 0 });
  }

  #post(message: ToWorker<unknown, Work>, memory: Transferable[] = []): void {
    this.#worker.postMessage(message, memory);
  }

  async #read(): Promise<void> {
    const { what, cut } = this.#kind;
    try {
      for await (const bytes of cut(this.#pipe.stdout, (error) => this.#fail(error))) {
        if (this.#end !== null) return;
        this.#backlog.add(bytes.length);
        this.#post({ t: "bytes", bytes }, [bytes.buffer]);
        await this.#backlog.room();
      }
    } catch (error) {
      this.#fail(new ToolError("unavailable", `The ${what} cannot be read: ${error}`));
    }
    const { exitCode } = await this.#pipe.close({ graceMs: 0 });
    const why = exitCode === KILLED ? ": it was killed" : this.#said();
    this.#fail(new ToolError("unavailable", `The ${what} ended with code ${exitCode}${why}`));
  }

  #said(): string {
    const text = this.#pipe.stderr.trim();
    return text === "" ? "" : `; it said: ${text.slice(-SAID)}`;
  }

  #hear(message: FromWorker<Answer>): void {
    if (message.t === "send") this.#send(message.bytes);
    else if (message.t === "taken") this.#backlog.take(message.bytes);
    else if (message.t === "opened") this.#opened.resolve();
    else if (message.t === "unopened") this.#fail(ofInfo(message.error));
    else {
      const asked = this.#asked.get(message.id);
      this.#asked.delete(message.id);
      if (message.t === "answer") asked?.resolve(message.answer);
      else asked?.reject(ofInfo(message.error));
    }
  }

  #send(bytes: Uint8Array): void {
    // A program that reads no more has ended.
    this.#written = this.#written.then(() => this.#pipe.write(bytes)).catch(() => {});
  }

  #fail(error: ToolError): void {
    if (this.#end !== null) return;
    this.#end = error;
    this.#opened.reject(error);
    for (const asked of this.#asked.values()) asked.reject(error);
    this.#asked.clear();
    this.#backlog.end();
  }
}

function ofInfo({ code, message, retryable, details }: ErrorInfo): ToolError {
  return new ToolError(code, message, { retryable, details });
}
