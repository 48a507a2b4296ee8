import type { OtelSettings } from "./otel_settings.ts";
import type { FromSender, Span, SpanSource, ToSender } from "./protocol.ts";

/** Longest wait at the end until what is left was delivered, in milliseconds. */
export const FLUSH_MS = 3_000;

/** What a queue needs. */
export interface SpanQueueParts {
  settings: Pick<OtelSettings, "collector" | "queue">;
  source: SpanSource;
  /** The worker that delivers. */
  worker: Worker;
  /** Is told once why spans were lost. */
  warn(message: string): void;
}

/** Spans that wait for their delivery. It never waits and never fails: what there is no place for is dropped and counted. */
export class SpanQueue {
  readonly #parts: SpanQueueParts;
  readonly #waiting: Span[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How many spans are on their way. */
  #sending = 0;
  #hasWarned = false;
  #isOver = false;
  #idle: PromiseWithResolvers<void> | undefined;
  #dropped = 0;

  constructor(parts: SpanQueueParts) {
    const { worker, settings: { collector }, source } = parts;
    this.#parts = parts;
    worker.onmessage = ({ data }: MessageEvent<FromSender>) => this.#hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#isOver = true;
      this.#lose(this.#sending + this.#waiting.splice(0).length, event.message);
      this.#sending = 0;
      this.#idle?.resolve();
    };
    this.#post({ t: "open", collector, source });
  }

  /** How many spans were lost so far. */
  get dropped(): number {
    return this.#dropped;
  }

  add(span: Span): void {
    const { most, batch, delayMs } = this.#parts.settings.queue;
    if (this.#isOver || this.#waiting.length >= most) {
      return this.#lose(1, `the queue of ${most} spans is full`);
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= batch) this.#send();
    else {
      this.#timer ??= setTimeout(() => this.#send(), delayMs);
      // An idle process may end.
      Deno.unrefTimer(this.#timer as unknown as number);
    }
  }

  /** Delivers what is left, within a bound. Then the worker is gone. */
  async end(): Promise<void> {
    const { worker } = this.#parts;
    this.#idle = Promise.withResolvers();
    let late: ReturnType<typeof setTimeout> | undefined;
    if (this.#waiting.length + this.#sending > 0) {
      this.#send();
      const bound = new Promise<void>((resolve) => late = setTimeout(resolve, FLUSH_MS));
      await Promise.race([this.#idle.promise, bound]);
      clearTimeout(late);
    }
    clearTimeout(this.#timer);
    const left = this.#sending + this.#waiting.splice(0).length;
    this.#isOver = true;
    if (left > 0) this.#lose(left, `the collector took longer than ${FLUSH_MS / 1_000} s at the end`);
    worker.terminate();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending > 0 || this.#isOver) return;
    const spans = this.#waiting.splice(0, this.#parts.settings.queue.batch);
    if (spans.length === 0) return void this.#idle?.resolve();
    this.#sending = spans.length;
    this.#post({ t: "send", spans });
  }

  #hear({ lost, problem }: FromSender): void {
    this.#sending = 0;
    if (problem !== null) this.#lose(lost, problem);
    const { batch } = this.#parts.settings.queue;
    if (this.#idle || this.#waiting.length >= batch) this.#send();
    else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#send(), 0);
  }

  #lose(count: number, why: string): void {
    this.#dropped += count;
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { host } = new URL(this.#parts.settings.collector.url);
    const spans = count === 1 ? "1 span of the trace was" : `${count} spans of the trace were`;
    this.#parts.warn(`${spans} not delivered to ${host}: ${why}; the work goes on, and this is said once`);
  }

  #post(message: ToSender): void {
    this.#parts.worker.postMessage(message);
  }
}
