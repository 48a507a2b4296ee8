import { orAborted } from "../../wait/or_aborted.ts";
import type { OrderPlace, QueueEngine } from "../contract/engine.ts";
import type { OrderAnswer, OrderTold } from "../orders/orders.ts";
import { readAnswer, readTold } from "../orders/read_orders.ts";

/** How an order came out, in one lane at least. */
export type OrderEnd = { t: "final"; answer: OrderAnswer } | { t: "declined" };

/**
 * Follows the outcomes of a job, and what happens meanwhile. Returns once those are known that were there before.
 *
 * @throws {ToolError} What the engine refuses
 */
export async function watchOutcomes(engine: QueueEngine, job: string): Promise<JobOutcomes> {
  const outcomes = new JobOutcomes(engine, job);
  await outcomes.caughtUp;
  return outcomes;
}

/** The outcomes of a job so far, by the numbers of its orders. */
export class JobOutcomes implements AsyncDisposable {
  readonly #outcomes: ReturnType<QueueEngine["outcomes"]>;
  readonly #events: ReturnType<QueueEngine["events"]>;
  readonly #reading: Promise<unknown>;
  readonly #final = new Map<number, OrderAnswer>();
  readonly #declined = new Map<number, Map<string, OrderAnswer>>();
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  readonly #listeners = new Map<number, (told: OrderTold) => void>();
  readonly #caughtUp = Promise.withResolvers<void>();
  readonly #broken = new AbortController();
  /** How many final ones were there at the beginning. */
  known = 0;

  constructor(engine: QueueEngine, job: string) {
    this.#outcomes = engine.outcomes(job);
    this.#events = engine.events(job);
    const ended = (error: unknown) => {
      this.#caughtUp.reject(error);
      this.#broken.abort(error);
    };
    this.#caughtUp.promise.catch(() => {});
    this.#reading = Promise.all([this.#readOutcomes().catch(ended), this.#readEvents().catch(ended)]);
  }

  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  /** Gives the one outcome of an order, if it is there. It is given once: results may be large. */
  take(number: number): OrderAnswer | undefined {
    const answer = this.#final.get(number);
    this.#final.delete(number);
    return answer;
  }

  /** What lanes said that left an order to others. */
  declined(number: number): ReadonlyMap<string, OrderAnswer> {
    return this.#declined.get(number) ?? new Map();
  }

  /**
   * Waits until an order has come out, or its lane has declined it. What came before counts as well: nothing is missed.
   *
   * @returns `null` if the signal aborted first. Rejects if nothing more can come
   */
  async next(
    { number, lane }: Pick<OrderPlace, "number" | "lane">,
    signal: AbortSignal,
  ): Promise<OrderEnd | null> {
    while (!signal.aborted) {
      const answer = this.take(number);
      if (answer) return { t: "final", answer };
      if (this.declined(number).has(lane)) return { t: "declined" };
      const news = Promise.withResolvers<void>();
      this.#waiting.set(number, news);
      await orAborted(news.promise, AbortSignal.any([signal, this.#broken.signal]));
      this.#broken.signal.throwIfAborted();
    }
    return null;
  }

  /** Lets somebody hear what happens to an order. */
  listen(number: number, onTold: ((told: OrderTold) => void) | undefined): Disposable {
    if (onTold) this.#listeners.set(number, onTold);
    return { [Symbol.dispose]: () => void this.#listeners.delete(number) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#outcomes.return?.(), this.#events.return?.()]);
    await this.#reading;
  }

  async #readOutcomes(): Promise<void> {
    for await (const outcome of this.#outcomes) {
      if (outcome === null) {
        this.known = this.#final.size;
        this.#caughtUp.resolve();
        continue;
      }
      const { number, declinedBy, body } = outcome;
      const answer = readAnswer(body);
      if (declinedBy === null) this.#final.set(number, answer);
      else this.#declined.set(number, new Map([...this.declined(number), [declinedBy, answer]]));
      this.#waiting.get(number)?.resolve();
      this.#waiting.delete(number);
    }
  }

  async #readEvents(): Promise<void> {
    for await (const { number, body } of this.#events) {
      const told = readTold(body);
      if (told !== null) this.#listeners.get(number)?.(told);
    }
  }
}
