import { wallOf } from "../launch/launch.ts";
import { ProgramInput } from "./program_input.ts";
import { SessionHints } from "../hints/session_hints.ts";
import type { ClosedPaths } from "../../walls/box/bubblewrap.ts";
import { ToolError } from "../../../schemas/error.ts";
import type {
  ProgramEndReason,
  ScreenSource,
  SessionInfo,
  SessionOutput,
  SessionRead,
  SessionSpec,
} from "../../../schemas/program.ts";
import type { ProgramCall } from "./program_host.ts";
import type { JudgedLaunch } from "../launch/judged_launch.ts";
import { OutputBuffer } from "../output/output_buffer.ts";
import { ProgramProcess } from "./program_process.ts";
import { ScreenLog } from "../output/screen_log.ts";
import { type ProgramListener, type TellEnd, tellStart } from "../launch/tell_start.ts";
import type { RunTools } from "./run_to_end.ts";
import { waitForOutput } from "../output/wait_for_output.ts";
import type { Supervision } from "../journal/supervise.ts";

/** What a session is made of. */
export interface SessionParts {
  id: string;
  /** The toolset that owns the session. */
  toolset: string;
  spec: SessionSpec;
  launch: JudgedLaunch;
  tools: Pick<RunTools, "launcher" | "programs" | "nextNumber">;
  supervision: Supervision;
  /** The call that opens it. It also hears of the end, when its time is over. */
  call: ProgramListener;
}

const BUFFER_BYTES = 262_144;

/** A program that stays between calls, and its unread output. */
export class OpenProgram {
  readonly id: string;
  readonly toolset: string;
  /** Settles when the program has ended and its pipes are drained. */
  readonly ended: Promise<void>;
  readonly #spec: SessionSpec;
  readonly #launch: JudgedLaunch;
  readonly #input: ProgramInput;
  readonly #program: ProgramProcess;
  readonly #stdout: OutputBuffer;
  readonly #stderr: OutputBuffer;
  readonly #screen: ScreenLog | null;
  readonly #tellEnd: TellEnd;
  readonly #listeners = new Set<() => void>();
  readonly #started = performance.now();
  #bytes = 0;
  #exitCode: number | null = null;
  #reason: ProgramEndReason | null = null;
  #warnings: string[] = [];
  readonly #supervision: Supervision;
  readonly #hints: SessionHints;
  #isAudited = false;
  #durationMs = 0;

  /** What its box closes to it. */
  get closed(): ClosedPaths {
    return this.#launch.outlook?.closed ?? { hidden: [], frozen: [] };
  }

  /** Starts the program. Throws {@linkcode ToolError} if it cannot be started. */
  constructor({ id, toolset, spec, launch, tools, supervision, call }: SessionParts) {
    const { terminal, headBytes = 0, bufferBytes = BUFFER_BYTES } = spec;
    this.id = id;
    this.toolset = toolset;
    this.#spec = spec;
    this.#launch = launch;
    this.#warnings.push(...launch.warnings);
    this.#supervision = supervision;
    const { watch, network } = supervision;
    this.#hints = new SessionHints(launch.outlook);
    this.#stdout = new OutputBuffer({ headBytes, bufferBytes });
    this.#stderr = new OutputBuffer({ headBytes, bufferBytes });
    this.#screen = terminal ? new ScreenLog(terminal) : null;
    const { programs, launcher, nextNumber } = tools;
    const number = nextNumber();
    this.#tellEnd = tellStart(call, { program: number, launch, risk: launch.risk, session: id });
    try {
      this.#program = new ProgramProcess(launch, {
        programs,
        watch,
        network,
        terminal,
        stdin: "piped",
        stdout: (bytes) => this.#receive(bytes, this.#stdout),
        // A terminal has one stream. The other one carries messages of the program that makes the terminal.
        stderr: (bytes) => this.#receive(bytes, terminal ? this.#stdout : this.#stderr),
      });
    } catch (error) {
      this.#tellEnd(null, "failed");
      throw error;
    }
    this.#input = new ProgramInput({
      id,
      number,
      launch,
      nextNumber,
      program: this.#program,
      launcher,
      isShell: spec.shell ?? false,
    });
    watch.begin(this.#program, (why) => void this.#stop(why, 0));
    this.ended = this.#finish();
  }

  get info(): SessionInfo {
    return {
      id: this.id,
      pid: this.#program.programPid,
      cwd: this.#launch.cwd,
      alive: this.#exitCode === null,
      exitCode: this.#exitCode,
      reason: this.#reason,
      ...this.#input.shell,
    };
  }

  get hasEnded(): boolean {
    return this.#exitCode !== null;
  }

  get hasUnread(): boolean {
    return [this.#stdout, this.#stderr].some((buffer) => buffer.end > buffer.start);
  }

  /** Settles once the program is about to run, or has ended before. */
  async started(): Promise<void> {
    const { analysis } = this.#launch;
    this.#warnings.push(...await this.#hints.about(analysis === null ? [] : [analysis]));
    await this.#program.started();
    if (!this.hasEnded) await this.#input.begin();
  }

  /** Calls back when output or the end came. Returns a function that stops this. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Makes the shell run a command, after it was judged. */
  async command(script: string, call: ProgramCall): Promise<void> {
    this.#warnings.push(...await this.#hints.around(call, (judged) => this.#input.command(script, judged)));
  }

  /** Writes to the program's input, after the text was judged. */
  async type(data: string, call: ProgramCall): Promise<void> {
    this.#warnings.push(...await this.#hints.around(call, (judged) => this.#input.type(data, judged)));
  }

  /** Waits for output and takes it. A cancelled call takes nothing. */
  async read(read: SessionRead, signal: AbortSignal): Promise<SessionOutput> {
    const { waitMs, quietMs, until, maxChars, tellRest } = read;
    const buffers = this.#spec.terminal ? [this.#stdout] : [this.#stdout, this.#stderr];
    const searches = until === undefined ? [] : buffers.map((buffer) => new TextSearch(buffer, until));
    const isFound = () => searches.length > 0 && searches.map((search) => search.isFound).every(Boolean);
    await waitForOutput(this, { waitMs, ...(quietMs !== undefined && { quietMs }), isFound, signal });
    const found = isFound();
    const limit = signal.aborted ? { maxChars: 0 } : maxChars === undefined ? {} : { maxChars };
    const take = (buffer: OutputBuffer, index: number) => {
      const taken = buffer.take({ ...limit, ...(found && { endAt: searches[index]?.end ?? Infinity }) });
      return tellRest ? { ...taken, rest: buffer.unread } : taken;
    };
    return { ...this.info, stdout: take(this.#stdout, 0), stderr: take(this.#stderr, 1), found };
  }

  /** Sends a signal; in a terminal SIGINT is typed, so that it reaches what runs in front. */
  async signal(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): Promise<void> {
    if (this.hasEnded) throw this.#input.conflict("it has ended");
    // It would bring a second prompt.
    if (signal === "SIGINT" && this.#input.isIdle) return;
    if (signal !== "SIGINT" || !this.#spec.terminal) return await this.#program.signal(signal);
    await this.#input.interrupt();
    await this.#program.interruptFront();
  }

  /** Ends the program, gently first if there is a grace time. Waits until all of its processes are gone. */
  async close({ graceMs }: { graceMs: number }): Promise<void> {
    await this.#stop("cancelled", graceMs);
    await this.ended;
  }

  /** Returns what a terminal's screen is drawn from. */
  screen(): ScreenSource {
    if (this.#screen === null) throw this.#noTerminal();
    return this.#screen.source;
  }

  /** Keeps the state of the screen up to a mark. */
  keepScreen(kept: { state: string; mark: number }): void {
    if (this.#screen === null) throw this.#noTerminal();
    this.#screen.keep(kept);
  }

  /** Finds out what of the network was refused since the last time. */
  async look(): Promise<void> {
    if (!this.hasEnded) this.#warnings.push(...await this.#supervision.network.look());
  }

  /** Tells a call what happened since the last one: warnings, and the end of the program. */
  report(call: ProgramCall): void {
    for (const warning of [...this.#warnings.splice(0), ...this.#supervision.take()]) call.warn(warning);
    call.onConnections?.(this.#supervision.network.take());
    if (!this.hasEnded || this.#isAudited) return;
    this.#isAudited = true;
    this.audit(call);
  }

  /** Notes the program, as it stands, for the audit of a call. */
  audit(call: ProgramCall): void {
    call.onProgram({
      argv: this.#launch.words,
      cwd: this.#launch.cwd,
      ...wallOf(this.#launch),
      exit_code: this.#exitCode,
      duration_ms: this.#durationMs,
      bytes: this.#bytes,
    });
  }

  async #stop(reason: ProgramEndReason, graceMs: number): Promise<void> {
    if (this.hasEnded) return;
    this.#reason ??= reason;
    // Interactive shells ignore SIGTERM, and without a terminal there is no hang-up.
    await this.#program.stop({ signal: this.#spec.terminal ? "SIGHUP" : "SIGTERM", graceMs });
  }

  async #finish(): Promise<void> {
    const unwatched = this.#program.exitCode.then(() => this.#supervision.watch.end());
    const exitCode = await this.#program.finish();
    await unwatched;
    this.#stdout.close();
    this.#stderr.close();
    this.#durationMs = Math.round(performance.now() - this.#started);
    await this.#inspect();
    this.#reason ??= "exited";
    this.#exitCode = exitCode;
    this.#input.endCommand(exitCode, this.#reason);
    this.#tellEnd(exitCode, this.#reason);
    this.#notify();
  }

  async #inspect(): Promise<void> {
    try {
      this.#warnings.push(...await this.#supervision.finish());
    } catch (error) {
      this.#warnings.push(
        `What the program left could not be looked at: ${error instanceof Error ? error.message : error}`,
      );
    }
  }

  #receive(bytes: Uint8Array, buffer: OutputBuffer): void {
    this.#bytes += bytes.length;
    buffer.push(bytes);
    if (buffer === this.#stdout) this.#input.seeOutput(bytes);
    this.#screen?.push(bytes);
    this.#notify();
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #noTerminal(): ToolError {
    return new ToolError("invalid_input", `Session ${this.id} has no terminal, so there is no screen`);
  }
}

/** Looks for a text in new output. Looks at each character once. */
class TextSearch {
  readonly #buffer: OutputBuffer;
  readonly #text: string;
  #from: number;
  #end: number | null = null;

  constructor(buffer: OutputBuffer, text: string) {
    this.#buffer = buffer;
    this.#text = text;
    this.#from = buffer.start;
  }

  /** Position after the text, `null` if it has not come. */
  get end(): number | null {
    return this.#end;
  }

  get isFound(): boolean {
    if (this.#end !== null) return true;
    this.#end = this.#buffer.findEnd(this.#text, this.#from);
    this.#from = Math.max(this.#buffer.start, this.#buffer.end - this.#text.length + 1);
    return this.#end !== null;
  }
}
