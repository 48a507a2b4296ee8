import { AnswerText, type Said } from "./answer_text.ts";
import type { ServedEvent } from "../runs/runs.ts";
import { chunk, type ChunkHead, type Delta, DONE, sse, usageChunk, usageOf } from "./chunk.ts";
import type { Ending } from "./run_ending.ts";
import { remark, type StepView, stepView, type StreamStyle } from "./show_steps.ts";

/** What a stream is made of. */
export interface ChatStreamOptions {
  head: ChunkHead;
  style: StreamStyle;
  /** The first content, `""` for none. */
  planted: string;
  /** The answer is told at the end, and nothing but it is content. */
  mustBeJson: boolean;
  /** A chunk with the usage stands at the end. */
  withUsage: boolean;
}

/** Turns the events of a run into the chunks of OpenAI's API. */
export class ChatStream {
  readonly #head: ChunkHead;
  readonly #withUsage: boolean;
  readonly #planted: string;
  readonly #text: AnswerText;
  readonly #steps: StepView;

  constructor({ head, style, planted, mustBeJson, withUsage }: ChatStreamOptions) {
    this.#head = head;
    this.#withUsage = withUsage;
    this.#planted = mustBeJson ? "" : planted;
    this.#text = new AnswerText(mustBeJson);
    this.#steps = stepView(mustBeJson ? "reasoning" : style);
  }

  /** Returns what begins the stream. */
  begin(): string {
    const planted = this.#planted === "" ? [] : [{ content: this.#planted }];
    return this.#chunks([{ role: "assistant", content: "" }, ...planted]);
  }

  /** Returns what is told of an event, `""` for nothing. */
  hear(event: ServedEvent): string {
    return this.#chunks(this.#deltas(event));
  }

  /** Returns what ends the stream. */
  end(ending: Ending, usage: object | null): string {
    if (ending.kind === "failure") return this.#chunks(said(this.#text.end(null))) + sse(ending.body);
    const last = this.#chunks(said(this.#text.end(ending.content))) + chunk(this.#head, {}, ending.finish);
    return last + (this.#withUsage ? usageChunk(this.#head, usageOf(usage)) : "") + DONE;
  }

  #deltas(event: ServedEvent): Delta[] {
    switch (event.type) {
      case "text.delta": {
        const taken = event.restart ? this.#text.restart() : [];
        return said([...taken, ...this.#text.push(event.text)]);
      }
      case "turn.start":
        return said(this.#text.pause());
      case "tool.start":
        return [...said(this.#text.pause()), ...this.#steps.start(event)];
      case "tool.end":
        return this.#steps.end(event);
      case "run.queued":
        return [remark(`Waits behind ${event.ahead} ${event.ahead === 1 ? "run" : "runs"}\n`)];
      case "retry":
        return [remark(`Asks the model again (${event.n} of ${event.max}): ${event.message}\n`)];
      case "warning":
        return [remark(`${event.message}\n`)];
      case "compact":
        return [remark("Sums up what was said before\n")];
      default:
        return [];
    }
  }

  #chunks(deltas: readonly Delta[]): string {
    return deltas.map((delta) => chunk(this.#head, delta)).join("");
  }
}

function said(pieces: readonly Said[]): Delta[] {
  return pieces.map((piece) => "content" in piece ? { content: piece.content } : remark(piece.remark));
}
