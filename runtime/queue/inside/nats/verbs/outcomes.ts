import type { OrderId, OrderOutcome, OrderPlace } from "../../../contract/engine.ts";
import { bodyOf, carryBody, dropBlob } from "../store/bodies.ts";
import type { Link } from "../link/link.ts";
import { endable } from "../store/mailbox.ts";
import { readStream } from "../store/read_stream.ts";
import { readStored, type StoredRecord, writeRecord } from "../store/records.ts";
import { deadSubject, ofJob, outcomeSubject, readOutcomeSubject, STREAMS } from "../store/subjects.ts";

/** Header of an outcome whose order is a dead letter: why, as JSON. */
const DEAD = "Bh-Dead";

/** What an outcome says besides its body. */
export interface FinishTerms {
  declined: boolean;
  /** Why the order is a dead letter, `null` if it is none. */
  dead: string | null;
}

/** The outcomes of orders: of several for the same order, the first one stays. */
export class Outcomes {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Keeps an outcome, unless there is a final one. */
  async keep(
    place: OrderPlace,
    body: Uint8Array,
    { declined, dead }: FinishTerms,
  ): Promise<"kept" | "known"> {
    const link = this.#link;
    if (declined && await this.#final(place)) return "known";
    const { inline, key, headers } = await carryBody(link, place, body);
    // As JSON, so that no line of it ends the header.
    if (dead !== null) headers.set(DEAD, JSON.stringify(letterFor(dead)));
    const subject = outcomeSubject(place, declined ? place.lane : null);
    const found = await writeRecord(link, subject, inline, { stream: STREAMS.outcomes, headers });
    if (!found) {
      if (dead !== null) await this.#bury(place, headers.get(DEAD));
      return "kept";
    }
    if (key !== null) await dropBlob(link, place, key);
    // A second refusal of the same lane says nothing new.
    return declined ? "kept" : "known";
  }

  /** Says whether an order needs no worker of its lane any more: it has come out, or the lane has left it to others. */
  async isSettled(place: OrderId & { lane: string }): Promise<boolean> {
    const declined = outcomeSubject(place, place.lane);
    const outcome = await this.#final(place) ?? await readStored(this.#link, STREAMS.outcomes, declined);
    const letter = outcome?.headers.get(DEAD);
    // Whoever kept it was perhaps lost before the letter was written.
    if (letter) await this.#bury(place, letter);
    return outcome !== null;
  }

  /** Gives all outcomes of a job. */
  of(job: string): AsyncIterableIterator<OrderOutcome | null> {
    const filter = ofJob("outcome", job);
    return endable((signal) => this.#read(filter, signal));
  }

  async *#read(filter: string, signal: AbortSignal): AsyncGenerator<OrderOutcome | null, void> {
    for await (const message of readStream(this.#link, { stream: STREAMS.outcomes, filter, signal })) {
      if (!message) {
        yield null;
        continue;
      }
      const id = readOutcomeSubject(message.subject);
      // One whose body is gone was removed with its job, or is too old.
      const body = await bodyOf(this.#link, id, message);
      if (body) yield { ...id, body };
    }
  }

  #final(id: OrderId): Promise<StoredRecord | null> {
    return readStored(this.#link, STREAMS.outcomes, outcomeSubject(id, null));
  }

  async #bury(id: OrderId, letter: string): Promise<void> {
    const body = new TextEncoder().encode(letter);
    await writeRecord(this.#link, deadSubject(id), body, { stream: STREAMS.dead });
  }
}

function letterFor(reason: string): { reason: string; time: string } {
  return { reason: reason.slice(0, MAX_REASON), time: new Date().toISOString() };
}

/** Longest reason, in characters. */
const MAX_REASON = 2_000;
