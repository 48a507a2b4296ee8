import { ToolError } from "../../../schemas/error.ts";
import { boxStartScript, plainStartScript } from "./start_script.ts";
import type { Launch } from "../launch/launch.ts";
import { settlesWithin } from "../../wait/settles_within.ts";
import {
  interruptFront,
  killMarked,
  MARK_NAME,
  signalProcess,
  signalTree,
} from "../watch/signal_processes.ts";
import { type StartReport, StartReportReader } from "./start_report.ts";
import type { SystemPrograms } from "./system_programs.ts";
import { terminalCommand } from "./terminal.ts";
import type { TerminalSize } from "../../../schemas/program.ts";

/** Takes the bytes of a stream; they are its own. */
export type Sink = (bytes: Uint8Array) => void | Promise<void>;

/** How a prepared program is started. */
export interface StartOptions {
  programs: SystemPrograms;
  /** What the environment of its first process holds, and the control group that it enters first, if there is one. */
  watch: { mark: string; group: string | null };
  stdin: "piped" | "null";
  /** Gives it a terminal, whose output all comes as stdout. */
  terminal?: TerminalSize | undefined;
  stdout: Sink;
  stderr: Sink;
}

/** How long a program that was told to end has until it is killed, in milliseconds. */
export const KILL_AFTER_MS = 400;
/** How long the pipes are heard after the end, because others may hold them, in milliseconds. */
const DRAIN_MS = 200;
/** The same where everything was killed. */
const FORCED_DRAIN_MS = 100;
/** A process that even SIGKILL does not end is given up after this time, in milliseconds. */
const GIVE_UP_MS = 1_000;
const KILLED = 137;
/** Longest stretch of one stream without a turn for other events, in milliseconds. */
const TURN_MS = 10;

/** A running program: its pipes are read all the time, and its end takes along everything that it started. */
export class ProgramProcess {
  readonly launch: Launch;
  /** Settles with the exit code: 128 plus the signal's number if a signal ended it. */
  readonly exitCode: Promise<number>;
  readonly #programs: SystemPrograms;
  readonly #child: Deno.ChildProcess;
  readonly #mark: string;
  readonly #terminal: boolean;
  readonly #exit = Promise.withResolvers<number>();
  readonly #reader: StartReportReader;
  readonly #readers: ReadableStreamDefaultReader<Uint8Array>[];
  readonly #pumps: Promise<unknown>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array> | null;
  #report: StartReport = { terminalPid: null, boxPid: null };
  #hasExited = false;
  #isForced = false;

  /** Starts a program. Throws {@linkcode ToolError} if it cannot be started. */
  constructor(launch: Launch, options: StartOptions) {
    this.launch = launch;
    this.#programs = options.programs;
    this.#terminal = options.terminal !== undefined;
    this.#mark = options.watch.mark;
    this.#child = spawn(launch, options);
    this.#writer = options.stdin === "piped" ? this.#child.stdin.getWriter() : null;
    this.#reader = new StartReportReader({ terminal: this.#terminal, box: launch.boxed });
    this.exitCode = this.#exit.promise;
    this.#readers = [this.#child.stdout.getReader(), this.#child.stderr.getReader()];
    this.#pumps = Promise.all([
      pump(this.#readers[0]!, options.stdout),
      this.#pumpStderr(this.#readers[1]!, options.stderr),
    ]);
    // A failing sink shows in `finish`.
    this.#pumps.catch(() => {});
    this.#child.status.then(({ code }) => {
      this.#hasExited = true;
      this.#exit.resolve(code);
    });
  }

  /** The outermost process, which all others are below. */
  get pid(): number {
    return this.#child.pid;
  }

  /** The program's own process, or the first of its box, as far as is known. */
  get programPid(): number {
    return this.#report.boxPid ?? this.#report.terminalPid ?? this.#child.pid;
  }

  /** Settles once the program is about to run, or has ended before. */
  async started(): Promise<void> {
    await Promise.race([this.#reader.report, this.exitCode]);
  }

  /** Settles when the program has taken all of it; rejects if it has closed its input. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#writer!.write(bytes);
  }

  /** Writes all of the program's input and closes it; one that does not read it all is no failure. */
  async feed(text: string): Promise<void> {
    try {
      await this.#writer!.write(new TextEncoder().encode(text));
      await this.#writer!.close();
    } catch {
      // It has ended or closed its input, which is its own affair.
    }
  }

  /** Sends a signal to the program and its group; in a terminal to all that runs in it. */
  async signal(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): Promise<void> {
    await this.started();
    const { terminalPid, boxPid } = this.#report;
    if (this.#hasExited) return;
    if (!this.#terminal) {
      if (!this.launch.boxed) signalProcess(-this.#child.pid, signal);
      else if (boxPid !== null) signalProcess(-boxPid, signal);
      return;
    }
    const root = this.launch.boxed ? boxPid : terminalPid;
    if (root !== null) await signalTree({ pid: root, isBox: this.launch.boxed }, signal, this.#programs);
  }

  /** Makes sure that a Ctrl-C typed into the terminal reaches what runs in front. */
  async interruptFront(): Promise<void> {
    const { terminalPid } = this.#report;
    if (terminalPid !== null && !this.#hasExited) await interruptFront(terminalPid, this.#programs);
  }

  /** Ends the program: with a signal first if there is a grace for it, then by force. */
  async stop({ signal, graceMs }: { signal: "SIGTERM" | "SIGHUP"; graceMs: number }): Promise<void> {
    this.#isForced = true;
    if (graceMs > 0) {
      const signalled = this.signal(signal);
      const ended = await settlesWithin(this.exitCode, graceMs);
      await signalled;
      if (ended) return;
    }
    this.#kill();
    if (!await settlesWithin(this.exitCode, GIVE_UP_MS)) this.#exit.resolve(KILLED);
  }

  /** Waits for the end of the program, hears its pipes out and ends what it left behind; returns the exit code. */
  async finish(): Promise<number> {
    const code = await this.exitCode;
    if (this.#isForced) await this.#endLeftovers();
    await settlesWithin(this.#pumps, this.#isForced ? FORCED_DRAIN_MS : DRAIN_MS);
    if (!this.#isForced) await this.#endLeftovers();
    for (const reader of this.#readers) reader.cancel().catch(() => {});
    this.#writer?.abort().catch(() => {});
    await this.#pumps;
    return code;
  }

  #kill(): void {
    const { boxPid } = this.#report;
    // Numbers of processes that have ended may be others' by now; the group is kept by what is left of it.
    if (boxPid !== null && !this.#hasExited) signalProcess(boxPid, "SIGKILL");
    this.#killGroups();
  }

  #killGroups(): void {
    signalProcess(-this.#child.pid, "SIGKILL");
    if (this.#report.terminalPid !== null) signalProcess(-this.#report.terminalPid, "SIGKILL");
  }

  /** In a box the system ends everything with the first process, which may outlive who was killed while making it. */
  async #endLeftovers(): Promise<void> {
    this.#killGroups();
    if (this.launch.boxed && !this.#isForced) return;
    await killMarked({ mark: this.#mark, terminalPid: this.#report.terminalPid }, this.#programs);
  }

  async #pumpStderr(reader: ReadableStreamDefaultReader<Uint8Array>, sink: Sink): Promise<void> {
    const take = this.#reader;
    take.report.then((report) => this.#report = report);
    await pump(reader, (bytes) => {
      const rest = take.push(bytes);
      return rest.length === 0 ? undefined : sink(rest);
    });
    const rest = take.end();
    if (rest.length > 0) await sink(rest);
  }
}

function spawn(launch: Launch, options: StartOptions): Deno.ChildProcess {
  const { argv, env } = commandOf(launch, options);
  try {
    return new Deno.Command(argv[0]!, {
      args: argv.slice(1),
      clearEnv: true,
      env,
      cwd: launch.startIn,
      // A group of its own: it can be ended as a whole, and Ctrl-C is for main, which then ends it.
      detached: true,
      stdin: options.stdin,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    throw startError(error, launch);
  }
}

function commandOf(given: Launch, { programs, terminal, watch: { mark, group } }: StartOptions) {
  // In a box only what makes it carries the mark: the program gets an environment of its own.
  const marked = { [MARK_NAME]: mark };
  const tied = programs.setpriv === null ? [] : [programs.setpriv, "--pdeathsig", "KILL", "--"];
  const { words, options } = given.boxed
    ? boxStartScript(programs, group)
    : plainStartScript(programs, { group, reports: terminal !== undefined });
  const [program = "", ...args] = given.argv;
  const launch = { ...given, argv: [program, ...options, ...args] };
  if (terminal) {
    const { argv, env } = terminalCommand(launch, terminal, programs);
    return { argv: [...tied, ...words, ...argv], env: { ...env, ...marked } };
  }
  // Without a box, setpriv tells best what cannot be started.
  const starter = launch.boxed ? [...tied, ...words] : [...words, ...tied];
  return { argv: [...starter, ...launch.argv], env: { ...launch.env, ...marked } };
}

function startError(error: unknown, launch: Launch): unknown {
  if (!(error instanceof Error)) return error;
  const message = `Cannot start ${JSON.stringify(launch.argv[0])} in ${
    JSON.stringify(launch.cwd)
  }: ${error.message}`;
  if (error instanceof Deno.errors.NotFound) return new ToolError("not_found", message, { cause: error });
  if (error instanceof Deno.errors.NotCapable) return error;
  return new ToolError("unavailable", message, { cause: error });
}

/** Reads until the stream ends or is cancelled; never stops in between, so that the program cannot hang on its output. */
async function pump(reader: ReadableStreamDefaultReader<Uint8Array>, sink: Sink): Promise<void> {
  let turnEnds = performance.now() + TURN_MS;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    await sink(chunk.value);
    if (performance.now() < turnEnds) continue;
    // A program that floods its output must not keep main from its timers.
    await new Promise((resolve) => setTimeout(resolve));
    turnEnds = performance.now() + TURN_MS;
  }
}
