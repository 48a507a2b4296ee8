import type { ServedEvent } from "../runs/runs.ts";
import type { ForcedCall } from "../api/forced_call.ts";
import { callPart, chunk, type ChunkHead, type Delta, DONE, sse, usageChunk, usageOf } from "./chunk.ts";
import { RunDeltas } from "./run_deltas.ts";
import type { Ending } from "./run_ending.ts";
import type { StreamStyle } from "./show_steps.ts";
import type { RunStream } from "./watch_run.ts";

/** What a stream is made of. */
export interface ChatStreamOptions {
  head: ChunkHead;
  style: StreamStyle;
  /** The first content, `""` for none. */
  planted: string;
  /** The answer is told at the end, and nothing but it is content. */
  mustBeJson: boolean;
  /** The answer is told as a call of this tool of the client. @default as content */
  call?: Pick<ForcedCall, "name"> | null;
  /** A chunk with the usage stands at the end. */
  withUsage: boolean;
}

/** Turns the events of a run into chunks of chat completions. */
export class ChatStream implements RunStream {
  readonly #options: ChatStreamOptions;
  readonly #deltas: RunDeltas;

  constructor(options: ChatStreamOptions) {
    this.#options = options;
    this.#deltas = new RunDeltas(options.style, options.mustBeJson);
  }

  begin(): string {
    const { planted, mustBeJson } = this.#options;
    const first = planted === "" || mustBeJson ? [] : [{ content: planted }];
    return this.#chunks([{ role: "assistant", content: "" }, ...first]);
  }

  hear(event: ServedEvent): string {
    return this.#chunks(this.#deltas.hear(event));
  }

  end(ending: Ending, usage: object | null): string {
    if (ending.kind === "failure") return this.#chunks(this.#deltas.end(null)) + sse(ending.body);
    const { head, withUsage, call } = this.#options;
    const isCall = call && ending.isJson === true;
    const deltas = isCall
      ? [{ tool_calls: [{ index: 0, ...callPart(head.id, call.name, ending.content) }] }]
      : this.#deltas.end(ending.content);
    const last = this.#chunks(deltas) + chunk(head, {}, isCall ? "tool_calls" : ending.finish);
    return last + (withUsage ? usageChunk(head, usageOf(usage)) : "") + DONE;
  }

  #chunks(deltas: readonly Delta[]): string {
    return deltas.map((delta) => chunk(this.#options.head, delta)).join("");
  }
}
