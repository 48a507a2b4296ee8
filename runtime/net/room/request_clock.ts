/** What ends a request before its time. */
export interface RequestEnd {
  /** What its caller is told. */
  reason: unknown;
}

/**
 * Ends what a request waits for: when its call is cancelled, when its time is up, and when nothing comes for too long. One
 * timer serves for all of them, and is not set anew with each piece that comes.
 */
export class RequestClock implements Disposable {
  readonly #call: AbortSignal;
  readonly #until: number;
  readonly #late: () => unknown;
  readonly #onCancel = () => this.#finish(this.#call.reason);
  #current = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #heardAt = 0;
  #silence: { ms: number; error: () => unknown } | null = null;
  #end: RequestEnd | null = null;

  /**
   * @param call Aborts when the call is cancelled
   * @param options `until`: when the time is up, in milliseconds since the epoch; `late` makes the error for that
   */
  constructor(call: AbortSignal, { until, late }: { until: number; late: () => unknown }) {
    this.#call = call;
    this.#until = until;
    this.#late = late;
    if (call.aborted) this.#onCancel();
    else call.addEventListener("abort", this.#onCancel);
  }

  /** Why the request has ended, `null` as long as it may go on. */
  get end(): RequestEnd | null {
    return this.#end;
  }

  /** Begins an attempt; its signal aborts when the request has ended. */
  begin(): AbortSignal {
    this.#current = new AbortController();
    if (this.#end !== null) this.#current.abort(this.#end.reason);
    return this.#current.signal;
  }

  /** Ends the request if nothing is heard for so many milliseconds from now on, in place of an earlier bound. */
  expect(ms: number, error: () => unknown): void {
    this.#silence = { ms, error };
    this.hear();
    if (this.#end === null) this.#wait();
  }

  /** Something has come. */
  hear(): void {
    this.#heardAt = Date.now();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#call.removeEventListener("abort", this.#onCancel);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const silentAt = this.#heardAt + (this.#silence?.ms ?? Infinity);
    this.#timer = setTimeout(() => this.#look(), Math.max(0, Math.min(silentAt, this.#until) - Date.now()));
  }

  /** Timers may come early by a part of a millisecond. */
  #look(): void {
    const now = Date.now();
    if (now >= this.#until) this.#finish(this.#late());
    else if (this.#silence && now >= this.#heardAt + this.#silence.ms) this.#finish(this.#silence.error());
    else this.#wait();
  }

  #finish(reason: unknown): void {
    clearTimeout(this.#timer);
    this.#end ??= { reason };
    this.#current.abort(reason);
  }
}
