import type { RunEvent } from "../../../schemas/agent/events.ts";
import { jsonLine } from "../../text/json_line.ts";
import { makeMasker } from "../../text/secrets/redact.ts";
import { StreamMasker } from "../../text/secrets/stream_masker.ts";
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
  readonly #mask: (line: string) => string;
  readonly #answer: StreamMasker;
  readonly #onFail: (error: unknown) => void;
  #written: Promise<void> = Promise.resolve();

  constructor(output: Pick<Output, "write">, { secrets = [], onFail = () => {} }: EventStreamOptions = {}) {
    this.#output = output;
    this.#mask = makeMasker(secrets);
    this.#answer = new StreamMasker(secrets);
    this.#onFail = onFail;
  }

  /** Resolves when all events so far are written, rejects if one could not be. */
  get written(): Promise<void> {
    return this.#written;
  }

  emit(event: RunEvent): void {
    if (event.type === "text.delta" && !event.restart) {
      this.#tellText(this.#answer.push(event.text));
      return;
    }
    const rest = this.#answer.flush();
    // A text that begins again takes back what was told of it.
    if (event.type !== "text.delta") this.#tellText(rest);
    this.#write(event);
  }

  #tellText(text: string): void {
    if (text !== "") this.#write({ type: "text.delta", text });
  }

  #write(event: RunEvent): void {
    const line = this.#mask(jsonLine({ v: 1, ...event }));
    this.#written = this.#written.then(() => this.#output.write(line));
    // A caller that awaits `written` gets the error. Without such a caller, only the handler gets it.
    this.#written.catch(this.#onFail);
  }
}
