/**
 * A time at which something is ended; each new one takes the place of the one before. A connection sets many and misses
 * hardly one: a timer that rings too early is set again then, and not each time.
 */
export class Deadline implements Disposable {
  readonly #onLate: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer rings, and when it is late, by `performance.now()`. */
  #rings = Infinity;
  #due = Infinity;
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
    this.#due = performance.now() + Math.max(0, ms);
    if (!this.#isLate && this.#due < this.#rings) this.#ringAt(this.#due);
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
    this.#due = Infinity;
  }

  [Symbol.dispose](): void {
    this.clear();
    clearTimeout(this.#timer);
  }

  #ringAt(time: number): void {
    clearTimeout(this.#timer);
    this.#rings = time;
    this.#timer = setTimeout(() => this.#ring(), time - performance.now());
  }

  #ring(): void {
    this.#rings = Infinity;
    // Timers may ring a little before their time.
    if (this.#due > performance.now() + 1) {
      if (this.#due < Infinity) this.#ringAt(this.#due);
      return;
    }
    this.#isLate = true;
    this.#onLate();
    this.#fail(new Error("too late"));
  }
}
