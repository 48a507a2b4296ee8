/** How a feed reaches the worker that fills it. */
export interface FeedLine {
  /** One more item, please. */
  ask(): void;
  /** Nothing more. */
  close(): void;
}

/** Items of a worker, each sent only once it is asked for. */
export class WorkerFeed<T> implements AsyncIterableIterator<T> {
  readonly #line: FeedLine;
  readonly #waiting: PromiseWithResolvers<IteratorResult<T>>[] = [];
  #isOver = false;
  #error: { reason: unknown } | null = null;

  constructor(line: FeedLine) {
    this.#line = line;
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#error) {
      const { reason } = this.#error;
      this.#error = null;
      return Promise.reject(reason);
    }
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined });
    const waiting = Promise.withResolvers<IteratorResult<T>>();
    this.#waiting.push(waiting);
    this.#line.ask();
    return waiting.promise;
  }

  return(): Promise<IteratorResult<T>> {
    if (!this.#isOver) this.#line.close();
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** One item has come. */
  give(item: unknown): void {
    this.#waiting.shift()?.resolve({ done: false, value: item as T });
  }

  end(): void {
    this.#isOver = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
  }

  /** Ends it with an error, which the one who waits is told, or the next one. */
  fail(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const first = this.#waiting.shift();
    if (first) first.reject(reason);
    else this.#error = { reason };
    this.end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
