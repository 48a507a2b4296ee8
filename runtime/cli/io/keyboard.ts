import { orAborted } from "../../wait/or_aborted.ts";
import { eraseEnd, lastLength } from "./erase_end.ts";

/** The person's side of the terminal. */
export interface Keyboard {
  /** What is typed next: a line, or in raw mode the keys so far; `null` at the end of input. */
  read(): Promise<string | null>;
  /**
   * In raw mode keys are not held back until the line ends, and are not shown.
   *
   * @param options `signals`: Ctrl-C, Ctrl-\\ and Ctrl-Z do what they do otherwise. Defaults to true
   */
  setRaw(raw: boolean, options?: { signals?: boolean }): void;
  /** From now on, the signals of Ctrl-C and Ctrl-\\ are meant for a program in front, and not for this one. */
  lend(): void;
  /** Rows of the terminal. */
  rows(): number;
}

/** A question, and the prompt after which an answer counts. */
export interface Prompted {
  shown: string;
  prompt: string;
}

/** How long nothing must be typed before an answer counts, in milliseconds. */
export const QUIET_MS = 300;

/** Keys that move the cursor and their like, and the marks around what is pasted. */
const LEAD = "\\x1b";
const ESCAPES = new RegExp(`${LEAD}(?:\\[[0-?]*[ -/]*[@-~]|O?[^])?`, "g");
const ENTER = /[\r\n]/;
const END_OF_INPUT = "\x04";
const CONTROL = new RegExp(`[\\0-\\x1f\\x7f-\\x9f]`);
const ERASE: Readonly<Record<string, (line: string) => number>> = {
  "\x7f": lastLength,
  "\b": lastLength,
  "\x15": (line) => line.length,
  "\x17": (line) => /\S*\s*$/.exec(line)![0].length,
};

/** What a {@linkcode Questioner} can be told of its terminal. */
export interface QuestionerOptions {
  /** How long nothing must be typed before an answer counts, in milliseconds. @default 300 */
  quietMs?: number;
  /** Columns of a terminal whose cursor can go up, else `null`. @default null */
  columns?: () => number | null;
}

/**
 * Asks questions at a terminal. Only what is typed after a question was shown is an answer: what was typed before, also
 * without a line end, is dropped until nothing was typed for a moment, and so is what is pasted after the first line.
 */
export class Questioner {
  readonly #keyboard: Keyboard;
  readonly #show: (text: string) => Promise<void>;
  readonly #quietMs: number;
  readonly #columns: () => number | null;
  /** A read cannot be cancelled. If its question is over, it goes on for the next one. */
  #pending: Promise<string | null> | undefined;

  constructor(
    keyboard: Keyboard,
    show: (text: string) => Promise<void>,
    { quietMs = QUIET_MS, columns = () => null }: QuestionerOptions = {},
  ) {
    this.#keyboard = keyboard;
    this.#show = show;
    this.#quietMs = quietMs;
    this.#columns = columns;
  }

  /** Shows a question and reads one line; `null` at the end of input and when the signal aborts. */
  async ask({ shown, prompt }: Prompted, signal: AbortSignal): Promise<string | null> {
    await this.#show(shown);
    // A line that is still being written is seen only so.
    this.#keyboard.setRaw(true);
    try {
      await this.#dropTyped(signal);
      // It waits from before the prompt: a quick answer comes while the prompt is still being written.
      const first = this.#read();
      await this.#show(prompt);
      return await this.#readLine(first, prompt, signal);
    } finally {
      this.#keyboard.setRaw(false);
    }
  }

  async #dropTyped(signal: AbortSignal): Promise<void> {
    for (;;) {
      const quiet = Promise.withResolvers<"quiet">();
      const timer = setTimeout(() => quiet.resolve("quiet"), this.#quietMs);
      const typed = await orAborted(Promise.race([this.#read(), quiet.promise]), signal);
      clearTimeout(timer);
      if (typed === "quiet" || typed === null) return;
    }
  }

  /** The terminal is raw, so the line is shown and mended here. */
  async #readLine(
    first: Promise<string | null>,
    prompt: string,
    signal: AbortSignal,
  ): Promise<string | null> {
    let line = "";
    for (let next = first;; next = this.#read()) {
      const typed = await orAborted(next, signal);
      if (typed === null) return null;
      for (const key of typed.replace(ESCAPES, "")) {
        if (key === END_OF_INPUT && line.length === 0) return null;
        if (ENTER.test(key)) {
          await this.#show("\n");
          return line;
        }
        const left = line.slice(0, line.length - (ERASE[key]?.(line) ?? 0));
        if (left !== line) {
          await this.#show(await eraseEnd({ prompt, line, columns: this.#columns() }, left));
          line = left;
        } else if (!CONTROL.test(key)) {
          line += key;
          await this.#show(key);
        }
      }
    }
  }

  #read(): Promise<string | null> {
    return this.#pending ??= this.#keyboard.read().finally(() => this.#pending = undefined);
  }
}
