import { isAnswered } from "../../../schemas/agent/agent.ts";
import type { CallId, RunEvent } from "../../../schemas/agent/events.ts";
import type { Progress } from "../../../schemas/context.ts";
import { onOneLine, onTerminal, stripControls } from "../../text/strip_controls.ts";
import type { Io } from "../io/io.ts";
import { type Bell, LONG_MS, makeBell } from "../io/bell.ts";
import { wantsColors } from "../io/colors.ts";
import { IN_CHAT } from "../io/in_chat.ts";
import { cutStart } from "./tables/columns.ts";
import { LiveArea } from "./live_area.ts";
import { endingLines, startLine, sumLine } from "./run_lines.ts";
import { paint, type Styled, wrapSpans } from "./markdown/spans.ts";
import { showCall, showResult, showTime } from "./show_call.ts";
import { type NoteEvent, showNote } from "./show_note.ts";
import { ToldText } from "./told_text.ts";

/** Time between two pictures of the moving line, in milliseconds. */
const FRAME_MS = 120;
const FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
/** How far the last lines of a program stand below its call. */
const INDENT = "    ";
/** Where a call begins in its row, behind its verdict. */
const ROW_INDENT = 8;
const STYLES = { dim: "2", bold: "1", red: "31", green: "32", yellow: "33" } as const;

/** Options of a {@linkcode LiveView}. */
export interface LiveViewOptions {
  /** `--no-color`. @default false */
  noColor?: boolean;
  /** Stdout is the person's terminal, and the answer goes there as it comes. @default false */
  streams?: boolean;
}

/** A call that runs. */
interface Running {
  shown: string;
  started: number;
  message: string;
  /** The last lines of its program. */
  output: string;
  note: string;
}

/**
 * Shows a run to a person on stderr: lines that stay, and on a terminal moving lines below them. What the model says is
 * shown with the calls that follow it; its last word is the answer, which goes elsewhere. Where the answer goes to the
 * same terminal, all that the model says is shown as it comes.
 */
export class LiveView implements Disposable {
  readonly #area: LiveArea;
  readonly #bell: Bell;
  readonly #streams: boolean;
  readonly #colorful: boolean;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  readonly #running = new Map<CallId, Running>();
  /** Calls that have started a program, and whether the last one of each failed. */
  readonly #programs = new Map<CallId, boolean>();
  readonly #warned = new Set<string>();
  readonly #started = performance.now();
  #text = "";
  #status = "";
  #since = performance.now();
  #frame = 0;
  /** Draws texts on the terminal; without one they are printed as they are. */
  readonly #told: ToldText | undefined;
  #questions = 0;
  /** The answer, if it was shown as it came. */
  #answer = "";
  #session: string | null = null;
  readonly #inChat: string | undefined;

  constructor(io: Io, { noColor = false, streams = false }: LiveViewOptions = {}) {
    this.#area = new LiveArea(io);
    this.#bell = makeBell(io);
    const terminal = io.stderrWidth() !== null && io.env("TERM") !== "dumb";
    this.#colorful = wantsColors(io, { noColor, isTerminal: terminal });
    this.#inChat = io.env(IN_CHAT);
    this.#streams = streams && terminal && !io.env("CI");
    if (terminal) this.#told = new ToldText(this.#area, { colors: this.#colorful });
    if (terminal && !io.env("CI")) this.#timer = setInterval(() => this.#draw(), FRAME_MS);
  }

  /** Settles when all that was shown so far is written: what goes to stdout after it stands below it. */
  get written(): Promise<unknown> {
    return this.#area.written;
  }

  /** Says whether the person has read this answer as it came. */
  hasShown(answer: string): boolean {
    return this.#streams && this.#answer !== "" && stripControls(answer).trim() === this.#answer;
  }

  /** Takes an event of the run. */
  show(event: RunEvent): void {
    switch (event.type) {
      case "run.start":
        return this.#start(event);
      case "turn.start":
        return this.#wait("thinking");
      case "text.delta":
        return this.#hear(event);
      case "tool.start":
        return this.#startCall(event);
      case "tool.progress":
        return this.#progress(event.id, event);
      case "permission":
        return this.#permission(event);
      case "tool.end":
        return this.#endCall(event);
      case "run.end":
        return this.#end(event);
      // The call's own line tells of them.
      case "program.start":
        return void this.#programs.set(event.id, false);
      case "program.end":
        return void this.#programs.set(event.id, (event.exit_code ?? 0) !== 0);
      case "program.input":
        return;
      default:
        return this.#note(event);
    }
  }

  /** Leaves the terminal to a question to the person, until it is answered. */
  follow(state: "asked" | "answered" | "confirmed" | "declined"): void {
    this.#questions += state === "asked" ? 1 : -1;
    if (this.#questions > 0) this.#area.print("");
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#area.print("");
    this.#told?.[Symbol.dispose]();
  }

  #hear({ text, restart }: Extract<RunEvent, { type: "text.delta" }>): void {
    if (restart && this.#streams) this.#told?.end();
    this.#text = (restart ? "" : this.#text) + text;
    if (this.#streams) this.#told?.hear(text);
  }

  #start(event: Extract<RunEvent, { type: "run.start" }>): void {
    this.#session = event.session_id ?? null;
    // The person has read it at the turn before.
    if (this.#inChat === "same" && (event.widened ?? []).length === 0) return;
    this.#line("dim", startLine(event));
  }

  #startCall({ id, tool, arguments: input }: Extract<RunEvent, { type: "tool.start" }>): void {
    this.#say();
    this.#running.set(id, {
      shown: showCall(tool, input),
      started: performance.now(),
      message: "",
      output: "",
      note: "",
    });
  }

  #progress(id: CallId, { message, output }: Progress): void {
    const call = this.#running.get(id);
    if (!call) return;
    call.message = onOneLine(message ?? call.message);
    call.output = output ?? call.output;
  }

  #permission(event: Extract<RunEvent, { type: "permission" }>): void {
    const call = this.#running.get(event.id);
    if (call) call.note = event.decision === "confirmed" ? ", you agreed" : "";
  }

  #endCall(event: Extract<RunEvent, { type: "tool.end" }>): void {
    const { id, result } = event;
    const call = this.#running.get(id);
    this.#running.delete(id);
    const { ok, error, tool_name, metadata } = result;
    const isRefused = error?.code === "permission_denied" || error?.code === "denied_by_policy";
    const failed = !ok || this.#programs.get(id) === true;
    const verdict = event.verdict ??
      (!failed ? "ok" : isRefused ? "refused" : error?.code === "cancelled" ? "stopped" : "failed");
    const style = event.verdict === "recorded" ? "dim" : !failed ? "green" : isRefused ? "yellow" : "red";
    const time = `${showTime(metadata.duration_ms)}${call?.note ?? ""}`;
    this.#row([
      { text: verdict.padEnd(ROW_INDENT - 1), style: STYLES[style] },
      { text: `${call?.shown ?? onOneLine(tool_name)} `, style: "" },
      { text: `(${time}): ${showResult(result)}`, style: STYLES.dim },
    ]);
    if (this.#programs.has(id)) this.#warn(result.warnings);
    this.#wait("thinking");
  }

  /** Tells once what programs lacked: only the person can give it to them. */
  #warn(warnings: readonly string[]): void {
    for (const warning of warnings.filter((one) => !this.#warned.has(one))) {
      this.#warned.add(warning);
      this.#line("yellow", `warning: ${onOneLine(warning)}`);
    }
  }

  #note(event: NoteEvent): void {
    // What the model said before a warning is not the answer: it is shown, and what comes next stands below it.
    if (event.type === "warning" || event.type === "plan") this.#say();
    const { style, lines } = showNote(event);
    for (const line of lines) this.#line(style, line);
  }

  #end(event: Extract<RunEvent, { type: "run.end" }>): void {
    const { termination_reason, usage } = event;
    // The model's last text is not an answer here, but it is shown.
    if (!isAnswered(termination_reason)) this.#say();
    if (this.#streams && this.#told?.isBegun) this.#answer = stripControls(this.#text).trim();
    this.#told?.end();
    const session = this.#inChat === "same" ? null : this.#session;
    const ms = performance.now() - this.#started;
    if ("rounds" in usage && usage.rounds + usage.calls > 0) {
      this.#line("dim", sumLine(usage, { ms, session }));
    }
    const ending = this.#inChat === undefined ? event : { ...event, resume: null };
    for (const line of endingLines(ending)) this.#area.print(`${line}\n`);
    if (performance.now() - this.#started > LONG_MS) this.#bell();
  }

  /** Prints what the model has said so far. */
  #say(): void {
    if (this.#told) {
      if (!this.#streams) this.#told.hear(this.#text);
      this.#told.end(this.#streams ? "stdout" : "stderr");
    } else if (this.#text.trim() !== "") this.#area.print(`${onTerminal(this.#text).trim()}\n`);
    this.#text = "";
  }

  #wait(status: string): void {
    this.#status = status;
    this.#since = performance.now();
  }

  /** Prints a row; on a terminal it is broken at blanks, and what follows stands below its call. */
  #row([verdict, ...rest]: [Styled, ...Styled[]]): void {
    const canvas = { columns: this.#area.columns - 1, colors: this.#colorful };
    const lines = this.#told ? wrapSpans(rest, canvas.columns - ROW_INDENT) : [rest];
    const shown = lines.map((line, at) =>
      `${at === 0 ? `${paint([verdict], canvas)} ` : " ".repeat(ROW_INDENT)}${paint(line, canvas)}`
    );
    this.#area.print(`${shown.join("\n")}\n`);
  }

  #line(style: keyof typeof STYLES, text: string): void {
    this.#area.print(`${this.#paint(style, text)}\n`);
  }

  #paint(style: keyof typeof STYLES, text: string): string {
    return this.#colorful ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
  }

  #draw(): void {
    if (this.#questions > 0 || this.#status === "") return;
    // In the place of a text that comes, nothing else moves.
    if (this.#told?.isBegun && this.#running.size === 0) return void this.#told.draw();
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    this.#area.draw([`${frame} ${this.#describe().trimEnd()}`, ...this.#outputLines()]);
  }

  /** What goes on now. */
  #describe(): string {
    const since = (start: number) => showTime(performance.now() - start);
    const [first] = this.#running.values();
    if (first) {
      const others = this.#running.size > 1 ? ` and ${this.#running.size - 1} more` : "";
      return `${since(first.started)} ${first.shown}${others} ${first.message}`;
    }
    const said = onOneLine(this.#text.trim().split("\n").at(-1) ?? "");
    const room = Math.max(1, this.#area.columns - 16);
    return `${since(this.#since)} ${said === "" ? this.#status : cutStart(said, room)}`;
  }

  /** The last lines of the program that runs. */
  #outputLines(): string[] {
    const [first] = this.#running.values();
    if (!first || first.output === "") return [];
    return first.output.split("\n").map((line) => `${INDENT}${onOneLine(line).replaceAll("\t", " ")}`);
  }
}
