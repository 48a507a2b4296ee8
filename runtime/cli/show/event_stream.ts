import type { RunEvent } from "../../../schemas/agent/events.ts";
import { jsonLine } from "../../text/json_line.ts";
import { EventMasker } from "../../text/secrets/event_masker.ts";
import type { Output } from "../io/output.ts";

/** Options of an {@linkcode EventStream}. */
export interface EventStreamOptions {
  /** Texts that no event shows, also not a text that comes in pieces. @default none */
  secrets?: readonly string[];
  /** Called, perhaps several times, when events can no longer be written. */
  onFail?: (error: unknown) => void;
}

/** Writes events, one line of JSON each, in their order. */
export class EventStream {
  readonly #output: Pick<Output, "write">;
  readonly #masker: EventMasker;
  readonly #onFail: (error: unknown) => void;
  #written: Promise<void> = Promise.resolve();

  constructor(output: Pick<Output, "write">, { secrets = [], onFail = () => {} }: EventStreamOptions = {}) {
    this.#output = output;
    this.#masker = new EventMasker(secrets);
    this.#onFail = onFail;
  }

  /** Resolves when all events so far are written, rejects if one could not be. */
  get written(): Promise<void> {
    return this.#written;
  }

  emit(event: RunEvent): void {
    for (const told of this.#masker.push(event)) this.#write(told);
  }

  #write(event: RunEvent): void {
    const line = this.#masker.mask(jsonLine({ v: 1, ...event }));
    this.#written = this.#written.then(() => this.#output.write(line));
    // A caller that awaits `written` gets the error. Without such a caller, only the handler gets it.
    this.#written.catch(this.#onFail);
  }
}
