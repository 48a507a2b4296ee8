/** What was given to somebody else and not taken in yet: who gives waits while it is too much. */
export class Backlog {
  readonly #most: number;
  #size = 0;
  #isOver = false;
  #onChange: (() => void) | null = null;

  /** @param most From more than this on, {@linkcode Backlog.room} waits */
  constructor(most: number) {
    this.#most = most;
  }

  /** Something was given. */
  add(size: number): void {
    this.#size += size;
  }

  /** Something was taken in. */
  take(size: number): void {
    this.#size -= size;
    this.#onChange?.();
  }

  /** Settles when more may be given, or nothing is taken any more. */
  async room(): Promise<void> {
    while (this.#size > this.#most && !this.#isOver) {
      await new Promise<void>((resolve) => this.#onChange = resolve);
    }
  }

  /** Nothing is taken any more: nobody waits for it. */
  end(): void {
    this.#isOver = true;
    this.#onChange?.();
  }
}
