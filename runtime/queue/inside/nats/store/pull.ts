import { createInbox, type Msg, nanos, type Subscription } from "@nats-io/nats-core";

import type { Link } from "../link/link.ts";
import { readStreamMessage, type StreamMessage } from "./stream_message.ts";

/** How long the engine keeps a question for messages, in milliseconds. */
const EXPIRES_MS = 4_000;
/** While a question waits, the engine says so often that it is there, in milliseconds. */
const HEARTBEAT_MS = 1_000;
/** After so long without a word the question counts as lost, in milliseconds. */
const SILENCE_MS = 2_500;

const STATUS = { heartbeat: 100, none: 404, expired: 408 } as const;
const LEFT = "Nats-Pending-Messages";

/** Whose messages are asked for, and who takes them. */
export interface PullOptions {
  stream: string;
  consumer: string;
  onMessage(message: StreamMessage): void;
  /** Fewer came than were asked for: it is time to ask again. */
  onRoom(): void;
  /** Everything that was asked for is lost: the consumer may be gone. Nothing is given any more. */
  onLost(): void;
}

/** Asks a consumer for messages, so many as there is room for, and never for more. */
export class Pull {
  readonly #link: Link;
  readonly #options: PullOptions;
  readonly #inbox = createInbox();
  readonly #subscription: Subscription;
  readonly #stopListening: () => void;
  #asked = 0;
  #heardAt = performance.now();
  readonly #watch: ReturnType<typeof setInterval>;
  #isOpen = true;

  constructor(link: Link, options: PullOptions) {
    this.#link = link;
    this.#options = options;
    this.#subscription = link.nc.subscribe(this.#inbox, {
      callback: (error, msg) => this.#receive(error, msg),
    });
    this.#stopListening = link.onUp(() => this.#lose());
    this.#watch = setInterval(() => this.#checkSilence(), HEARTBEAT_MS / 2);
  }

  /** How many messages may still come without asking again. */
  get asked(): number {
    return this.#asked;
  }

  /** Asks for more messages. */
  ask(count: number): void {
    if (!this.#isOpen || count <= 0) return;
    if (this.#asked === 0) this.#heardAt = performance.now();
    this.#asked += count;
    const { stream, consumer } = this.#options;
    const question = { batch: count, expires: nanos(EXPIRES_MS), idle_heartbeat: nanos(HEARTBEAT_MS) };
    this.#link.send(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, JSON.stringify(question), this.#inbox);
  }

  /** Takes nothing more; messages that are on their way are still given. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#watch);
    this.#stopListening();
    if (this.#link.nc.isClosed()) return;
    this.#subscription.drain().catch(() => {});
  }

  #receive(error: Error | null, msg: Msg): void {
    if (error) return this.#lose();
    this.#heardAt = performance.now();
    const message = readStreamMessage(msg);
    const code = msg.headers?.code ?? 0;
    if (message) {
      this.#asked = Math.max(0, this.#asked - 1);
      this.#options.onMessage(message);
    } else if (code === STATUS.expired || code === STATUS.none) {
      this.#release(msg);
    } else if (code !== STATUS.heartbeat) {
      this.#lose();
    }
  }

  /** The engine gives less than it was asked for. */
  #release(msg: Msg): void {
    const left = Number(msg.headers?.get(LEFT) || NaN);
    if (Number.isNaN(left)) return this.#lose();
    this.#asked = Math.max(0, this.#asked - left);
    this.#options.onRoom();
  }

  #checkSilence(): void {
    if (this.#asked > 0 && this.#link.isUp && performance.now() - this.#heardAt > SILENCE_MS) this.#lose();
  }

  #lose(): void {
    if (!this.#isOpen) return;
    this.close();
    this.#options.onLost();
  }
}
