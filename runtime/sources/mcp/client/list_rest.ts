/** So many changes are followed at once. */
const BURST = 20;
/** From then on the list is asked for once in so many milliseconds. */
const REST_MS = 1_000;
/** How long a server that did not tell its list is left alone, in milliseconds. */
const FAILED_MS = 60_000;

/** Says how often a server is asked for a list that it calls another one: one that never rests does not keep a run busy. */
export class ListRest {
  readonly #now: () => number;
  #left = BURST;
  #since: number;
  #until = -Infinity;

  /** @param now Milliseconds on a clock that only goes forward */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Takes the right to ask once. Returns 0, or how many milliseconds there are to wait. */
  take(): number {
    const now = this.#now();
    if (now < this.#until) return Math.ceil(this.#until - now);
    const rests = Math.floor((now - this.#since) / REST_MS);
    this.#left = Math.min(BURST, this.#left + rests);
    this.#since += rests * REST_MS;
    if (this.#left === 0) return Math.ceil(this.#since + REST_MS - now);
    this.#left--;
    return 0;
  }

  /** The server was asked and did not tell. */
  fail(): void {
    this.#until = this.#now() + FAILED_MS;
  }
}
