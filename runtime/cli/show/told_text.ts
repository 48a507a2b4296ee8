import { endsInControl, onTerminal } from "../../text/strip_controls.ts";
import type { LiveArea } from "./live_area.ts";
import { drawBlocks } from "./markdown/draw_blocks.ts";
import { type ForeignReader, makeForeignReader } from "./markdown/foreign_reader.ts";
import { showMarkdown } from "./markdown/show_markdown.ts";
import type { Canvas } from "./markdown/spans.ts";

/** Lines of a block that is not whole yet that are seen. */
const TAIL_LINES = 8;

/** What a model says, drawn on a terminal as it comes: blocks that are whole stay, and the last one is seen as it grows. */
export class ToldText implements Disposable {
  readonly #area: LiveArea;
  readonly #colors: boolean;
  readonly #reader: ForeignReader = makeForeignReader();
  /** What came and does not stand there yet. */
  #rest = "";
  /** How much of it was looked at. */
  #seen = 0;
  #isBegun = false;
  #isReading = false;
  /** Goes up where the rest is taken away while it is being read. */
  #era = 0;

  constructor(area: LiveArea, { colors }: { colors: boolean }) {
    this.#area = area;
    this.#colors = colors;
  }

  /** Some of a text stands on the terminal, or will at once. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  get #canvas(): Canvas {
    return { columns: this.#area.columns - 1, colors: this.#colors, keepsLines: true };
  }

  /** Takes more of the text. */
  hear(text: string): void {
    this.#rest += text;
    if (this.#rest.trim() !== "") this.#isBegun = true;
  }

  /** Shows what came since the last time. */
  async draw(): Promise<void> {
    if (this.#isReading || this.#rest.length === this.#seen) return;
    // A control, a character and a line break may come in two pieces.
    if (endsInControl(this.#rest) || this.#rest.endsWith("\r")) return;
    this.#isReading = true;
    const [era, text] = [this.#era, onTerminal(this.#rest)];
    const length = this.#rest.length;
    const blocks = await this.#reader.blocks(text, { isOpen: true });
    this.#isReading = false;
    if (blocks === null || era !== this.#era) return;
    const last = blocks.findLastIndex(({ type }) => type !== "space");
    const whole = blocks.slice(0, Math.max(0, last));
    const done = whole.reduce((sum, { raw }) => sum + raw.length, 0);
    if (whole.some(({ type }) => type !== "space") && text.startsWith(whole.map(({ raw }) => raw).join(""))) {
      this.#print(drawBlocks(whole, this.#canvas).map((line) => `${line}\n`).join("") + "\n");
      this.#rest = text.slice(done) + this.#rest.slice(length);
      this.#seen = 0;
      return;
    }
    this.#seen = length;
    this.#area.draw(drawBlocks(blocks, this.#canvas).slice(-TAIL_LINES));
  }

  /** Shows the rest: the text is whole. */
  end(stream: "stdout" | "stderr" = "stdout"): void {
    const text = this.#rest;
    this.#era++;
    [this.#rest, this.#seen, this.#isBegun] = ["", 0, false];
    if (text.trim() !== "") this.#area.print(showMarkdown(text, this.#canvas, this.#reader), stream);
  }

  [Symbol.dispose](): void {
    // What was printed may still have to be read.
    void this.#area.written.then(() => this.#reader[Symbol.dispose]());
  }

  #print(text: string): void {
    this.#area.print(text, "stdout");
  }
}
