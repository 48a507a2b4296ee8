import type { QueueEngine } from "../contract/engine.ts";
import type { WorkerCard } from "../orders/orders.ts";
import { readCard } from "../orders/read_orders.ts";

/** Who is there to work, as the queue tells it. */
export class WorkerBoard implements AsyncDisposable {
  readonly #cards: AsyncIterableIterator<readonly Uint8Array<ArrayBuffer>[]>;
  readonly #reading: Promise<void>;
  #all: readonly WorkerCard[] = [];
  #change = Promise.withResolvers<void>();
  #isFirst = Promise.withResolvers<void>();

  constructor(engine: Pick<QueueEngine, "cards">) {
    this.#cards = engine.cards();
    this.#reading = this.#read();
    // Whoever waits for workers hears of it.
    this.#reading.catch(() => {});
    this.#isFirst.promise.catch(() => {});
  }

  /** Those that were there last. */
  get all(): readonly WorkerCard[] {
    return this.#all;
  }

  /** Resolves with the first list; rejects if there will be none. */
  get first(): Promise<void> {
    return this.#isFirst.promise;
  }

  /** Resolves with the next change. */
  get changed(): Promise<void> {
    return this.#change.promise;
  }

  /** Resolves when the list has ended; rejects with what the engine refuses. */
  get over(): Promise<void> {
    return this.#reading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cards.return?.();
    await this.#reading.catch(() => {});
  }

  async #read(): Promise<void> {
    try {
      for await (const cards of this.#cards) {
        this.#all = cards.map(readCard).filter((card) => card !== null);
        this.#isFirst.resolve();
        const told = this.#change;
        this.#change = Promise.withResolvers();
        told.resolve();
      }
    } catch (error) {
      this.#isFirst.reject(error);
      throw error;
    }
  }
}
