import type {
  Beginning,
  EngineSettings,
  EngineStatus,
  JobRecord,
  LinkState,
  OrderEvent,
  OrderId,
  OrderOutcome,
  OrderPlace,
  QueueEngine,
  TakenOrder,
} from "../../contract/engine.ts";
import { readBeginnings, recordBeginning } from "./verbs/beginnings.ts";
import { dropBlob, getBlob, putBlob } from "./store/bodies.ts";
import { Cards } from "./verbs/cards.ts";
import { connectNodes } from "./link/connect.ts";
import { readEvents } from "./verbs/events.ts";
import { type HeldOrder, HeldOrders } from "./verbs/held_orders.ts";
import { Jobs } from "./verbs/jobs.ts";
import { Lanes } from "./verbs/lanes.ts";
import type { Link } from "./link/link.ts";
import { type FinishTerms, Outcomes } from "./verbs/outcomes.ts";
import { readStatus } from "./verbs/read_status.ts";
import { removeRecord } from "./store/records.ts";
import { setUp } from "./store/set_up.ts";
import { eventSubject, orderSubject, STREAMS, wordFor } from "./store/subjects.ts";
import { submitOrder } from "./verbs/submit_order.ts";
import { type TakeOptions, takeOrders } from "./verbs/take_orders.ts";

/** Opens the engine on NATS JetStream. Needs `net` for its nodes. */
export async function openNatsEngine(
  settings: EngineSettings,
  tell: (state: LinkState) => void,
): Promise<QueueEngine> {
  const link = await connectNodes(settings, tell);
  try {
    await setUp(link, settings);
  } catch (error) {
    await link.close();
    throw error;
  }
  return new NatsEngine(link);
}

class NatsEngine implements QueueEngine {
  readonly #link: Link;
  readonly #jobs: Jobs;
  readonly #cards: Cards;
  readonly #lanes: Lanes;
  readonly #held: HeldOrders;
  readonly #outcomes: Outcomes;

  constructor(link: Link) {
    this.#link = link;
    this.#jobs = new Jobs(link);
    this.#cards = new Cards(link);
    this.#lanes = new Lanes(link);
    this.#held = new HeldOrders(link);
    this.#outcomes = new Outcomes(link);
  }

  openJob(job: string, record: JobRecord): Promise<JobRecord | null> {
    return this.#jobs.open(job, record);
  }

  cancelJob(job: string): Promise<void> {
    return this.#jobs.cancel(job);
  }

  removeJob(job: string): Promise<void> {
    return this.#jobs.remove(job);
  }

  async submit(place: OrderPlace, body: Uint8Array): Promise<"taken" | "known" | "full"> {
    await this.#lanes.ensure(place.lane);
    return await submitOrder(this.#link, place, body);
  }

  async recall(place: OrderPlace): Promise<void> {
    await removeRecord(this.#link, STREAMS.orders, orderSubject(place));
  }

  outcomes(job: string): AsyncIterableIterator<OrderOutcome | null> {
    return this.#outcomes.of(job);
  }

  events(job: string): AsyncIterableIterator<OrderEvent> {
    return readEvents(this.#link, job);
  }

  cards(): AsyncIterableIterator<readonly Uint8Array<ArrayBuffer>[]> {
    return this.#cards.list();
  }

  announce(worker: string, card: Uint8Array): Promise<void> {
    return this.#cards.announce(worker, card);
  }

  leave(worker: string): Promise<void> {
    return this.#cards.leave(worker);
  }

  take(lane: string, options: Omit<TakeOptions, "lane">): AsyncIterableIterator<TakenOrder> {
    const parts = { link: this.#link, lanes: this.#lanes, held: this.#held, outcomes: this.#outcomes };
    return takeOrders(parts, { ...options, lane });
  }

  begin(taken: TakenOrder, by: Beginning, { once }: { once: boolean }): Promise<readonly Beginning[]> {
    return recordBeginning(this.#link, taken, { by, once });
  }

  begun(order: OrderId): Promise<readonly Beginning[]> {
    return readBeginnings(this.#link, order);
  }

  async finish(taken: TakenOrder, body: Uint8Array, options: FinishTerms): Promise<"kept" | "known"> {
    const answer = await this.#outcomes.keep(taken, body, options);
    const held = this.#held.find(taken.handle);
    this.#held.finish(taken.handle);
    if (held) await this.#dropBody(held);
    return answer;
  }

  giveBack(taken: TakenOrder): Promise<void> {
    this.#held.giveBack(taken.handle);
    return Promise.resolve();
  }

  tell(place: OrderPlace, body: Uint8Array): Promise<void> {
    this.#link.send(eventSubject(place), body);
    return Promise.resolve();
  }

  cancelled(): AsyncIterableIterator<string> {
    return this.#jobs.cancelled();
  }

  async putBlob(place: OrderPlace, name: string, bytes: Uint8Array): Promise<void> {
    await putBlob(this.#link, idOf(place), { key: await fileKey(name), bytes });
  }

  async getBlob(order: OrderId, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return await getBlob(this.#link, order, await fileKey(name));
  }

  status(): Promise<EngineStatus> {
    return readStatus(this.#link, { jobs: this.#jobs, lanes: this.#lanes });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#held.giveBackAll();
    if (this.#link.isUp) await this.#link.nc.flush().catch(() => {});
    await this.#link.close();
  }

  async #dropBody({ place, bodyKey }: HeldOrder): Promise<void> {
    if (bodyKey !== null) await dropBlob(this.#link, place, bodyKey);
  }
}

function idOf({ job, number }: OrderId): OrderId {
  return { job, number };
}

/** Names of files may hold anything. */
async function fileKey(name: string): Promise<string> {
  return `file-${await wordFor(name)}`;
}
