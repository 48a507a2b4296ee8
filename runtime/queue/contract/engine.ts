/** One order of a job. */
export interface OrderId {
  /** Name of the job: 1 to 64 of `A-Z a-z 0-9 _ -`. */
  job: string;
  /** From 1, in the order of the job's lines. */
  number: number;
}

/** An order in the queue: which one of which job, and where it waits. */
export interface OrderPlace extends OrderId {
  /** Workers that offer the same share a lane: lower-case letters and digits. */
  lane: string;
}

/** An order that a worker has taken. It is the worker's until it is finished, given back, or the worker is lost. */
export interface TakenOrder extends OrderPlace {
  /** Tells it apart from other orders that this engine has taken. */
  handle: number;
  /** Its lane has given it to nobody else before. */
  isFirst: boolean;
  body: Uint8Array<ArrayBuffer>;
}

/** A worker that began an order. */
export interface Beginning {
  /** Id of the worker. */
  worker: string;
  /** ISO 8601. */
  time: string;
}

/** How an order came out. */
export interface OrderOutcome {
  job: string;
  number: number;
  /** `null` if it is final; else the lane that has not begun it, and leaves it to others. */
  declinedBy: string | null;
  body: Uint8Array<ArrayBuffer>;
}

/** Something that happens to an order while it is at work. Some may be lost. */
export interface OrderEvent {
  job: string;
  number: number;
  body: Uint8Array<ArrayBuffer>;
}

/** What the engine keeps of a job. */
export interface JobRecord {
  /** What the job was made from: two with the same name are one if this is the same. */
  digest: string;
  /** Who began it, for people. */
  client: string;
  /** ISO 8601. */
  started: string;
  /** Nothing of it is to be begun any more, and what is at work ends. */
  isCancelled: boolean;
}

/** An order that failed again and again, or that nobody could read. */
export interface DeadLetter {
  job: string;
  number: number;
  /** Why, for people. */
  reason: string;
  /** ISO 8601. */
  time: string;
}

/** How a lane stands. */
export interface LaneStatus {
  lane: string;
  /** Orders that wait for a worker. */
  waiting: number;
  /** Orders that workers have. */
  taken: number;
}

/** How the queue stands. */
export interface EngineStatus {
  /** Name and version of the engine, for people. */
  engine: string;
  lanes: readonly LaneStatus[];
  jobs: readonly (JobRecord & { job: string })[];
  /** Last of all outcomes so far, counted since the queue was made: the difference of two is a rate. */
  outcomes: number;
  /** How many dead letters are kept, and the newest of them, at most 20. */
  dead: { count: number; newest: readonly DeadLetter[] };
}

/**
 * What an engine of a queue does for those who submit orders and those who work. It moves bytes and knows nothing of calls,
 * tools and permissions. Bodies of any size up to 64 MiB are taken. Every verb waits while the engine cannot be reached, and
 * goes on once it can; each one may reject with `ToolError` `unauthenticated`, `external_failure` (what the engine refuses),
 * `limit_exceeded` (a body too large).
 */
export interface QueueEngine extends AsyncDisposable {
  /**
   * Makes a job, unless there is one of this name; one that was cancelled is open again then.
   *
   * @returns What was there before, `null` if it is new
   */
  openJob(job: string, record: JobRecord): Promise<JobRecord | null>;

  /** Marks a job as cancelled, if it is there, and removes its orders that no worker has taken. */
  cancelJob(job: string): Promise<void>;

  /** Forgets a job: its orders, beginnings, outcomes and blobs. */
  removeJob(job: string): Promise<void>;

  /**
   * Puts an order into the queue.
   *
   * @returns `known` if the very same place holds it already, taken or not; `full` if the queue takes no more now
   */
  submit(place: OrderPlace, body: Uint8Array): Promise<"taken" | "known" | "full">;

  /** Removes an order of a lane; a worker that has taken it is not stopped. */
  recall(place: OrderPlace): Promise<void>;

  /**
   * Gives all outcomes of a job, those that are there first, in the order in which they came, each once, also over losses of
   * the connection. Gives `null` once, where those end that were there at the beginning. Ends when it is returned.
   */
  outcomes(job: string): AsyncIterableIterator<OrderOutcome | null>;

  /** Gives events of a job from now on. */
  events(job: string): AsyncIterableIterator<OrderEvent>;

  /** Gives the cards of all workers that are there, anew after each change, at most twice a second. */
  cards(): AsyncIterableIterator<readonly Uint8Array<ArrayBuffer>[]>;

  /** Says that a worker is there, for the next 15 seconds. */
  announce(worker: string, card: Uint8Array): Promise<void>;

  /** Says that a worker has gone. */
  leave(worker: string): Promise<void>;

  /**
   * Takes orders of a lane, oldest first, never more at once than `places`; each one that was finished or given back makes a
   * place free. An order that was taken stays with this worker for as long as its process lives and the engine can be
   * reached once in `leaseMs` (its whole fleet must use the same); then others may take it.
   */
  take(lane: string, options: { places: number; leaseMs: number }): AsyncIterableIterator<TakenOrder>;

  /**
   * Records that a worker begins an order.
   *
   * @param options `once`: only if nobody has begun it; this is decided at one place for all workers
   * @returns Who began it before, oldest first, at most 20. With `once` and a non-empty answer, nothing was recorded
   */
  begin(taken: TakenOrder, by: Beginning, options: { once: boolean }): Promise<readonly Beginning[]>;

  /** Returns who has begun an order, oldest first, at most 20. */
  begun(order: OrderId): Promise<readonly Beginning[]>;

  /**
   * Keeps an outcome and lets the order go.
   *
   * @param options `declined`: this lane leaves it to others; `dead`: the reason why it is a dead letter too
   * @returns `known` if the order has a final outcome already: the first one stays
   */
  finish(
    taken: TakenOrder,
    body: Uint8Array,
    options: { declined: boolean; dead: string | null },
  ): Promise<"kept" | "known">;

  /** Lets an order go without an outcome: others may take it at once. */
  giveBack(taken: TakenOrder): Promise<void>;

  /** Tells those who watch a job of something. */
  tell(place: OrderPlace, body: Uint8Array): Promise<void>;

  /** Gives the names of jobs that were cancelled, those that are there first. */
  cancelled(): AsyncIterableIterator<string>;

  /** Keeps a file of an order until its job is removed. A second one of the same name replaces the first. */
  putBlob(place: OrderPlace, name: string, bytes: Uint8Array): Promise<void>;

  /** Reads a file of an order, `null` if there is none. */
  getBlob(order: OrderId, name: string): Promise<Uint8Array<ArrayBuffer> | null>;

  status(): Promise<EngineStatus>;
}

/** One node of an engine. */
export interface EngineNode {
  /** Name or address, without brackets. */
  host: string;
  port: number;
}

/** Where an engine is, and who asks it. */
export interface EngineSettings {
  /** Which engine. */
  scheme: "nats";
  /** Nodes of one cluster; one is enough. */
  nodes: readonly EngineNode[];
  /** Speak TLS; `ca` are further roots in PEM, `null` for those of the system. */
  tls: { ca: string | null } | null;
  /** `creds` is the text of a file with a JWT and a seed. */
  credentials:
    | { kind: "none" }
    | { kind: "user"; user: string; password: string }
    | { kind: "token"; token: string }
    | { kind: "creds"; text: string };
  /** Of how many nodes each keeps everything: 1 to 5. */
  replicas: number;
  /** How long outcomes and blobs that nobody has fetched are kept, in milliseconds. */
  keepMs: number;
  /** Most orders that wait at once, over all jobs. */
  mostOrders: number;
}

/** Whether the engine can be reached now. */
export interface LinkState {
  isUp: boolean;
  /** The node, or why it cannot be reached; for people. */
  text: string;
}
