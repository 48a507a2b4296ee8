import { AckPolicy, DeliverPolicy } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";

import type { Link } from "../link/link.ts";
import { Mailbox } from "./mailbox.ts";
import { Pull } from "./pull.ts";
import { newWritingId } from "./records.ts";
import type { StreamMessage } from "./stream_message.ts";

/** Messages that are asked for or not taken yet, at most. */
const WINDOW = 128;
/** A reader that asks for nothing is forgotten after so many milliseconds. */
const FORGOTTEN_MS = 60_000;

/** Which messages are read, and until when. */
export interface ReadOptions {
  stream: string;
  filter: string;
  signal: AbortSignal;
}

/**
 * Reads the messages of a subject in the order in which they were written, each once: where something is lost on the way, it is
 * read again from there. Gives `null` once, where those end that were there at the beginning.
 */
export async function* readStream(
  link: Link,
  options: ReadOptions,
): AsyncGenerator<StreamMessage | null, void> {
  const { stream, signal } = options;
  let last = 0;
  let existing: number | null = null;
  while (!signal.aborted) {
    const { name, num_pending: pending } = await openReader(link, { ...options, from: last + 1 });
    const isFirst: boolean = existing === null;
    existing = Math.min(existing ?? pending, pending);
    if (isFirst && existing === 0) yield null;
    using part = new ReaderPart(link, { stream, consumer: name, signal });
    for await (const message of part.messages()) {
      if (message) {
        last = message.seq;
        yield message;
      }
      if (existing === 0) continue;
      // Some of them may have been removed meanwhile.
      existing = !message || message.pending === 0 ? 0 : existing - 1;
      if (existing === 0) yield null;
    }
    void forget(link, stream, name);
  }
}

/** Each try has a name of its own: the engine may have placed the reader of an earlier one on a node that is lost. */
function openReader(link: Link, { stream, filter, from }: ReadOptions & { from: number }) {
  return link.ask(({ consumers }) =>
    consumers.add(stream, {
      name: newWritingId(),
      filter_subject: filter,
      ack_policy: AckPolicy.None,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: from,
      inactive_threshold: nanos(FORGOTTEN_MS),
      mem_storage: true,
      num_replicas: 1,
    })
  );
}

/** Most readers that end are gone already; the engine forgets the others itself. */
async function forget(link: Link, stream: string, name: string): Promise<void> {
  if (!link.isUp || link.closed.aborted) return;
  try {
    await link.ask(({ consumers }) => consumers.delete(stream, name));
  } catch {
    // It does not matter then.
  }
}

/** What one reader of the engine gives without a gap. */
class ReaderPart {
  readonly #messages = new Mailbox<StreamMessage | null>();
  readonly #pull: Pull;
  readonly #signal: AbortSignal;
  readonly #end = () => this.#messages.end();
  #delivered = 0;

  constructor(link: Link, options: { stream: string; consumer: string; signal: AbortSignal }) {
    const { stream, consumer, signal } = options;
    this.#signal = signal;
    this.#pull = new Pull(link, {
      stream,
      consumer,
      onMessage: (message) => this.#receive(message),
      onRoom: () => {
        if (this.#messages.size === 0) this.#messages.push(null);
        this.#refill();
      },
      onLost: this.#end,
    });
    signal.addEventListener("abort", this.#end, { once: true });
    link.closed.addEventListener("abort", this.#end, { once: true, signal });
    this.#refill();
  }

  /** `null` stands for some time in which nothing came. */
  async *messages(): AsyncGenerator<StreamMessage | null, void> {
    for await (const message of this.#messages) {
      this.#refill();
      yield message;
    }
  }

  #receive(message: StreamMessage): void {
    if (message.delivery !== ++this.#delivered) return this.#messages.end();
    this.#messages.push(message);
  }

  #refill(): void {
    const open = this.#pull.asked + this.#messages.size;
    if (open <= WINDOW / 2) this.#pull.ask(WINDOW - open);
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener("abort", this.#end);
    this.#pull.close();
    this.#messages.end();
  }
}
