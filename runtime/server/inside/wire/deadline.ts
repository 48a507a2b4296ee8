/** A time at which something is ended; each new one takes the place of the one before. */
export class Deadline implements Disposable {
  readonly #onLate: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
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
    }, Math.max(0, ms));
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}
