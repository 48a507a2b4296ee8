import type { RunEvent } from "../../../schemas/agent/events.ts";
import { jsonLine } from "../../text/json_line.ts";
import type { Output } from "../io/output.ts";

/** Options of an {@linkcode EventStream}. */
export interface EventStreamOptions {
  /** Masks secrets in a line of JSON. @default nothing is masked */
  mask?: (line: string) => string;
  /** Called, perhaps several times, when events can no longer be written. */
  onFail?: (error: unknown) => void;
}

/** Writes events, one line of JSON each, in their order. */
export class EventStream {
  readonly #output: Output;
  readonly #mask: (line: string) => string;
  readonly #onFail: (error: unknown) => void;
  #written: Promise<void> = Promise.resolve();

  constructor(output: Output, { mask = (line) => line, onFail = () => {} }: EventStreamOptions = {}) {
    this.#output = output;
    this.#mask = mask;
    this.#onFail = onFail;
  }

  /** Resolves when all events so far are written, rejects if one could not be. */
  get written(): Promise<void> {
    return this.#written;
  }

  emit(event: RunEvent): void {
    const line = this.#mask(jsonLine({ v: 1, ...event }));
    this.#written = this.#written.then(() => this.#output.write(line));
    // A caller that awaits `written` gets the error. Without such a caller, only the handler gets it.
    this.#written.catch(this.#onFail);
  }
}
