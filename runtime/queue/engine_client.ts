import { type ErrorInfo, ToolError } from "../../schemas/error.ts";
import { settlesWithin } from "../wait/settles_within.ts";
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
} from "./contract/engine.ts";
import type { EngineFeed, FromEngine, ToEngine, Verb } from "./contract/protocol.ts";
import { WorkerFeed } from "./worker_feed.ts";

/** Longest wait for the worker to let its orders go, in milliseconds. */
const END_MS = 2_000;
const NOTHING = new Uint8Array(0);

/** The engine of a queue that a worker speaks with. */
export class EngineClient implements QueueEngine {
  readonly #worker: Worker;
  readonly #onLink: (state: LinkState) => void;
  readonly #opened = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #asks = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #feeds = new Map<number, WorkerFeed<unknown>>();
  #count = 0;
  /** The reason why nothing can be asked any more. */
  #over: ToolError | null = null;

  constructor(worker: Worker, onLink: (state: LinkState) => void) {
    this.#worker = worker;
    this.#onLink = onLink;
    this.#opened.promise.catch(() => {});
    worker.addEventListener("message", ({ data }: MessageEvent<FromEngine>) => this.#receive(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#end(new ToolError("internal", `The client of the queue broke down: ${event.message}`));
    });
  }

  async open(settings: EngineSettings): Promise<void> {
    this.#send({ t: "open", settings });
    await this.#opened.promise;
  }

  openJob(job: string, record: JobRecord): Promise<JobRecord | null> {
    return this.#ask("openJob", [job, record]);
  }

  cancelJob(job: string): Promise<void> {
    return this.#ask("cancelJob", [job]);
  }

  removeJob(job: string): Promise<void> {
    return this.#ask("removeJob", [job]);
  }

  submit(place: OrderPlace, body: Uint8Array): Promise<"taken" | "known" | "full"> {
    return this.#ask("submit", [placeOf(place), body.slice()]);
  }

  recall(place: OrderPlace): Promise<void> {
    return this.#ask("recall", [placeOf(place)]);
  }

  outcomes(job: string): AsyncIterableIterator<OrderOutcome | null> {
    return this.#feed("outcomes", [job]);
  }

  events(job: string): AsyncIterableIterator<OrderEvent> {
    return this.#feed("events", [job]);
  }

  cards(): AsyncIterableIterator<readonly Uint8Array<ArrayBuffer>[]> {
    return this.#feed("cards", []);
  }

  announce(worker: string, card: Uint8Array): Promise<void> {
    return this.#ask("announce", [worker, card.slice()]);
  }

  leave(worker: string): Promise<void> {
    return this.#ask("leave", [worker]);
  }

  take(lane: string, options: { places: number; leaseMs: number }): AsyncIterableIterator<TakenOrder> {
    return this.#feed("take", [lane, options]);
  }

  begin(taken: TakenOrder, by: Beginning, options: { once: boolean }): Promise<readonly Beginning[]> {
    return this.#ask("begin", [takenOf(taken), by, options]);
  }

  begun({ job, number }: OrderId): Promise<readonly Beginning[]> {
    return this.#ask("begun", [{ job, number }]);
  }

  finish(
    taken: TakenOrder,
    body: Uint8Array,
    options: { declined: boolean; dead: string | null },
  ): Promise<"kept" | "known"> {
    return this.#ask("finish", [takenOf(taken), body.slice(), options]);
  }

  giveBack(taken: TakenOrder): Promise<void> {
    return this.#ask("giveBack", [takenOf(taken)]);
  }

  tell(place: OrderPlace, body: Uint8Array): Promise<void> {
    return this.#ask("tell", [placeOf(place), body.slice()]);
  }

  cancelled(): AsyncIterableIterator<string> {
    return this.#feed("cancelled", []);
  }

  putBlob(place: OrderPlace, name: string, bytes: Uint8Array): Promise<void> {
    return this.#ask("putBlob", [placeOf(place), name, bytes.slice()]);
  }

  getBlob({ job, number }: OrderId, name: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return this.#ask("getBlob", [{ job, number }, name]);
  }

  status(): Promise<EngineStatus> {
    return this.#ask("status", []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#over) {
      this.#send({ t: "end" });
      await settlesWithin(this.#ended.promise, END_MS);
    }
    this.#end(new ToolError("cancelled", "The queue is closed"));
    this.#worker.terminate();
  }

  async #ask<T>(verb: Verb, args: readonly unknown[]): Promise<T> {
    if (this.#over) throw this.#over;
    const id = ++this.#count;
    const answer = Promise.withResolvers<unknown>();
    this.#asks.set(id, answer);
    this.#send({ t: "ask", id, verb, args }, buffersOf(args));
    return await answer.promise as T;
  }

  #feed<T>(feed: EngineFeed, args: readonly unknown[]): AsyncIterableIterator<T> {
    const id = ++this.#count;
    const items = new WorkerFeed<T>({
      ask: () => this.#send({ t: "next", id }),
      close: () => {
        this.#feeds.delete(id);
        this.#send({ t: "close", id });
      },
    });
    if (this.#over) items.end();
    else {
      this.#feeds.set(id, items as WorkerFeed<unknown>);
      this.#send({ t: "feed", id, feed, args });
    }
    return items;
  }

  #send(message: ToEngine, transfer: ArrayBuffer[] = []): void {
    if (!this.#over) this.#worker.postMessage(message, transfer);
  }

  #receive(message: FromEngine): void {
    if (message.t === "link") return this.#onLink(message.state);
    if (message.t === "opened") return this.#opened.resolve();
    if (message.t === "refused") return this.#opened.reject(errorOf(message.error));
    if (message.t === "ended") return this.#ended.resolve();
    const { id } = message;
    const ask = this.#asks.get(id);
    const feed = this.#feeds.get(id);
    this.#asks.delete(id);
    if (message.t === "item") return feed?.give(message.item);
    this.#feeds.delete(id);
    if (message.t === "answer") ask?.resolve(message.value);
    else if (message.t === "done") feed?.end();
    else {
      const error = errorOf(message.error);
      ask?.reject(error);
      feed?.fail(error);
    }
  }

  #end(error: ToolError): void {
    if (this.#over) return;
    this.#over = error;
    this.#opened.reject(error);
    this.#ended.resolve();
    for (const ask of this.#asks.values()) ask.reject(error);
    for (const feed of this.#feeds.values()) {
      if (error.code === "cancelled") feed.end();
      else feed.fail(error);
    }
    this.#asks.clear();
    this.#feeds.clear();
  }
}

function errorOf({ code, message, retryable, details }: ErrorInfo): ToolError {
  return new ToolError(code, message, { retryable, details });
}

/** Only what the worker needs is sent. */
function placeOf({ job, number, lane }: OrderPlace): OrderPlace {
  return { job, number, lane };
}

function takenOf(taken: TakenOrder): TakenOrder {
  return { ...placeOf(taken), handle: taken.handle, isFirst: taken.isFirst, body: NOTHING };
}

/** Copies of bodies are handed over: a copy of a copy costs as much again. */
function buffersOf(args: readonly unknown[]): ArrayBuffer[] {
  return args.flatMap((arg) => arg instanceof Uint8Array ? [arg.buffer as ArrayBuffer] : []);
}
