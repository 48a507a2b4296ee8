import { answerLine } from "../../calls/batch/answer_call.ts";
import type { BatchCall } from "../../calls/batch/batch_calls.ts";
import type { Judged } from "../../calls/batch/expect.ts";
import type { Options } from "../args/options/option_table.ts";
import { wantsColors } from "../io/colors.ts";
import { type Io, printError } from "../io/io.ts";
import type { Output } from "../io/output.ts";
import { type BatchAnswer, failureLine } from "./batch_call.ts";
import type { Report } from "./open_reports.ts";
import { Tally } from "./tally.ts";
import { renderRow } from "./batch_row.ts";
import type { EventReporter } from "../show/event_reporter.ts";
import type { StatusLine } from "../show/status_line.ts";

/** What the answers of a batch go to. */
export interface BatchViewParts {
  io: Io;
  options: Options;
  output: Output;
  events: EventReporter | undefined;
  status: StatusLine;
  reports: readonly Report[];
}

/** Tells the calls of a batch: rows for a person at a terminal, JSON or events elsewhere, and on stderr what failed. */
export class BatchView {
  readonly #parts: BatchViewParts;
  readonly #tally = new Tally();
  readonly #rows: { width: number; colorful: boolean } | null;
  #done = 0;
  #isCut = false;

  constructor(parts: BatchViewParts) {
    const { io, options } = parts;
    this.#parts = parts;
    const forMachines = options.json || options.events || options.output !== undefined;
    const width = forMachines ? null : io.stdoutWidth();
    const { noColor } = options;
    this.#rows = width === null ? null : { width, colorful: wantsColors(io, { noColor, isTerminal: true }) };
  }

  /** Takes the answer to a call, in the order of the lines. */
  async answer(call: Omit<BatchCall, "entry">, { result, met }: Judged): Promise<void> {
    const { io, options, output, events, status, reports } = this.#parts;
    const { id, line, toolName, input } = call;
    const ended: BatchAnswer = { id, line, toolName, input, result, met };
    this.#tally.add(ended);
    status.show({ done: ++this.#done });
    await status.hide();
    this.#isCut = true;
    if (events) await events.toolEnd(id, result);
    else await output.write(this.#rows ? renderRow(ended, this.#rows) : answerLine(call, { result, met }));
    this.#isCut = false;
    // A row tells it already, or a report will.
    const isShown = (this.#rows !== null && io.stderrWidth() !== null) ||
      reports.some(({ tellsFailures }) => tellsFailures);
    if (!met && !options.quiet && !isShown) await printError(io, `bulkhead: ${failureLine(ended)}\n`);
    for (const report of reports) await report.add(ended);
  }

  /** Ends the reports, and sums up. */
  async end(): Promise<void> {
    const { io, options, status, reports } = this.#parts;
    const summary = this.#tally.summary();
    status.clear();
    // Who reads no more results wants no sum of them.
    if (!options.quiet && !this.#isCut) await printError(io, `${summary}\n`);
    for (const report of reports) await report.end(summary);
  }
}
