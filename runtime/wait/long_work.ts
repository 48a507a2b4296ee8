/** Longest time before other events get a turn, in milliseconds. */
const TURN_MS = 10;

/** Work of many small steps, in which other events get their turns. */
export class LongWork {
  #turnEnds = performance.now() + TURN_MS;

  /** Whether it has worked so long that it has to {@linkcode pause}: asked for each step, because waiting costs more. */
  get isDue(): boolean {
    return performance.now() >= this.#turnEnds;
  }

  /** Lets other events have their turns. */
  async pause(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#turnEnds = performance.now() + TURN_MS;
  }
}
