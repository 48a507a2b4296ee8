import type { DesktopAction, DesktopAnswer } from "../../schemas/desktop/desktop.ts";
import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import type { PipedProgram } from "../programs/narrow/piped_program.ts";
import { entryUrl } from "../self/entry_urls.ts";
import { requireWorkerOptions } from "../self/worker_options.ts";
import { settlesWithin } from "../wait/settles_within.ts";
import type { FromDisplay, Greeting, ToDisplay } from "./protocol.ts";

/** From so many bytes that the worker has not taken in, no more is read from the display. */
const HIGH_WATER = 16 * 1024 * 1024;
/** Longest time until a display answers, in milliseconds. */
const OPEN_MS = 30_000;
/** Characters of the desktop's last lines that are told. */
const SAID = 600;

/** The connection to a display: bytes that come and go. */
export type DisplayConnection = Pick<PipedProgram, "stdout" | "stderr" | "write" | "close">;

/**
 * A connection to a display and the worker that drives it. Main passes the bytes between them on, and looks at none. Both
 * end with it; close it with `await using`.
 */
export class DisplayLink implements AsyncDisposable {
  readonly #display: DisplayConnection;
  readonly #worker: Worker;
  readonly #opened = Promise.withResolvers<void>();
  readonly #asked = new Map<number, PromiseWithResolvers<DesktopAnswer>>();
  #count = 0;
  #written: Promise<void> = Promise.resolve();
  #end: ToolError | null = null;
  /** Bytes that the worker has not taken in. */
  #ahead = 0;
  #onTaken: (() => void) | null = null;
  #closing: Promise<void> | undefined;

  private constructor(display: DisplayConnection, greeting: Greeting) {
    requireWorkerOptions();
    this.#display = display;
    // Somebody may not wait for it any more.
    this.#opened.promise.catch(() => {});
    this.#worker = new Worker(entryUrl("desktop"), { type: "module", deno: { permissions: "none" } });
    this.#worker.onmessage = ({ data }: MessageEvent<FromDisplay>) => this.#hear(data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new ToolError("internal", `The worker that drives the desktop failed: ${event.message}`));
    };
    this.#post({ t: "open", greeting });
    void this.#read();
  }

  /**
   * Takes a connection to a display that was just made.
   *
   * @throws {ToolError} `unavailable` if the display ends, or does not answer
   */
  static async open(display: DisplayConnection, greeting: Greeting): Promise<DisplayLink> {
    const link = new DisplayLink(display, greeting);
    try {
      if (!await settlesWithin(link.#opened.promise, OPEN_MS)) {
        throw new ToolError("unavailable", `The desktop did not answer within ${OPEN_MS / 1000} seconds`);
      }
      await link.#opened.promise;
      return link;
    } catch (error) {
      await link[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Why it can be asked nothing any more, `null` if it can. */
  get end(): ToolError | null {
    return this.#end;
  }

  /**
   * Does an action. Throws `ToolError`; `unavailable` if the desktop ends.
   *
   * @param signal Stops it: it still ends by itself, and releases what it holds pressed
   */
  async act(action: DesktopAction, signal: AbortSignal): Promise<DesktopAnswer> {
    if (this.#end !== null) throw this.#end;
    const id = this.#count++;
    const asked = Promise.withResolvers<DesktopAnswer>();
    this.#asked.set(id, asked);
    const stop = () => this.#post({ t: "stop", id });
    signal.addEventListener("abort", stop, { once: true });
    this.#post({ t: "act", id, action });
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
    this.#fail(new ToolError("cancelled", "The desktop was closed"));
    this.#worker.terminate();
    await this.#display.close({ graceMs: 0 });
  }

  #post(message: ToDisplay, memory: Transferable[] = []): void {
    this.#worker.postMessage(message, memory);
  }

  async #read(): Promise<void> {
    try {
      for await (const chunk of this.#display.stdout) {
        if (this.#end !== null) return;
        // Always a copy: it goes to another thread, with its memory.
        const bytes = new Uint8Array(chunk);
        this.#ahead += bytes.length;
        this.#post({ t: "bytes", bytes }, [bytes.buffer]);
        while (this.#ahead > HIGH_WATER && this.#end === null) {
          await new Promise<void>((resolve) => this.#onTaken = resolve);
        }
      }
    } catch (error) {
      this.#fail(new ToolError("unavailable", `The desktop cannot be read: ${error}`));
    }
    const { exitCode } = await this.#display.close({ graceMs: 0 });
    this.#fail(new ToolError("unavailable", `The desktop ended with code ${exitCode}${this.#said()}`));
  }

  #said(): string {
    const text = this.#display.stderr.trim();
    return text === "" ? "" : `; it said: ${text.slice(-SAID)}`;
  }

  #hear(message: FromDisplay): void {
    if (message.t === "send") this.#send(message.bytes);
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

  #send(bytes: Uint8Array): void {
    // A display that reads no more has ended.
    this.#written = this.#written.then(() => this.#display.write(bytes)).catch(() => {});
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
