import type { TaskAnswer } from "../../queue/tasks/answer_task.ts";
import type { Task } from "../../queue/tasks/read_tasks.ts";
import { jsonLine } from "../../text/json_line.ts";
import { onOneLine, onTerminal } from "../../text/strip_controls.ts";
import type { Options } from "../args/options/option_table.ts";
import { wantsColors } from "../io/colors.ts";
import { type Io, printError } from "../io/io.ts";
import type { Output } from "../io/output.ts";
import type { StatusLine } from "../show/status_line.ts";
import { failureLine } from "./batch_call.ts";
import type { Report } from "./open_reports.ts";
import { Tally } from "./tally.ts";
import { taskCall } from "./task_call.ts";
import type { TaskEvents } from "./task_events.ts";
import { renderTaskRow } from "./task_row.ts";

/** What the answers to tasks go to. */
export interface TaskViewParts {
  io: Io;
  options: Options;
  output: Output;
  events: TaskEvents | undefined;
  status: StatusLine;
  reports: readonly Report[];
  /** Masks secrets. */
  mask(text: string): string;
}

/** Tells of tasks: rows for a person at a terminal, JSON or events elsewhere, and on stderr what failed. */
export class TaskView {
  readonly #parts: TaskViewParts;
  readonly #tally = new Tally("task");
  readonly #rows: { width: number; colorful: boolean } | null;
  readonly #warned = new Set<string>();
  #asking = 0;
  #atWork = 0;
  #done = 0;
  #isCut = false;
  /** Some tasks were not begun, as it was told to stop. */
  hasRest = false;

  constructor(parts: TaskViewParts) {
    const { io, options } = parts;
    this.#parts = parts;
    const forMachines = options.json || options.events || options.output !== undefined;
    const width = forMachines ? null : io.stdoutWidth();
    const { noColor } = options;
    this.#rows = width === null ? null : { width, colorful: wantsColors(io, { noColor, isTerminal: true }) };
  }

  /** There is no further task. */
  total(total: number): void {
    this.#parts.status.show({ total });
  }

  /** A task begins, or has ended. */
  count(change: 1 | -1): void {
    this.#atWork += change;
    if (change < 0) this.#done++;
    this.#parts.status.show({ done: this.#done, message: `(${this.#atWork} at work)` });
  }

  /** Tells a warning of a run, which others may give as well. */
  async warn(message: string): Promise<void> {
    const { io, options, status, mask } = this.#parts;
    if (options.quiet || options.events || this.#warned.has(message)) return;
    this.#warned.add(message);
    await status.hide();
    await printError(io, mask(`warning: ${onOneLine(message)}\n`));
  }

  /** Takes the answer to a task, in the order of the lines. */
  async answer(task: Task, answer: TaskAnswer): Promise<void> {
    const { io, options, output, events, status, reports, mask } = this.#parts;
    const call = taskCall(task, answer);
    this.#tally.add(call);
    if (answer.termination_reason === "waiting_for_clarification") this.#asking++;
    await status.hide();
    this.#isCut = true;
    if (events) await events.written;
    else {await output.write(
        mask(this.#rows ? renderTaskRow({ answer, call }, this.#rows) : jsonLine(answer)),
      );}
    this.#isCut = false;
    // A row tells it already.
    const isShown = this.#rows !== null && io.stderrWidth() !== null;
    if (!answer.ok && !options.quiet && !isShown) {
      await printError(io, mask(`bulkhead: ${onTerminal(failureLine(call))}\n`));
    }
    for (const report of reports) await report.add(call);
  }

  /** Ends the reports, and sums up. */
  async end(): Promise<void> {
    const { io, options, status, reports } = this.#parts;
    const asking = this.#asking > 0 ? `, ${this.#asking} of them with a question to you` : "";
    const summary = `${this.#tally.summary()}${asking}${this.hasRest ? "; the others were not begun" : ""}`;
    status.clear();
    // Who reads no more answers wants no sum of them.
    if (!options.quiet && !this.#isCut) await printError(io, `${summary}\n`);
    for (const report of reports) await report.end(summary);
  }
}
