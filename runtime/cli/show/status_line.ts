import type { Progress } from "../../../schemas/context.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { type Io, printError } from "../io/io.ts";
import { cutEnd } from "./columns.ts";

/** Time until a line is shown, in milliseconds: short work shows no line. */
const PATIENCE_MS = 700;
/** Longest line: it must not wrap. */
const MAX_COLUMNS = 78;
const CLEAR = "\r\x1b[K";

// The npm build of @std/cli has no progress bar and no spinner.

/** One line on a person's terminal about work that takes long. Silent without a terminal, in CI, and when quiet. */
export class StatusLine implements Disposable {
  readonly #io: Io;
  readonly #label: string;
  readonly #started = performance.now();
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  #progress: Progress = {};
  #shown = false;
  #questions = 0;

  constructor(io: Io, options: { quiet: boolean; label: string }) {
    this.#io = io;
    this.#label = options.label;
    const watched = io.stderrIsTerminal() && !options.quiet && !io.env("CI") && io.env("TERM") !== "dumb";
    if (watched) this.#timer = setInterval(() => this.#draw(), PATIENCE_MS);
  }

  /** Takes what is to be shown at the next turn. */
  show(progress: Progress): void {
    this.#progress = progress;
  }

  /** Leaves the terminal to a question to the person, until it is answered. */
  follow(state: "asked" | "answered" | "confirmed" | "declined"): void {
    this.#questions += state === "asked" ? 1 : -1;
    if (this.#questions > 0) this.#erase();
  }

  /** Removes the line until its next turn: something else is to be written. */
  async hide(): Promise<void> {
    if (this.#shown) await printError(this.#io, CLEAR);
    this.#shown = false;
  }

  /** Removes the line. */
  clear(): void {
    clearInterval(this.#timer);
    this.#erase();
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  #erase(): void {
    if (this.#shown) printError(this.#io, CLEAR);
    this.#shown = false;
  }

  #draw(): void {
    if (this.#questions > 0) return;
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    const { done, total, message } = this.#progress;
    const count = done === undefined ? "" : ` ${done}${total === undefined ? "" : `/${total}`}`;
    const line = `${this.#label}${count}${message ? ` ${message}` : ""} ${seconds} s`;
    this.#shown = true;
    printError(this.#io, CLEAR + cutEnd(onOneLine(line), MAX_COLUMNS));
  }
}
