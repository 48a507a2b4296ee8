import { ToolError } from "../../../schemas/error.ts";
import { cancelled } from "../../calls/failed_result.ts";
import { orAborted } from "../../wait/or_aborted.ts";
import { sleep } from "../../wait/sleep.ts";
import type { OrderId, OrderPlace, QueueEngine } from "../contract/engine.ts";
import type { Order, OrderAnswer, OrderTerms, OrderTold } from "../orders/orders.ts";
import { digestOf, toBody } from "../orders/read_orders.ts";
import { chooseLane, fittingLanes } from "./choose_lane.ts";
import { type JobOutcomes, type OrderEnd, watchOutcomes } from "./job_outcomes.ts";
import { lostOrder, noWorker } from "./no_answer.ts";
import { Window } from "./window.ts";
import type { WorkerBoard } from "./worker_board.ts";

/** How orders wait. */
export interface JobSettings {
  /** Name of the job. */
  job: string;
  /** Who submits, for people. */
  client: string;
  /** How long an order waits for a worker that can take it, in milliseconds. */
  workerMs: number;
  /** Most orders of the job in the queue at once. @default twice the places of all workers */
  most?: number | undefined;
  /** Is told once what the job waits for, and `null` when it goes on. */
  onWait(why: string | null): void;
}

/** What a job stands on. */
export interface JobParts {
  engine: QueueEngine;
  board: WorkerBoard;
}

/** The terms that its submitter chooses; the others say how it stands in the queue. */
export type OrderWishes = Omit<OrderTerms, "mayDecline" | "isNew">;

/** Orders of one job, with which a worker answers each. */
export interface JobOrder extends Pick<Order, "id" | "work"> {
  /** From 1; its line. */
  number: number;
  terms: OrderWishes;
}

/** How often a full queue is asked again, in milliseconds. */
const FULL_MS = 250;
/** How many orders wait for each place of a worker, so that no place waits for its next order. */
const PER_PLACE = 2;

/**
 * A job in the queue, for whoever submits it: puts each order where a worker can take it, and has its one answer. Orders whose
 * outcome is there already, since an earlier submitter of the same job was lost, are not put there again.
 */
export class QueueJob implements AsyncDisposable {
  readonly #engine: QueueEngine;
  readonly #board: WorkerBoard;
  readonly #settings: JobSettings;
  readonly #outcomes: JobOutcomes;
  /** No earlier submitter has put orders of it into the queue. */
  readonly #isNew: boolean;
  readonly #window = new Window();
  /** How many of its orders each lane has. */
  readonly #waiting = new Map<string, number>();

  private constructor(parts: JobParts & { outcomes: JobOutcomes; isNew: boolean }, settings: JobSettings) {
    this.#isNew = parts.isNew;
    this.#engine = parts.engine;
    this.#board = parts.board;
    this.#outcomes = parts.outcomes;
    this.#settings = settings;
  }

  /**
   * Opens a job, or goes on with the one of this name.
   *
   * @param kind What its lines are: a job of calls does not go on with tasks
   * @throws {ToolError} `conflict` if the name means another kind of job; what the engine refuses
   */
  static async open(parts: JobParts, kind: string, settings: JobSettings): Promise<QueueJob> {
    const { engine } = parts;
    const { job, client } = settings;
    const record = { digest: kind, client, started: new Date().toISOString(), isCancelled: false };
    const before = await engine.openJob(job, record);
    if (before !== null && before.digest !== kind) {
      throw new ToolError(
        "conflict",
        `Job ${job} of the queue is of another kind (${before.digest}): take another name for --job`,
      );
    }
    const outcomes = await watchOutcomes(engine, job);
    return new QueueJob({ ...parts, outcomes, isNew: before === null }, settings);
  }

  /** How many outcomes were there already. */
  get known(): number {
    return this.#outcomes.known;
  }

  /**
   * Gets an order answered.
   *
   * @param options `onTold` hears what happens meanwhile, as far as it is not lost
   * @throws {ToolError} `unavailable` if no worker can take it, or its worker was lost; `cancelled`; `conflict` if the outcome that
   * is there belongs to another line
   */
  async answer(
    order: JobOrder,
    { signal, onTold }: { signal: AbortSignal; onTold?: (told: OrderTold) => void },
  ): Promise<OrderAnswer> {
    const { number, id, work, terms } = order;
    using _told = this.#outcomes.listen(number, onTold);
    const known = this.#outcomes.take(number);
    if (known) return this.#fitting(known, number, await digestOf(work));
    // First of all that takes time: they come in as they were asked for.
    using place = await this.#window.enter(signal);
    if (place === null) throw cancelled(signal.reason);
    const digest = await digestOf(work);
    const whole: Order = {
      v: 1,
      id,
      digest,
      work,
      terms: { ...terms, mayDecline: false, isNew: this.#isNew },
    };
    return this.#fitting(await this.#bringOut(whole, { number, signal }), number, digest);
  }

  /** Ends what is at work, and removes what waits. The outcomes that are there stay. */
  async cancel(): Promise<void> {
    await this.#engine.cancelJob(this.#settings.job);
  }

  /** Forgets the job: all its answers were taken. */
  async remove(): Promise<void> {
    await this.#engine.removeJob(this.#settings.job);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#outcomes[Symbol.asyncDispose]();
  }

  /** Puts an order where it can be taken, and elsewhere if it is declined there, or all who could take it are lost. */
  async #bringOut(
    order: Order,
    { number, signal }: { number: number; signal: AbortSignal },
  ): Promise<OrderAnswer> {
    const { job } = this.#settings;
    for (let isNew = order.terms.isNew;; isNew = false) {
      const declined = this.#outcomes.declined(number);
      const lane = await this.#findLane(order, { number, declined, signal });
      if (lane === null) return [...declined.values()].at(-1)!;
      const place = { job, number, lane: lane.lane };
      const terms = { ...order.terms, isNew, mayDecline: lane.hasOthers };
      const end = await this.#submitAndWait(place, { ...order, terms }, signal);
      if (end.t === "final") return end.answer;
      if (end.t === "lost") await this.#engine.recall(place);
    }
  }

  async #submitAndWait(
    place: OrderPlace,
    order: Order,
    signal: AbortSignal,
  ): Promise<OrderEnd | { t: "lost" }> {
    const { lane } = place;
    const count = (by: number) => this.#waiting.set(lane, (this.#waiting.get(lane) ?? 0) + by);
    const gone = new AbortController();
    const until = AbortSignal.any([signal, gone.signal]);
    count(1);
    try {
      while (await this.#engine.submit(place, toBody(order)) === "full") {
        this.#settings.onWait("the queue is full");
        await sleep(FULL_MS, signal);
      }
      this.#settings.onWait(null);
      const ended = await Promise.race([this.#outcomes.next(place, until), this.#laneIsLost(lane, until)]);
      if (ended === null) throw cancelled(signal.reason);
      return ended;
    } finally {
      gone.abort();
      count(-1);
    }
  }

  /** Settles once nobody of a lane is there; not before the signal aborts, if somebody stays. */
  async #laneIsLost(lane: string, signal: AbortSignal): Promise<{ t: "lost" }> {
    while (!signal.aborted) {
      if (this.#board.all.every((card) => card.lane !== lane)) return { t: "lost" };
      await orAborted(this.#board.changed, signal);
    }
    return await new Promise(() => {});
  }

  /** @returns `null` if all lanes that could take it have declined it */
  async #findLane(
    { work }: Order,
    { number, declined, signal }: {
      number: number;
      declined: ReadonlyMap<string, OrderAnswer>;
      signal: AbortSignal;
    },
  ): Promise<{ lane: string; hasOthers: boolean } | null> {
    const { workerMs, onWait, job } = this.#settings;
    const late = AbortSignal.any([signal, AbortSignal.timeout(workerMs)]);
    for (;;) {
      const cards = this.#board.all;
      this.#resize();
      const open = fittingLanes(cards, work).filter(({ lane }) => !declined.has(lane));
      const found = chooseLane(open, this.#waiting);
      if (found !== null) return { lane: found.lane, hasOthers: open.length > 1 };
      if (declined.size > 0) return null;
      onWait("no worker that can take the next one is there");
      await orAborted(this.#board.changed, late);
      if (signal.aborted) throw cancelled(signal.reason);
      if (late.aborted) throw await this.#whyNone(work, { job, number });
    }
  }

  async #whyNone(work: Order["work"], order: OrderId): Promise<ToolError> {
    const begun = await this.#engine.begun(order);
    return begun.length > 0 ? lostOrder(work, begun) : noWorker(work, this.#board.all);
  }

  /** More workers, or fewer, have come. */
  #resize(): void {
    const places = this.#board.all.reduce((sum, card) => sum + (card.isLeaving ? 0 : card.places), 0);
    this.#window.resize(Math.min(this.#settings.most ?? Infinity, PER_PLACE * places));
  }

  #fitting(answer: OrderAnswer, number: number, digest: string): OrderAnswer {
    const { job } = this.#settings;
    if (answer.digest === digest) return answer;
    throw new ToolError(
      "conflict",
      `Job ${job} has an outcome of line ${number} that belongs to something else: take another name for --job, or remove the ` +
        `old one with bulkhead queue rm URL ${job}`,
    );
  }
}
