import type { OpenedFacts } from "../../agent/agent_settings.ts";
import { reasonOf } from "../../agent/ending/end_event.ts";
import {
  AGENT_TERMINATIONS,
  type AgentOutcome,
  type AgentUsage,
  isAnswered,
  NO_USAGE,
} from "../../../schemas/agent/agent.ts";
import { type ErrorInfo, exitCodeOf } from "../../../schemas/error.ts";
import type { RunEnding } from "../../../schemas/agent/ending.ts";
import type { RunEvent, TerminationReason } from "../../../schemas/agent/events.ts";
import type { AgentState } from "../../../schemas/step/thinking.ts";
import { makeMasker, secretValues } from "../../text/secrets/redact.ts";
import { onTerminal, stripControls } from "../../text/strip_controls.ts";
import { EventStream } from "./event_stream.ts";
import { type Io, printError } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import { LiveView } from "./live_view.ts";
import { canvasOf } from "./markdown/canvas_of.ts";
import type { Canvas } from "./markdown/spans.ts";
import { showMarkdown } from "./markdown/show_markdown.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Output } from "../io/output.ts";
import { interruptedCode } from "./event_reporter.ts";

/** How an agent's run ended, as `--json` prints it. */
export interface RunDocument extends OpenedFacts, RunEnding {
  v: 1;
  answer: string | null;
  output?: unknown;
  termination_reason: TerminationReason;
  exit_code: number;
  error: ErrorInfo | null;
  usage: AgentUsage;
  /** In which state the agent is now. */
  state?: AgentState;
  /** What the person is asked, if the run waits for an answer. */
  questions?: readonly string[];
}

/** Tells of an agent's run: its events as they come, and its end in the form that the user wants. */
export class AgentReport implements Disposable {
  readonly #io: Io;
  readonly #output: Output;
  readonly #options: Options;
  readonly #mask: (text: string) => string;
  readonly #stream: EventStream | null;
  readonly #view: LiveView | null;
  /** The terminal that shows the answer, asked before the run gives up the environment. */
  readonly #canvas: Canvas | null;
  readonly #closed = new AbortController();
  /** Filled in as it becomes known. */
  readonly facts: OpenedFacts = { session_id: null, trace_path: null, model: null };

  constructor(io: Io, options: Options, output: Output) {
    this.#io = io;
    this.#output = output;
    this.#options = options;
    const secrets = secretValues(io.variables());
    this.#mask = makeMasker(secrets);
    this.#canvas = options.output === undefined ? canvasOf(io, options) : null;
    const onFail = () => this.#closed.abort();
    this.#stream = options.events ? new EventStream(output, { secrets, onFail }) : null;
    this.#view = options.events || options.quiet ? null : new LiveView(io, {
      noColor: options.noColor ?? false,
      streams: io.stdoutWidth() !== null && !options.json && !options.output && !options.outputSchema,
    });
  }

  /** Aborts when the reader of the events has gone. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Settles when all that was shown so far is written. */
  get written(): Promise<unknown> {
    return this.#view?.written ?? Promise.resolve();
  }

  emit(event: RunEvent): void {
    this.#stream?.emit(event);
    this.#view?.show(event);
  }

  /** Leaves the terminal to a question to the person. */
  follow(state: "asked" | "answered" | "confirmed" | "declined"): void {
    this.#view?.follow(state);
  }

  /** Tells how the run ended; returns the exit code. */
  async end(
    { termination_reason, answer, usage, error, ...outcome }: AgentOutcome & RunEnding,
  ): Promise<number> {
    const isRefusal = this.#options.failOnRefusal === true && outcome.refused.length > 0;
    const code = AGENT_TERMINATIONS[termination_reason] ?? (isRefusal ? "permission_denied" : null);
    return await this.#finish({
      v: 1,
      answer,
      ...outcome,
      termination_reason,
      exit_code: interruptedCode(this.#io.interrupt, code === null ? 0 : exitCodeOf(code)),
      error,
      usage,
      ...this.facts,
    });
  }

  /** Tells that the run did not begin; returns the exit code. */
  async fail(error: ErrorInfo): Promise<number> {
    const exitCode = interruptedCode(this.#io.interrupt, exitCodeOf(error.code));
    return await this.#finish(failedRun(error, exitCode, this.facts));
  }

  [Symbol.dispose](): void {
    this.#view?.[Symbol.dispose]();
  }

  async #finish(run: RunDocument): Promise<number> {
    const { exit_code, termination_reason, answer, error } = run;
    this.emit(endEvent(run));
    this.#view?.[Symbol.dispose]();
    await this.#view?.written;
    if (error) {
      const why = termination_reason === "not_started" ? "" : `${termination_reason}: `;
      await printError(this.#io, this.#mask(`bulkhead: ${why}${onTerminal(error.message)}\n`));
    }
    if (this.#stream) await this.#stream.written;
    else if (this.#options.json) await this.#output.write(this.#mask(jsonLine(run)));
    else if ("output" in run) await this.#output.write(jsonLine(run.output));
    else if (answer !== null && isAnswered(termination_reason) && !this.#isToldAlready(answer, run)) {
      const canvas = this.#canvas;
      const shown = canvas ? await showMarkdown(answer, canvas) : `${stripControls(answer).trimEnd()}\n`;
      await this.#output.write(shown);
    }
    return exit_code;
  }

  #isToldAlready(answer: string, run: RunDocument): boolean {
    return this.#view?.hasShown(answer) || this.#isBrokenJson(run);
  }

  /** Half a document of JSON is of no use to who reads it. */
  #isBrokenJson({ termination_reason }: RunDocument): boolean {
    return this.#options.outputSchema !== undefined && termination_reason === "cut_off";
  }
}

/** Returns the document of a run that did not begin. */
export function failedRun(
  error: ErrorInfo,
  exitCode: number,
  facts: OpenedFacts = { session_id: null, trace_path: null, model: null },
): RunDocument {
  return {
    v: 1,
    answer: null,
    termination_reason: reasonOf(error),
    exit_code: exitCode,
    error,
    usage: NO_USAGE,
    changed: [],
    refused: [],
    resume: null,
    ...facts,
  };
}

/** Returns the last event of a run. */
export function endEvent(run: RunDocument): RunEvent {
  const { exit_code, termination_reason, usage, agent, answer, changed, refused, resume } = run;
  const { state, questions } = run;
  const named = agent !== undefined && { agent };
  const end = { exit_code, termination_reason, usage, ...named, answer, changed, refused, resume };
  return { type: "run.end", ...end, ...(state && { state }), ...(questions && { questions }) };
}
