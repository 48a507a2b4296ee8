import type { Reached } from "../dial/reach.ts";
import { Wire } from "../wire/wire.ts";

/** Longest time that a connection to a server waits for another request, in milliseconds. */
const IDLE_MS = 10_000;
/** Most connections of one door that wait. */
const MOST_IDLE = 64;

/** A connection to a server on which one request follows another. */
export interface Way {
  wire: Wire;
  proxy: Reached["proxy"];
  /** The address that was dialled. */
  address: string | null;
}

/** A way that waits. */
interface IdleWay extends Way {
  key: string;
  since: number;
}

interface TakeOptions {
  addresses: readonly string[] | null;
  idleMs?: number | undefined;
}

/**
 * The connections of a door that wait for another request to the same server. What comes on one of them unasked ends it.
 * Whether a request may take one is decided anew each time, by the addresses that the host has then.
 */
export class IdleWays {
  /** The oldest first. */
  readonly #ways = new Set<IdleWay>();
  #sweeper: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  /**
   * Takes the way that has waited for the shortest time.
   *
   * @param key Scheme, host and port
   * @param options `addresses`: what the host has now, `null` where the user's proxy knows it; `idleMs`: longest time that
   * it may have waited, in milliseconds
   */
  take(key: string, { addresses, idleMs = IDLE_MS }: TakeOptions): Way | null {
    let found: IdleWay | null = null;
    for (const way of this.#ways) {
      if (way.key === key && (addresses === null || addresses.includes(way.address ?? ""))) found = way;
    }
    if (found === null) return null;
    this.#ways.delete(found);
    if (Date.now() - found.since < idleMs) return found;
    found.wire.close();
    return null;
  }

  /** Keeps a way whose last answer is over. */
  give(key: string, { wire, proxy, address }: Way): void {
    if (this.#isClosed || wire.unread.length > 0) return wire.close();
    const way = { wire, proxy, address, key, since: Date.now() };
    this.#ways.add(way);
    wire.watch(() => {
      if (this.#ways.delete(way)) wire.close();
    });
    for (const oldest of this.#ways) {
      if (this.#ways.size <= MOST_IDLE) break;
      this.#end(oldest);
    }
    this.#sweeper ??= setTimeout(() => this.#sweep(), IDLE_MS);
  }

  /** Ends all of them, and all that come. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#sweeper);
    for (const way of this.#ways) this.#end(way);
  }

  #sweep(): void {
    for (const way of this.#ways) if (Date.now() - way.since >= IDLE_MS) this.#end(way);
    this.#sweeper = this.#ways.size === 0 ? undefined : setTimeout(() => this.#sweep(), IDLE_MS);
  }

  #end(way: IdleWay): void {
    this.#ways.delete(way);
    way.wire.close();
  }
}
