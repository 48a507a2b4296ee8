import type { Progress } from "../../../schemas/context.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { Io } from "../io/io.ts";
import { type Bell, LONG_MS, makeBell } from "../io/bell.ts";
import type { LiveArea } from "./live_area.ts";

/** Time until a line is shown, in milliseconds: short work shows no line. */
const PATIENCE_MS = 700;

// The npm build of @std/cli has no progress bar and no spinner.

/** One line on a person's terminal about work that takes long. Silent without a terminal, in CI, and when quiet. */
export class StatusLine implements Disposable {
  readonly #io: Io;
  /** Made for the first line: most calls end before. */
  #area: LiveArea | undefined;
  readonly #bell: Bell;
  readonly #label: string;
  readonly #started = performance.now();
  #timer: ReturnType<typeof setInterval> | undefined;
  #progress: Progress = {};
  #questions = 0;

  constructor(io: Io, options: { quiet: boolean; label: string }) {
    this.#io = io;
    this.#bell = makeBell(io);
    this.#label = options.label;
    const watched = io.stderrWidth() !== null && !options.quiet && !io.env("CI") && io.env("TERM") !== "dumb";
    if (watched) this.#timer = setInterval(() => this.#draw(), PATIENCE_MS);
  }

  /** Takes what is to be shown at the next turn. */
  show(progress: Progress): void {
    this.#progress = { ...this.#progress, ...progress };
  }

  /** Leaves the terminal to a question to the person, until it is answered. */
  follow(state: "asked" | "answered" | "confirmed" | "declined"): void {
    this.#questions += state === "asked" ? 1 : -1;
    if (this.#questions > 0) this.#area?.print("");
  }

  /** Removes the line until its next turn: something else is to be written. */
  async hide(): Promise<void> {
    this.#area?.print("");
    await this.#area?.written;
  }

  /** Removes the line, and calls the person if the work took long. */
  clear(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#area?.print("");
    if (performance.now() - this.#started > LONG_MS) this.#bell();
  }

  [Symbol.dispose](): void {
    this.clear();
  }

  async #draw(): Promise<void> {
    const { LiveArea } = await import("./live_area.ts");
    if (this.#questions > 0 || this.#timer === undefined) return;
    this.#area ??= new LiveArea(this.#io);
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    const { done, total, message, output } = this.#progress;
    const count = done === undefined ? "" : ` ${done}${total === undefined ? "" : `/${total}`}`;
    const line = onOneLine(`${this.#label}${count}${message ? ` ${message}` : ""} ${seconds} s`);
    const lines = output === undefined
      ? []
      : output.split("\n").map((text) => `    ${onOneLine(text).replaceAll("\t", " ")}`);
    this.#area.draw([line, ...lines]);
  }
}
