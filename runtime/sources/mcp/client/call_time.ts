import { ToolError } from "../../../../schemas/error.ts";

/**
 * The time of a call. Requests that follow each other share it, and so does the start of a server that has ended. What a
 * person takes to answer does not count.
 */
export class CallTime {
  readonly #wholeMs: number;
  #leftMs: number;
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param wholeMs Milliseconds, at most what a timer can wait */
  constructor(wholeMs: number) {
    this.#wholeMs = wholeMs;
    this.#leftMs = wholeMs;
  }

  /**
   * Lets it run on from where it stopped.
   *
   * @param onOver Gets `timeout` if nothing is left before {@linkcode CallTime.stop}
   */
  start(onOver: (error: ToolError) => void): void {
    this.stop();
    this.#since = performance.now();
    this.#timer = setTimeout(() => onOver(tooSlow(this.#wholeMs)), this.#leftMs);
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#since));
  }
}

function tooSlow(wholeMs: number): ToolError {
  return new ToolError("timeout", `it did not answer within ${wholeMs / 1000} seconds`, {
    details: { timeout_ms: wholeMs },
  });
}
