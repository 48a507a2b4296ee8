/** A time at which something is ended; each new one takes the place of the one before. */
export class Deadline implements Disposable {
  readonly #onLate: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #fail: (error: Error) => void = () => {};
  #isLate = false;

  constructor(onLate: () => void) {
    this.#onLate = onLate;
  }

  /** The time came. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** @param ms From now */
  set(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isLate) return;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#onLate();
      this.#fail(new Error("too late"));
    }, Math.max(0, ms));
  }

  /** Waits for something, at most so many milliseconds; it may go on for itself then. */
  within<T>(ms: number, work: Promise<T>): Promise<T> {
    this.set(ms);
    // Nothing is left behind at a promise that lives on.
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      // Before anybody hears of it, and sets the next one.
      work.finally(() => this.clear()).then(resolve, reject);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}
