import { makeMasker } from "./redact.ts";
import { StreamMasker } from "./stream_masker.ts";

/** A piece of a text that comes in several, or any other event. */
interface AnyEvent {
  type: string;
  text?: string;
  restart?: true;
}

/** Masks secrets in the events of a run, also one that comes in pieces. */
export class EventMasker {
  readonly #answer: StreamMasker;
  /** Masks the secrets of a line of JSON. */
  readonly mask: (line: string) => string;

  constructor(secrets: readonly string[]) {
    this.mask = makeMasker(secrets);
    this.#answer = new StreamMasker(secrets);
  }

  /**
   * Takes the next event; returns those that can be told by now, in their order. Pieces of a text are masked; the lines of
   * all events are for {@linkcode mask}.
   */
  push<Event extends AnyEvent>(event: Event): (Event | { type: "text.delta"; text: string })[] {
    if (event.type === "text.delta" && !event.restart) return textOf(this.#answer.push(event.text ?? ""));
    const rest = this.#answer.flush();
    // A text that begins again takes back what was told of it.
    return event.type === "text.delta" ? [event] : [...textOf(rest), event];
  }
}

function textOf(text: string): { type: "text.delta"; text: string }[] {
  return text === "" ? [] : [{ type: "text.delta", text }];
}
