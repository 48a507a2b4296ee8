/** Allows only so many users at once; the others wait in line. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  /** @param size At least 1 */
  constructor(size: number) {
    if (!(size >= 1)) throw new RangeError(`A semaphore needs room for at least 1, got ${size}`);
    this.#free = size;
  }

  /** Runs `work` as soon as there is room. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((enter) => this.#waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
