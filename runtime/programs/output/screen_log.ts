import type { ScreenSource, TerminalSize } from "../../../schemas/program.ts";
import { OutputBuffer } from "./output_buffer.ts";

const MAX_BYTES = 1_048_576;

/** Holds what a terminal's screen is drawn from: the state drawn last and the output since. */
export class ScreenLog {
  readonly #size: TerminalSize;
  readonly #output = new OutputBuffer({ headBytes: 0, bufferBytes: MAX_BYTES });
  #state = "";
  /** Where the output since starts. */
  #mark = 0;
  #isIncomplete = false;

  constructor(size: TerminalSize) {
    this.#size = size;
  }

  /** Takes the next output. */
  push(bytes: Uint8Array): void {
    this.#output.push(bytes);
  }

  get source(): ScreenSource {
    return {
      rows: this.#size.rows,
      cols: this.#size.cols,
      state: this.#state,
      output: this.#output.unread,
      incomplete: this.#isIncomplete || this.#output.hasDropped,
      mark: this.#output.end,
    };
  }

  /** Keeps the state up to a mark instead of the output before it. An older mark changes nothing. */
  keep({ state, mark }: { state: string; mark: number }): void {
    if (mark < this.#mark || mark > this.#output.end) return;
    this.#mark = mark;
    this.#state = state;
    this.#isIncomplete = this.#output.hasDropped && mark < this.#output.end - this.#output.unread.length;
    this.#output.take({ endAt: mark });
  }
}
