import { AckPolicy, type ConsumerInfo, DeliverPolicy } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";

import { API_CODES, hasCode } from "../link/failures.ts";
import type { Link } from "../link/link.ts";
import { laneFilter, STREAMS } from "../store/subjects.ts";

/** The lease of a lane that only knows who submits, in milliseconds. */
const FIRST_LEASE_MS = 30_000;
/** A lane that no worker asks for orders is forgotten after so long; its orders stay. */
const FORGOTTEN_MS = 24 * 60 * 60_000;
/** Questions of workers that wait at once. */
const MOST_QUESTIONS = 16_384;

/** The lanes of the queue: each is a consumer that all its workers share. */
export class Lanes {
  readonly #link: Link;
  readonly #known = new Map<string, Promise<void>>();

  constructor(link: Link) {
    this.#link = link;
  }

  /** Makes a lane that is not there yet, so that its orders are counted. */
  ensure(lane: string): Promise<void> {
    return this.#remember(lane, null);
  }

  /** Makes a lane, and lets its leases be so long. */
  open(lane: string, leaseMs: number): Promise<void> {
    return this.#remember(lane, leaseMs);
  }

  /** The lane is perhaps gone: it is looked for again. */
  forget(lane: string): void {
    for (const key of this.#known.keys()) if (key.split(" ")[0] === lane) this.#known.delete(key);
  }

  /** Returns how all lanes stand. */
  async list(): Promise<ConsumerInfo[]> {
    return await this.#link.ask(async ({ consumers }) => {
      const all: ConsumerInfo[] = [];
      for await (const info of consumers.list(STREAMS.orders)) all.push(info);
      return all;
    });
  }

  #remember(lane: string, leaseMs: number | null): Promise<void> {
    const key = leaseMs === null ? lane : `${lane} ${leaseMs}`;
    const known = this.#known.get(key) ?? this.#make(lane, leaseMs);
    this.#known.set(key, known);
    known.catch(() => this.#known.delete(key));
    return known;
  }

  async #make(lane: string, leaseMs: number | null): Promise<void> {
    const filter = laneFilter(lane);
    await this.#link.ask(async ({ consumers }) => {
      try {
        const { config } = await consumers.info(STREAMS.orders, lane);
        if (leaseMs === null || config.ack_wait === nanos(leaseMs)) return;
        await consumers.update(STREAMS.orders, lane, { ack_wait: nanos(leaseMs) });
      } catch (error) {
        if (!hasCode(error, API_CODES.consumerMissing)) throw error;
        await consumers.add(STREAMS.orders, {
          durable_name: lane,
          filter_subject: filter,
          ack_policy: AckPolicy.Explicit,
          ack_wait: nanos(leaseMs ?? FIRST_LEASE_MS),
          deliver_policy: DeliverPolicy.All,
          max_deliver: -1,
          max_ack_pending: -1,
          max_waiting: MOST_QUESTIONS,
          inactive_threshold: nanos(FORGOTTEN_MS),
        });
      }
    });
  }
}
