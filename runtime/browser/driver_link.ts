import type { BrowserAction, BrowserAnswer } from "../../schemas/browser/browser.ts";
import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import type { PipedProgram } from "../programs/narrow/piped_program.ts";
import { entryUrl } from "../self/entry_urls.ts";
import { requireWorkerOptions } from "../self/worker_options.ts";
import { cutBytes } from "../text/cut_bytes.ts";
import { settlesWithin } from "../wait/settles_within.ts";
import type { FromDriver, ToDriver } from "./protocol.ts";

/** Ends a message of the browser. */
const MESSAGE_END = 0;
/** Longest message of the browser, in bytes: a picture, or a page. */
const MAX_MESSAGE = 64 * 1024 * 1024;
/** From so many bytes that the worker has not taken in, no more is read from the browser. */
const HIGH_WATER = 4 * 1024 * 1024;
/** Longest time until a browser answers, in milliseconds. */
const OPEN_MS = 60_000;
/** Exit code of what was killed: its last lines do not say why. */
const KILLED = 137;
/** Where downloads go in a sandbox, where it has the disk for itself. */
const DOWNLOADS = "/tmp/bulkhead-downloads";
/** Characters of the browser's last lines that are told. */
const SAID = 600;

/**
 * A running browser and the worker that drives it. Main passes the messages between them on, and looks at none. Both end
 * with it; close it with `await using`.
 */
export class DriverLink implements AsyncDisposable {
  readonly #program: PipedProgram;
  readonly #worker: Worker;
  readonly #opened = Promise.withResolvers<void>();
  readonly #asked = new Map<number, PromiseWithResolvers<BrowserAnswer>>();
  #count = 0;
  #written: Promise<void> = Promise.resolve();
  #end: ToolError | null = null;
  /** Bytes that the worker has not taken in. */
  #ahead = 0;
  #onTaken: (() => void) | null = null;
  #closing: Promise<void> | undefined;

  private constructor(program: PipedProgram, worker: Worker, downloads: string) {
    this.#program = program;
    this.#worker = worker;
    // Somebody may not wait for it any more.
    this.#opened.promise.catch(() => {});
    this.#worker.onmessage = ({ data }: MessageEvent<FromDriver>) => this.#hear(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new ToolError("internal", `The worker that drives the browser failed: ${event.message}`));
    };
    this.#post({ t: "begin", downloads });
    void this.#read();
  }

  /**
   * Starts a browser, and takes it.
   *
   * @param options `downloads` is the folder for its downloads, as it sees the disk
   * @throws {ToolError} `unavailable` if it ends, or does not answer; what `start` throws
   */
  static async open(
    start: () => Promise<PipedProgram>,
    { downloads = DOWNLOADS }: { downloads?: string } = {},
  ): Promise<DriverLink> {
    requireWorkerOptions();
    // Both take their time to start, and do so at once.
    const worker = new Worker(entryUrl("browser"), { type: "module", deno: { permissions: "none" } });
    const program = await start().catch((error) => {
      worker.terminate();
      throw error;
    });
    const link = new DriverLink(program, worker, downloads);
    try {
      if (!await settlesWithin(link.#opened.promise, OPEN_MS)) {
        throw new ToolError("unavailable", `The browser did not answer within ${OPEN_MS / 1000} seconds`);
      }
      return link;
    } catch (error) {
      await link[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The browser. */
  get program(): PipedProgram {
    return this.#program;
  }

  /** Why it can be asked nothing any more, `null` if it can. */
  get end(): ToolError | null {
    return this.#end;
  }

  /** Does an action. Throws `ToolError`; `unavailable` if the browser ends. */
  act(action: BrowserAction, { picture }: { picture: boolean }): Promise<BrowserAnswer> {
    if (this.#end !== null) return Promise.reject(this.#end);
    const id = this.#count++;
    const asked = Promise.withResolvers<BrowserAnswer>();
    this.#asked.set(id, asked);
    this.#post({ t: "act", id, action, picture });
    return asked.promise;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #close(): Promise<void> {
    this.#fail(new ToolError("cancelled", "The browser was closed"));
    this.#worker.terminate();
    await this.#program.close({ graceMs: 0 });
  }

  #post(message: ToDriver, memory: Transferable[] = []): void {
    this.#worker.postMessage(message, memory);
  }

  async #read(): Promise<void> {
    const onTooLong = () =>
      this.#fail(new ToolError("limit_exceeded", "The browser sent too long a message"));
    try {
      const cut = { at: MESSAGE_END, maxBytes: MAX_MESSAGE, onTooLong };
      for await (const bytes of cutBytes(this.#program.stdout, cut)) {
        if (this.#end !== null) return;
        this.#ahead += bytes.length + 1;
        this.#post({ t: "message", bytes }, [bytes.buffer]);
        while (this.#ahead > HIGH_WATER && this.#end === null) {
          await new Promise<void>((resolve) => this.#onTaken = resolve);
        }
      }
    } catch (error) {
      this.#fail(new ToolError("unavailable", `The pipe of the browser cannot be read: ${error}`));
    }
    const { exitCode } = await this.#program.close({ graceMs: 0 });
    const why = exitCode === KILLED ? ": it was killed" : this.#said();
    this.#fail(new ToolError("unavailable", `The browser ended with code ${exitCode}${why}`));
  }

  #said(): string {
    const text = this.#program.stderr.trim();
    return text === "" ? "" : `; it said: ${text.slice(-SAID)}`;
  }

  #hear(message: FromDriver): void {
    if (message.t === "send") this.#send(message.message);
    else if (message.t === "taken") {
      this.#ahead -= message.bytes;
      this.#onTaken?.();
    } else if (message.t === "opened") this.#opened.resolve();
    else if (message.t === "unopened") this.#fail(ofInfo(message.error));
    else {
      const asked = this.#asked.get(message.id);
      this.#asked.delete(message.id);
      if (message.t === "answer") asked?.resolve(message.answer);
      else asked?.reject(ofInfo(message.error));
    }
  }

  #send(message: string): void {
    const bytes = new TextEncoder().encode(`${message}\0`);
    // A browser that reads no more has ended.
    this.#written = this.#written.then(() => this.#program.write(bytes)).catch(() => {});
  }

  #fail(error: ToolError): void {
    if (this.#end !== null) return;
    this.#end = error;
    this.#opened.reject(error);
    for (const asked of this.#asked.values()) asked.reject(error);
    this.#asked.clear();
    this.#onTaken?.();
  }
}

function ofInfo({ code, message, retryable, details }: ErrorInfo): ToolError {
  return new ToolError(code, message, { retryable, details });
}
