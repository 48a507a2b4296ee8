import type { ServedEvent } from "../../runs/runs.ts";
import { type Delta, usageOf } from "../chunk.ts";
import { RunDeltas } from "../run_deltas.ts";
import type { Ending } from "../run_ending.ts";
import type { RunStream } from "../watch_run.ts";
import {
  closedResponse,
  failedResponse,
  itemId,
  messageItem,
  openResponse,
  type ResponseHead,
  textPart,
} from "./response_object.ts";

/** Turns the events of a run into the named events of a response. The work besides the answer is not told. */
export class ResponseStream implements RunStream {
  readonly #head: ResponseHead;
  readonly #deltas: RunDeltas;
  readonly #place: { item_id: string; output_index: 0; content_index: 0 };
  #number = 0;
  /** The text so far; `null` before the message has begun. */
  #text: string | null = null;

  /** @param mustBeJson The answer is told at the end */
  constructor(head: ResponseHead, mustBeJson: boolean) {
    this.#head = head;
    this.#deltas = new RunDeltas("reasoning", mustBeJson);
    this.#place = { item_id: itemId(head.id), output_index: 0, content_index: 0 };
  }

  begin(): string {
    const response = openResponse(this.#head);
    return this.#event("response.created", { response }) + this.#event("response.in_progress", { response });
  }

  hear(event: ServedEvent): string {
    return this.#tell(this.#deltas.hear(event));
  }

  end(ending: Ending, usage: object | null): string {
    if (ending.kind === "failure") {
      return this.#event("response.failed", { response: failedResponse(this.#head, ending.body) });
    }
    const rest = this.#tell(this.#deltas.end(ending.content)) + this.#begun();
    const text = this.#text ?? "";
    const response = closedResponse(this.#head, { ...ending, content: text }, usageOf(usage));
    const isCut = ending.finish === "length";
    return rest +
      this.#event("response.output_text.done", { ...this.#place, text, logprobs: [] }) +
      this.#event("response.content_part.done", { ...this.#place, part: textPart(text) }) +
      this.#event("response.output_item.done", {
        output_index: 0,
        item: messageItem(this.#head, text, isCut ? "incomplete" : "completed"),
      }) +
      this.#event(isCut ? "response.incomplete" : "response.completed", { response });
  }

  #tell(deltas: readonly Delta[]): string {
    const texts = deltas.flatMap(({ content }) =>
      typeof content === "string" && content !== "" ? [content] : []
    );
    return texts.map((delta) => {
      const begun = this.#begun();
      this.#text += delta;
      return begun + this.#event("response.output_text.delta", { ...this.#place, delta, logprobs: [] });
    }).join("");
  }

  /** Begins the message, once. */
  #begun(): string {
    if (this.#text !== null) return "";
    this.#text = "";
    const item = messageItem(this.#head, null, "in_progress");
    return this.#event("response.output_item.added", { output_index: 0, item }) +
      this.#event("response.content_part.added", { ...this.#place, part: textPart("") });
  }

  #event(type: string, more: Record<string, unknown>): string {
    const data = { type, sequence_number: this.#number++, ...more };
    return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}
