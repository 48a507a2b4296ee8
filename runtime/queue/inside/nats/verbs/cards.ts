import { sleep } from "../../../../wait/sleep.ts";
import type { Link } from "../link/link.ts";
import { endable, Mailbox } from "../store/mailbox.ts";
import { readStream } from "../store/read_stream.ts";
import { headersOf, newWritingId } from "../store/records.ts";
import { CARD_MS } from "../store/set_up.ts";
import { STREAMS, wordFor, workerSubject } from "../store/subjects.ts";

type Card = Uint8Array<ArrayBuffer>;

/** Shortest time between two lists, in milliseconds. */
const BETWEEN_MS = 500;
const ALL_WORKERS = workerSubject(">");
/** A worker that has gone leaves this behind, until it is forgotten. */
const GONE = new Uint8Array(0);

/** The cards of the workers that are there. */
export class Cards {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Says that a worker is there. */
  async announce(worker: string, card: Uint8Array): Promise<void> {
    const subject = workerSubject(await wordFor(worker));
    // A card is no news once the next one is due.
    await this.#link.ask(() => this.#link.put(subject, card, { id: newWritingId(), headers: headersOf({}) }));
  }

  /** Says that a worker has gone. */
  async leave(worker: string): Promise<void> {
    await this.announce(worker, GONE);
  }

  /** Gives all cards, and again after each change. */
  list(): AsyncIterableIterator<readonly Card[]> {
    return endable((signal) => this.#lists(signal));
  }

  async *#lists(signal: AbortSignal): AsyncGenerator<readonly Card[], void> {
    const known = new KnownCards();
    const changes = new Mailbox<true>();
    const reading = this.#follow(known, changes, signal);
    const checking = setInterval(() => {
      if (this.#link.isUp && known.forgetOld()) poke(changes);
    }, BETWEEN_MS);
    const stopListening = this.#link.onUp(() => known.trustAll());
    const onAbort = () => changes.end();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      for await (const _ of changes) {
        yield known.list();
        await sleep(BETWEEN_MS, signal).catch(() => {});
      }
      if (!signal.aborted) await reading;
    } finally {
      clearInterval(checking);
      stopListening();
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #follow(known: KnownCards, changes: Mailbox<true>, signal: AbortSignal): Promise<void> {
    let isComplete = false;
    try {
      for await (
        const message of readStream(this.#link, { stream: STREAMS.workers, filter: ALL_WORKERS, signal })
      ) {
        const isChanged = message ? known.take(message.subject, new Uint8Array(message.data)) : true;
        isComplete ||= message === null;
        if (isComplete && isChanged) poke(changes);
      }
    } catch (error) {
      changes.fail(error);
    }
  }
}

/** What was announced, by worker. */
class KnownCards {
  readonly #cards = new Map<string, { card: Card; heardAt: number }>();

  /** Says whether the list is another one now. */
  take(worker: string, card: Card): boolean {
    const before = this.#cards.get(worker)?.card;
    if (card.length === 0) return this.#cards.delete(worker);
    this.#cards.set(worker, { card, heardAt: performance.now() });
    return !before || !isSame(before, card);
  }

  /** Forgets those that were not heard of for long. Says whether there are any. */
  forgetOld(): boolean {
    const size = this.#cards.size;
    for (const [worker, { heardAt }] of this.#cards) {
      if (performance.now() - heardAt > CARD_MS) this.#cards.delete(worker);
    }
    return this.#cards.size < size;
  }

  /** While the engine could not be reached, nobody could be heard of. */
  trustAll(): void {
    for (const known of this.#cards.values()) known.heardAt = performance.now();
  }

  list(): Card[] {
    return [...this.#cards].sort(([a], [b]) => a < b ? -1 : 1).map(([, { card }]) => card);
  }
}

/** One that waits stands for all changes until it is taken. */
function poke(changes: Mailbox<true>): void {
  if (changes.size === 0) changes.push(true);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}
