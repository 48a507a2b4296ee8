import { orAborted } from "../../wait/or_aborted.ts";

/**
 * Lets only so many orders of one job into the queue at once. The queue gives orders out in the order in which they came:
 * as long as each job has no more there than the workers have places, or a little more, each gets its fair share, and a
 * short job does not wait behind a long one.
 */
export class Window {
  readonly #waiting: (() => void)[] = [];
  #inside = 0;
  #size = 1;

  /** Sets how many may be inside. */
  resize(size: number): void {
    this.#size = Math.max(1, size);
    this.#admit();
  }

  /**
   * Waits for room, which is free again once this is disposed of.
   *
   * @returns `null` if the signal aborted first
   */
  async enter(signal: AbortSignal): Promise<Disposable | null> {
    const { promise, resolve } = Promise.withResolvers<true>();
    const admit = () => resolve(true);
    this.#waiting.push(admit);
    this.#admit();
    if (await orAborted(promise, signal) !== null) return { [Symbol.dispose]: () => this.#leave() };
    const at = this.#waiting.indexOf(admit);
    if (at >= 0) this.#waiting.splice(at, 1);
    // It was let in at the same moment.
    else this.#leave();
    return null;
  }

  #leave(): void {
    this.#inside--;
    this.#admit();
  }

  #admit(): void {
    while (this.#inside < this.#size && this.#waiting.length > 0) {
      this.#inside++;
      this.#waiting.shift()!();
    }
  }
}
