import { settleLine } from "../../../schemas/terminal/settle_line.ts";

/** How often the last lines are told at most, in milliseconds. */
const EVERY_MS = 100;
/** Lines that are told, and bytes that are kept for them. */
const MAX_LINES = 3;
const MAX_BYTES = 1_024;

/** Tells the last lines of what a running program says, at most ten times a second. */
export class LiveTail {
  readonly #tell: (lines: string) => void;
  readonly #now: () => number;
  #kept = new Uint8Array();
  #toldAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(tell: (lines: string) => void, now = () => performance.now()) {
    this.#tell = tell;
    this.#now = now;
  }

  /** Takes output as it comes, of all streams. */
  push(bytes: Uint8Array): void {
    const last = bytes.subarray(-MAX_BYTES);
    const before = this.#kept.subarray(Math.max(0, this.#kept.length + last.length - MAX_BYTES));
    const kept = new Uint8Array(before.length + last.length);
    kept.set(before);
    kept.set(last, before.length);
    this.#kept = kept;
    const wait = this.#toldAt + EVERY_MS - this.#now();
    if (wait <= 0) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), wait);
  }

  /** The program has ended: what was not told yet is of no use any more. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#toldAt = this.#now();
    // What a line overwrote by a carriage return is gone for a person, too.
    const lines = new TextDecoder().decode(this.#kept).split("\n").map(settleLine);
    const shown = lines.filter((line) => line.trim() !== "").slice(-MAX_LINES).join("\n");
    if (shown !== "") this.#tell(shown);
  }
}
