import type { TakenOrder } from "../../../contract/engine.ts";
import { bodyKey, bodyOf } from "../store/bodies.ts";
import { type HeldOrder, type HeldOrders, refuseOrder } from "./held_orders.ts";
import type { Lanes } from "./lanes.ts";
import { type Link, RETRIED } from "../link/link.ts";
import { Mailbox } from "../store/mailbox.ts";
import type { Outcomes } from "./outcomes.ts";
import { Pull } from "../store/pull.ts";
import type { StreamMessage } from "../store/stream_message.ts";
import { readOrderSubject, STREAMS } from "../store/subjects.ts";

/** What a taker works with. */
export interface TakerParts {
  link: Link;
  lanes: Lanes;
  held: HeldOrders;
  outcomes: Outcomes;
}

/** Which orders are taken, and how many. */
export interface TakeOptions {
  lane: string;
  places: number;
  leaseMs: number;
}

/** Takes orders of a lane for one who has so many places. */
export function takeOrders(parts: TakerParts, options: TakeOptions): AsyncIterableIterator<TakenOrder> {
  const taker = new Taker(parts, options);
  void taker.open();
  return taker.orders;
}

class Taker {
  readonly orders = new Mailbox<TakenOrder>((left) => this.#end(left));
  readonly #parts: TakerParts;
  readonly #options: TakeOptions;
  #pull: Pull | null = null;
  #free: number;

  constructor(parts: TakerParts, options: TakeOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#free = options.places;
  }

  async open(): Promise<void> {
    const { link, lanes } = this.#parts;
    const { lane, leaseMs } = this.#options;
    try {
      await lanes.open(lane, leaseMs);
    } catch (error) {
      return this.orders.fail(error);
    }
    if (this.orders.isEnded) return;
    this.#pull = new Pull(link, {
      stream: STREAMS.orders,
      consumer: lane,
      onMessage: (message) => void this.#receive(message),
      onRoom: () => this.#ask(),
      onLost: () => {
        lanes.forget(lane);
        void this.open();
      },
    });
    this.#ask();
  }

  async #receive(message: StreamMessage): Promise<void> {
    // It was on its way when the places were counted anew, or nobody takes it any more.
    if (this.#free <= 0 || this.orders.isEnded) return refuseOrder(this.#parts.link, message);
    this.#free--;
    const place = readOrderSubject(message.subject);
    const held = this.#parts.held.hold(message, {
      place,
      leaseMs: this.#options.leaseMs,
      bodyKey: bodyKey(message.headers),
      release: () => this.#release(),
    });
    if (!held) return this.#release();
    try {
      await this.#give(message, held);
    } catch (error) {
      this.#parts.held.giveBack(held.handle);
      this.orders.fail(error);
    }
  }

  async #give(message: StreamMessage, { handle, place }: HeldOrder): Promise<void> {
    const { link, held, outcomes } = this.#parts;
    const isFirst = !this.#mayBeDone(message);
    if (!isFirst && await outcomes.isSettled(place)) return held.finish(handle);
    // Who reads an order without a body says that it cannot be read.
    const body = await bodyOf(link, place, message) ?? new Uint8Array(0);
    if (this.orders.isEnded) return held.giveBack(handle);
    this.orders.push({ ...place, handle, isFirst, body });
  }

  /** Whoever had it has perhaps kept its outcome, and was lost before it could let the order go. */
  #mayBeDone(message: StreamMessage): boolean {
    return message.isAgain || message.headers?.has(RETRIED) === true ||
      message.writtenAt <= this.#parts.link.lostAt;
  }

  #release(): void {
    this.#free++;
    // All places that become free at once are asked for at once.
    if (this.#free - (this.#pull?.asked ?? 0) === 1) queueMicrotask(() => this.#ask());
  }

  #ask(): void {
    if (this.#pull && !this.orders.isEnded) this.#pull.ask(this.#free - this.#pull.asked);
  }

  #end(left: readonly TakenOrder[]): void {
    this.#pull?.close();
    for (const { handle } of left) this.#parts.held.giveBack(handle);
  }
}
