import { type Io, printError } from "../io/io.ts";
import { cutEnd, widthOf } from "./tables/columns.ts";

/** Columns of a terminal that does not tell. */
const USUAL_COLUMNS = 80;
const CLEAR_BELOW = "\x1b[J";

/**
 * The last lines of a person's terminal, which change while work goes on: what is printed takes their place. All that
 * goes to the terminal through one area comes out in order.
 */
export class LiveArea {
  readonly #io: Io;
  /** The lines that stand there now. */
  #lines: readonly string[] = [];
  #written: Promise<unknown> = Promise.resolve();

  constructor(io: Io) {
    this.#io = io;
  }

  /** Columns of the terminal now: the person may have changed its size. */
  get columns(): number {
    return this.#io.stderrWidth() ?? USUAL_COLUMNS;
  }

  /** Settles when all that was shown so far is written. */
  get written(): Promise<unknown> {
    return this.#written;
  }

  /** Shows lines in the place of the earlier ones, each cut to the width of the terminal. */
  draw(lines: readonly string[]): void {
    // A line as wide as the terminal would move the cursor to the next one.
    const cut = lines.map((line) => cutEnd(line, this.columns - 1));
    const clear = this.#clear();
    this.#lines = cut;
    this.#write((io) => printError(io, clear + cut.join("\n")));
  }

  /** Prints a text, also one that is still being made, in the place of the lines, to stderr or to stdout. */
  print(text: string | Promise<string>, stream: "stderr" | "stdout" = "stderr"): void {
    const clear = this.#clear();
    this.#lines = [];
    if (clear + text === "") return;
    this.#write(async (io) => {
      const made = await text;
      if (stream === "stderr") return await printError(io, clear + made);
      if (clear !== "") await printError(io, clear);
      // The terminal is gone: the run itself goes on.
      await io.stdout(new TextEncoder().encode(made)).catch(() => {});
    });
  }

  /** Returns what removes the lines. A terminal that became narrower has folded them. */
  #clear(): string {
    if (this.#lines.length === 0) return "";
    const columns = this.columns;
    const rows = this.#lines.map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)));
    const above = rows.reduce((sum, count) => sum + count, -1);
    return `\r${above > 0 ? `\x1b[${above}A` : ""}${CLEAR_BELOW}`;
  }

  #write(write: (io: Io) => Promise<void>): void {
    this.#written = this.#written.then(() => write(this.#io));
  }
}
