/** Does something when it is asked for, but only so often: what is asked for too early is done once, when it is time. */
export class Paced implements Disposable {
  readonly #betweenMs: number;
  readonly #work: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsked = false;

  /** @param betweenMs Shortest time between two beginnings of the work, in milliseconds */
  constructor(betweenMs: number, work: () => void) {
    this.#betweenMs = betweenMs;
    this.#work = work;
  }

  ask(): void {
    this.#isAsked = true;
    if (this.#timer === undefined) this.#begin();
  }

  /** What was asked for and not begun is dropped. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isAsked = false;
  }

  #begin(): void {
    this.#timer = undefined;
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.#timer = setTimeout(() => this.#begin(), this.#betweenMs);
    this.#work();
  }
}
