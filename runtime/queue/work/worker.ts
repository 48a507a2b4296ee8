import { ToolError } from "../../../schemas/error.ts";
import { Paced } from "../../wait/paced.ts";
import { settlesWithin } from "../../wait/settles_within.ts";
import type { TakenOrder } from "../contract/engine.ts";
import { toBody } from "../orders/read_orders.ts";
import { type OrderBench, OrderWorker } from "./order_worker.ts";
import type { CardFacts } from "./worker_card.ts";

/** How a worker works. */
export interface WorkSettings {
  /** After this silence others may take what it has, in milliseconds; its whole fleet has the same. */
  leaseMs: number;
  /** How long its end waits for what is at work, in milliseconds. */
  drainMs: number;
  /** Aborts when the worker is to end: it takes nothing more. */
  signal: AbortSignal;
}

/** How often a worker says that it is there, in milliseconds. */
const ANNOUNCE_MS = 4_000;
/** Shortest time between two changes that it tells, in milliseconds: short calls change it all the time. */
const CHANGE_MS = 250;

/**
 * Takes orders of a queue and does them until the signal aborts; what is at work then has some time to end.
 *
 * @throws {ToolError} What the engine refuses
 */
export async function work(
  bench: OrderBench & { card: CardFacts },
  { leaseMs, drainMs, signal }: WorkSettings,
): Promise<void> {
  const { engine, card } = bench;
  const orders = new OrderWorker(bench);
  const taken = engine.take(card.lane, { places: card.places, leaseMs });
  const cancelled = engine.cancelled();
  const announce = () =>
    engine.announce(card.worker, toBody({ ...card, ...orders.count, isLeaving: signal.aborted }));
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const timer = setInterval(() => void announce().catch(failed.reject), ANNOUNCE_MS);
  using changes = new Paced(CHANGE_MS, () => void announce().catch(failed.reject));
  orders.onChange = () => changes.ask();
  const ended = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
  try {
    await announce();
    const endings = [takeAll(taken, orders), endCancelled(cancelled, orders), failed.promise];
    for (const ending of endings) ending.catch(() => {});
    await Promise.race([ended, ...endings]);
    orders.onChange = () => {};
    await announce();
    // What was sent meanwhile is given back.
    void taken.return?.();
    if (!await settlesWithin(orders.idle, drainMs)) {
      orders.stopAll(new ToolError("cancelled", "The worker was stopped"));
      await orders.idle;
    }
  } finally {
    clearInterval(timer);
    await Promise.allSettled([taken.return?.(), cancelled.return?.()]);
    await engine.leave(card.worker).catch(() => {});
  }
}

async function takeAll(taken: AsyncIterable<TakenOrder>, orders: OrderWorker): Promise<never> {
  for await (const order of taken) orders.take(order);
  throw new ToolError("external_failure", "The queue gives no more orders: look at its server");
}

async function endCancelled(jobs: AsyncIterable<string>, orders: OrderWorker): Promise<never> {
  for await (const job of jobs) orders.stopJob(job, new ToolError("cancelled", "The job was cancelled"));
  throw new ToolError("external_failure", "The queue tells no more of its jobs: look at its server");
}
