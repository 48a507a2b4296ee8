/** Things that come one by one, and wait until they are taken. */
export class Mailbox<T> implements AsyncIterableIterator<T> {
  readonly #items: T[] = [];
  readonly #onReturn: (left: readonly T[]) => void;
  #waiting: PromiseWithResolvers<IteratorResult<T>>[] = [];
  #isEnded = false;
  #error: { reason: unknown } | null = null;

  /** @param onReturn Called once, when nothing more is taken, with what was not */
  constructor(onReturn: (left: readonly T[]) => void = () => {}) {
    this.#onReturn = onReturn;
  }

  /** How many wait to be taken. */
  get size(): number {
    return this.#items.length;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  push(item: T): void {
    if (this.#isEnded) return;
    const first = this.#waiting.shift();
    if (first) first.resolve({ done: false, value: item });
    else this.#items.push(item);
  }

  /** Nothing more comes; what has come can still be taken. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const { resolve } of this.#waiting) resolve({ done: true, value: undefined });
    this.#waiting = [];
  }

  /** Nothing more comes, and this is why: the next one who waits is told. */
  fail(reason: unknown): void {
    if (this.#isEnded) return;
    const first = this.#waiting.shift();
    if (first) first.reject(reason);
    else this.#error = { reason };
    this.end();
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#items.length > 0) return Promise.resolve({ done: false, value: this.#items.shift()! });
    if (this.#error) {
      const { reason } = this.#error;
      this.#error = null;
      return Promise.reject(reason);
    }
    if (this.#isEnded) return Promise.resolve({ done: true, value: undefined });
    const waiting = Promise.withResolvers<IteratorResult<T>>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  return(): Promise<IteratorResult<T>> {
    const left = this.#items.splice(0);
    if (!this.#isEnded || left.length > 0) {
      this.end();
      this.#onReturn(left);
    }
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** Makes a sequence that ends as soon as it is returned, also while it waits for its next item. */
export function endable<T>(
  start: (signal: AbortSignal) => AsyncGenerator<T, void>,
): AsyncIterableIterator<T> {
  const end = new AbortController();
  const items = start(end.signal);
  return {
    next: () => items.next(),
    return() {
      end.abort();
      // Its last steps are nobody's to wait for.
      items.return().catch(() => {});
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
