import type { OrderPlace } from "../../../contract/engine.ts";
import type { Link } from "../link/link.ts";
import type { StreamMessage } from "../store/stream_message.ts";

/** An order that this engine has taken. */
export interface HeldOrder {
  handle: number;
  place: OrderPlace;
  /** Number of the order's message in its stream. */
  seq: number;
  /** Key of its body if that is kept apart. */
  bodyKey: string | null;
  /** Makes its place free. */
  release(): void;
}

const ACK = new TextEncoder().encode("+ACK");
const NAK = new TextEncoder().encode("-NAK");
const WORKING = new TextEncoder().encode("+WPI");
/** A lease is renewed so often before it ends. */
const RENEWALS = 3;

/** The orders that this engine has taken: their leases are renewed until they are let go. */
export class HeldOrders {
  readonly #link: Link;
  readonly #held = new Map<number, HeldOrder & { reply: string; timer: ReturnType<typeof setInterval> }>();
  readonly #handles = new Map<number, number>();
  #handedOut = 0;

  constructor(link: Link) {
    this.#link = link;
  }

  /**
   * Holds an order from now on. Returns `null` for one that it holds already: its lease ran out while the engine could not be
   * reached, and nobody else was asked.
   */
  hold(
    message: StreamMessage,
    { place, leaseMs, bodyKey, release }: Pick<HeldOrder, "place" | "bodyKey" | "release"> & {
      leaseMs: number;
    },
  ): HeldOrder | null {
    const known = this.#held.get(this.#handles.get(message.seq) ?? 0);
    if (known) {
      known.reply = message.reply;
      return null;
    }
    const handle = ++this.#handedOut;
    const renew = () => this.#link.send(held.reply, WORKING);
    const timer = setInterval(renew, Math.max(leaseMs / RENEWALS, 10));
    const held = { handle, place, seq: message.seq, bodyKey, release, reply: message.reply, timer };
    this.#held.set(handle, held);
    this.#handles.set(message.seq, handle);
    return held;
  }

  /** Returns an order that is held, `null` for one that was let go. */
  find(handle: number): HeldOrder | null {
    return this.#held.get(handle) ?? null;
  }

  /** Lets an order go for good. */
  finish(handle: number): void {
    this.#drop(handle, ACK);
  }

  /** Lets an order go: others may take it at once. */
  giveBack(handle: number): void {
    this.#drop(handle, NAK);
  }

  giveBackAll(): void {
    for (const handle of [...this.#held.keys()]) this.giveBack(handle);
  }

  #drop(handle: number, word: Uint8Array): void {
    const held = this.#held.get(handle);
    if (!held) return;
    this.#held.delete(handle);
    this.#handles.delete(held.seq);
    clearInterval(held.timer);
    this.#link.send(held.reply, word);
    held.release();
  }
}

/** Leaves an order that was never held to others. */
export function refuseOrder(link: Link, { reply }: StreamMessage): void {
  link.send(reply, NAK);
}
