import { ToolError } from "../../../schemas/error.ts";

/** Most runs that wait for their turn. */
const MAX_WAITING = 256;

/** A run that waits for its turn. */
export interface QueuedRun {
  /** Whose turn it is counted for. */
  client: string;
  /** Hears how many are before it, each time that changes. */
  onPlace(ahead: number): void;
  /** Its turn has come; what it returns settles when it is over. */
  start(): Promise<unknown>;
}

/**
 * Lets so many runs work at once. The others wait: the clients take turns, and of one client the first comes first.
 */
export class RunQueue {
  readonly #most: number;
  #atWork = 0;
  /** The client whose turn was longest ago comes first. */
  readonly #waiting = new Map<string, QueuedRun[]>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Throws unless one more may come.
   *
   * @throws {ToolError} `rate_limited`
   */
  check(): void {
    const waiting = this.waiting;
    if (this.#atWork < this.#most || waiting < MAX_WAITING) return;
    throw new ToolError(
      "rate_limited",
      `${this.#most} runs are at work and ${waiting} wait, which are as many as this server takes: try again later`,
      { retryable: true },
    );
  }

  /** How many wait. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, runs) => sum + runs.length, 0);
  }

  /** Starts a run, or lets it wait. */
  add(run: QueuedRun): void {
    if (this.#atWork < this.#most) return this.#start(run);
    this.#waiting.set(run.client, [...this.#waiting.get(run.client) ?? [], run]);
    this.#tellPlaces();
  }

  /** Takes a run away that waits; says whether it did. */
  remove(run: QueuedRun): boolean {
    const own = this.#waiting.get(run.client) ?? [];
    const rest = own.filter((other) => other !== run);
    if (rest.length === own.length) return false;
    this.#keep(run.client, rest);
    this.#tellPlaces();
    return true;
  }

  #start(run: QueuedRun): void {
    this.#atWork++;
    const end = () => {
      this.#atWork--;
      this.#next();
    };
    run.start().then(end, end);
  }

  #next(): void {
    const [turn] = this.#waiting;
    if (!turn || this.#atWork >= this.#most) return;
    const [client, [run, ...rest]] = turn;
    this.#waiting.delete(client);
    this.#keep(client, rest);
    this.#start(run!);
    this.#tellPlaces();
  }

  #keep(client: string, runs: QueuedRun[]): void {
    if (runs.length > 0) this.#waiting.set(client, runs);
    else this.#waiting.delete(client);
  }

  #tellPlaces(): void {
    const lists = [...this.#waiting.values()];
    const longest = Math.max(0, ...lists.map((runs) => runs.length));
    let ahead = 0;
    for (let round = 0; round < longest; round++) {
      for (const runs of lists) if (round < runs.length) runs[round]!.onPlace(ahead++);
    }
  }
}
