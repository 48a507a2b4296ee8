import { jetstream, type JetStreamClient, type JetStreamManager, jetstreamManager } from "@nats-io/jetstream";
import type { MsgHdrs, NatsConnection } from "@nats-io/nats-core";

import { ToolError } from "../../../../../schemas/error.ts";
import { sleep } from "../../../../wait/sleep.ts";
import type { LinkState } from "../../../contract/engine.ts";
import { asToolError, isPassing, LinkLost } from "./failures.ts";

/** Longest wait for one answer, in milliseconds. */
export const ANSWER_MS = 3_000;
/** What nodes take in one message if nothing else is set, in bytes. */
const DEFAULT_PAYLOAD = 1_048_576;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** How something is written into a stream. */
export interface PutOptions {
  /** Two with the same are one, for some time. */
  id: string;
  headers: MsgHdrs;
  /** Number of the newest of this subject, 0 for none: any other refuses. */
  after?: number;
}

/** The connection to the engine: what is asked waits out its losses. */
export class Link {
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly #closed = new AbortController();
  readonly #tell: (state: LinkState) => void;
  readonly #waiting = new Set<(error: LinkLost) => void>();
  readonly #listeners = new Set<() => void>();
  #manager!: JetStreamManager;
  #up = Promise.withResolvers<void>();
  #isUp = true;
  #maxPayload = 0;
  /** When the link was lost last, in milliseconds since 1970. */
  lostAt = 0;

  private constructor(nc: NatsConnection, tell: (state: LinkState) => void) {
    this.nc = nc;
    this.js = jetstream(nc, { timeout: ANSWER_MS });
    this.#tell = tell;
    this.#up.resolve();
    void this.#watch();
  }

  /** Takes over a connection that is up. */
  static async over(nc: NatsConnection, tell: (state: LinkState) => void): Promise<Link> {
    const link = new Link(nc, tell);
    link.#maxPayload = nc.info?.max_payload ?? DEFAULT_PAYLOAD;
    link.#manager = await jetstreamManager(nc, { timeout: ANSWER_MS, checkAPI: false });
    return link;
  }

  /** Largest message that a node takes, in bytes. */
  get maxPayload(): number {
    return this.#maxPayload = this.nc.info?.max_payload ?? this.#maxPayload;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Aborts when the link is given up for good. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Settles when the engine can be reached. */
  up(): Promise<void> {
    return this.#up.promise;
  }

  /** Calls back each time the link is there again, until the returned function is called. */
  onUp(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Asks until there is an answer. What is asked may happen more than once.
   *
   * @throws {ToolError} `external_failure` for what the engine refuses; `cancelled` once the link is closed
   */
  async ask<T>(question: (manager: JetStreamManager) => Promise<T>): Promise<T> {
    try {
      return await this.attempt(() => question(this.#manager));
    } catch (error) {
      throw asToolError(error);
    }
  }

  /** As {@linkcode Link.ask}, but what the engine refuses is thrown as it is. */
  async attempt<T>(question: (tries: number) => Promise<T>): Promise<T> {
    let pause = FIRST_PAUSE_MS;
    for (let tries = 0;; tries++) {
      this.#throwIfClosed();
      if (!this.#isUp) await this.#orClosed(this.#up.promise);
      try {
        return await this.#unlessLost(question(tries));
      } catch (error) {
        if (!isPassing(error)) throw error;
      }
      if (this.#isUp) {
        await sleep(pause, this.closed).catch(() => {});
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
  }

  /** Puts a message into its stream, tried until it is known to be there. Returns its number there. */
  async put(subject: string, body: Uint8Array, { id, headers, after }: PutOptions): Promise<number> {
    const options = {
      msgID: id,
      headers,
      timeout: ANSWER_MS,
      ...(after !== undefined && { expect: { lastSubjectSequence: after } }),
    };
    return await this.attempt(async (tries) => {
      if (tries > 0) headers.set(RETRIED, "1");
      return (await this.js.publish(subject, body, options)).seq;
    });
  }

  /** Sends a message that nobody acknowledges; it may be lost. */
  send(subject: string, body?: Uint8Array | string, reply?: string): void {
    if (this.#isUp && !this.nc.isClosed()) {
      this.nc.publish(subject, body, reply === undefined ? {} : { reply });
    }
  }

  async close(): Promise<void> {
    if (this.closed.aborted) return;
    this.#closed.abort(new ToolError("cancelled", "The link to the queue is closed"));
    this.#lose();
    this.#up.resolve();
    await this.nc.close();
  }

  async #watch(): Promise<void> {
    for await (const status of this.nc.status()) {
      if (status.type === "disconnect") this.#down(status.server);
      else if (status.type === "reconnect") this.#again(status.server);
      else if (status.type === "error" && !this.#isUp) {
        this.#tell({ isUp: false, text: `${status.error.message}` });
      }
    }
  }

  #down(server: string): void {
    if (!this.#isUp || this.closed.aborted) return;
    this.#isUp = false;
    this.lostAt = Date.now();
    this.#up = Promise.withResolvers<void>();
    this.#lose();
    this.#tell({ isUp: false, text: `the connection to ${server} is lost` });
  }

  /** The library may say it twice. */
  #again(server: string): void {
    if (this.#isUp) return;
    this.#isUp = true;
    this.#up.resolve();
    this.#tell({ isUp: true, text: server });
    for (const listener of [...this.#listeners]) listener();
  }

  #lose(): void {
    const lost = new LinkLost();
    for (const reject of [...this.#waiting]) reject(lost);
    this.#waiting.clear();
  }

  /** The library waits for an answer that cannot come any more. */
  #unlessLost<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const onLost = (error: LinkLost) => reject(error);
      this.#waiting.add(onLost);
      answer.then(resolve, reject).finally(() => this.#waiting.delete(onLost));
    });
  }

  #orClosed(work: Promise<void>): Promise<void> {
    return work.then(() => this.#throwIfClosed());
  }

  #throwIfClosed(): void {
    if (this.closed.aborted) throw this.closed.reason;
  }
}

/** Header of a message that was written more than once, perhaps. */
export const RETRIED = "Bh-Retried";
