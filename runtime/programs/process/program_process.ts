import { ToolError } from "../../../schemas/error.ts";
import { boxStartScript, passableWords, plainStartScript } from "./start_script.ts";
import { boxStart, type Launch, leadToPort, wallOf } from "../launch/launch.ts";
import { settlesWithin } from "../../wait/settles_within.ts";
import {
  interruptFront,
  killMarked,
  MARK_NAME,
  signalGroup,
  signalProcess,
  signalTree,
} from "../watch/signal_processes.ts";
import { leftNames, LeftReportReader } from "../output/left_report.ts";
import { stopProcess } from "../watch/stop_process.ts";
import { type StartReport, StartReportReader } from "./start_report.ts";
import { inOwnSession } from "../../walls/process/own_session.ts";
import { joinNetwork } from "../network/join_network.ts";
import type { NetworkLease } from "../network/network_lease.ts";
import type { SystemPrograms } from "./system_programs.ts";
import { terminalCommand } from "./terminal.ts";
import type { TerminalSize } from "../../../schemas/program.ts";

/** Takes the bytes of a stream. The receiver owns them. */
export type Sink = (bytes: Uint8Array) => void | Promise<void>;

/** How a prepared program is started. */
export interface StartOptions {
  programs: SystemPrograms;
  /** What its first process holds in its environment, and the control group it enters first, if any. */
  watch: { mark: string; group: string | null };
  /** @default none */
  network?: NetworkLease | undefined;
  stdin: "piped" | "null";
  /** Gives the program a terminal. All its output then comes as stdout. */
  terminal?: TerminalSize | undefined;
  stdout: Sink;
  stderr: Sink;
  /** @default false */
  tellsLeft?: boolean;
}

/** Time between the request to end and the kill, in milliseconds. */
export const KILL_AFTER_MS = 400;
/** How long the pipes are read after the end, in milliseconds: other processes may keep them open. */
const DRAIN_MS = 200;
/** The same time if everything was killed. */
const FORCED_DRAIN_MS = 100;
/** Longest time on one stream before other events get a turn, in milliseconds. */
const TURN_MS = 10;

/** A running program. Its pipes are read all the time, and its end also ends everything that it started. */
export class ProgramProcess {
  readonly launch: Launch;
  /** Settles with the exit code: 128 plus the signal's number if a signal ended it. */
  readonly exitCode: Promise<number>;
  /** Names of the processes that it left running by itself, and that end with it; known once it has finished. */
  left: readonly string[] = [];
  readonly #programs: SystemPrograms;
  readonly #child: Deno.ChildProcess;
  readonly #mark: string;
  readonly #network: NetworkLease | undefined;
  readonly #terminal: boolean;
  /** It is in a box, whose processes end with the first one. */
  readonly #inBox: boolean;
  readonly #exit = Promise.withResolvers<number>();
  readonly #reader: StartReportReader;
  readonly #readers: ReadableStreamDefaultReader<Uint8Array>[];
  readonly #pumps: Promise<unknown>;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array> | null;
  #report: StartReport = { terminalPid: null, boxPid: null };
  /** No process of it can make a session of its own. */
  readonly #staysInSession: boolean;
  readonly #leftReader: LeftReportReader | null;
  #hasExited = false;
  #isForced = false;

  /** Starts a program. Throws {@linkcode ToolError} if it cannot be started. */
  constructor(launch: Launch, options: StartOptions) {
    this.launch = launch;
    this.#inBox = boxStart(launch) !== null;
    this.#programs = options.programs;
    this.#terminal = options.terminal !== undefined;
    this.#mark = options.watch.mark;
    this.#network = options.network;
    const { child, startInput } = spawn(launch, options);
    this.#child = child;
    this.#writer = options.stdin === "piped" ? child.stdin.getWriter() : null;
    if (startInput !== null) void feed(child.stdin.getWriter(), startInput);
    this.#leftReader = options.tellsLeft ? new LeftReportReader() : null;
    this.#staysInSession = wallOf(launch).wall === "landlock";
    this.#reader = new StartReportReader({ terminal: this.#terminal, box: boxStart(launch) !== null });
    this.exitCode = this.#exit.promise;
    this.#readers = [this.#child.stdout.getReader(), this.#child.stderr.getReader()];
    this.#pumps = Promise.all([
      pump(this.#readers[0]!, options.stdout),
      this.#pumpStderr(this.#readers[1]!, options.stderr),
    ]);
    // `finish` reports a sink that fails.
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

  /** The program's own process, or the first process of its box, if it is known. */
  get programPid(): number {
    return this.#report.boxPid ?? this.#report.terminalPid ?? this.#child.pid;
  }

  /** Settles once the program is about to run, or has ended before. */
  async started(): Promise<void> {
    await Promise.race([this.#reader.report, this.exitCode]);
  }

  /** Settles when the program has taken all of the text; rejects if it has closed its input. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#writer!.write(bytes);
  }

  /** Writes all of the program's input and closes it. A program need not read all of it. */
  async feed(text: string): Promise<void> {
    await feed(this.#writer!, new TextEncoder().encode(text));
  }

  /** Closes the program's input, once it has taken all that was written. */
  async closeInput(): Promise<void> {
    await this.#writer?.close().catch(() => {
      // The program has closed it.
    });
  }

  /** Sends a signal to the program and its group; in a terminal to all that runs in it. */
  async signal(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): Promise<void> {
    await this.started();
    const { terminalPid, boxPid } = this.#report;
    if (this.#hasExited) return;
    if (!this.#terminal) {
      if (!this.#inBox) signalGroup(this.#child.pid, signal, { hasEnded: false });
      else if (boxPid !== null) signalProcess(-boxPid, signal);
      return;
    }
    const root = this.#inBox ? boxPid : terminalPid;
    if (root !== null) await signalTree({ pid: root, isBox: this.#inBox }, signal, this.#programs);
  }

  /** Makes sure that a Ctrl-C typed into the terminal reaches what runs in front. */
  async interruptFront(): Promise<void> {
    const { terminalPid } = this.#report;
    if (terminalPid !== null && !this.#hasExited) await interruptFront(terminalPid, this.#programs);
  }

  /** Ends the program: with a signal first if there is a grace time, then by force. */
  async stop({ signal, graceMs }: { signal: "SIGTERM" | "SIGHUP"; graceMs: number }): Promise<void> {
    this.#isForced = true;
    this.#network?.spoil();
    await stopProcess(this.#exit, {
      graceMs,
      request: () => this.signal(signal),
      kill: () => this.#kill(),
    });
  }

  /** Waits for the program's end, reads its pipes to their end, ends what is left. Returns the exit code. */
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
    // The number of an ended process may belong to another one; that of a group stays while it has members.
    if (boxPid !== null && !this.#hasExited) signalProcess(boxPid, "SIGKILL");
    this.#killGroups();
  }

  #killGroups(): void {
    signalGroup(this.#child.pid, "SIGKILL", { hasEnded: this.#hasExited });
    if (this.#report.terminalPid !== null) signalProcess(-this.#report.terminalPid, "SIGKILL");
  }

  /** In a box all processes end with the first one, which may outlive a bubblewrap killed while making it. */
  async #endLeftovers(): Promise<void> {
    if (this.#inBox || this.#isForced) this.#killGroups();
    if (this.#inBox && !this.#isForced) return;
    const session = this.#staysInSession ? this.#child.pid : null;
    const marked = { mark: this.#mark, terminalPid: this.#report.terminalPid ?? session };
    this.left = leftNames(await killMarked(marked, this.#programs));
    this.#killGroups();
  }

  async #pumpStderr(reader: ReadableStreamDefaultReader<Uint8Array>, sink: Sink): Promise<void> {
    const [take, left] = [this.#reader, this.#leftReader];
    take.report.then((report) => this.#report = report);
    await pump(reader, (bytes) => {
      const said = take.push(bytes);
      const rest = left?.push(said) ?? said;
      return rest.length === 0 ? undefined : sink(rest);
    });
    for (const bytes of [take.end(), left?.end()]) if (bytes?.length) await sink(bytes);
    if (left?.left.length) this.left = left.left;
  }
}

/** Writes all that a program reads. It may end or close its input early. */
async function feed(writer: WritableStreamDefaultWriter<Uint8Array>, bytes: Uint8Array): Promise<void> {
  try {
    await writer.write(bytes);
    await writer.close();
  } catch {
    // As told.
  }
}

/** @returns `startInput` is what the start reads from stdin; `null`: nothing */
function spawn(
  launch: Launch,
  options: StartOptions,
): { child: Deno.ChildProcess; startInput: Uint8Array | null } {
  const command = commandOf(launch, options);
  // The program gets its own group: it can be ended as a whole. Ctrl-C goes to main, which then ends it.
  const { argv: [program = "", ...args], detached } = inOwnSession(command.argv);
  try {
    const child = new Deno.Command(program, {
      args,
      clearEnv: true,
      env: command.env,
      cwd: launch.startIn,
      detached,
      stdin: command.stdin === null ? options.stdin : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    return { child, startInput: command.stdin };
  } catch (error) {
    throw startError(error, launch);
  }
}

function commandOf(
  made: Launch,
  { programs, terminal, watch: { mark, group }, network, stdin: wanted }: StartOptions,
) {
  const given = leadToPort(made, network?.port ?? null);
  // In a box only bubblewrap carries the mark: the program gets its own environment.
  const marked = { [MARK_NAME]: mark };
  const tied = programs.setpriv === null ? [] : [programs.setpriv, "--pdeathsig", "KILL", "--"];
  const box = boxStart(given);
  const needsStdin = wanted === "piped" || terminal !== undefined;
  const { words, options, stdin } = box
    ? boxStartScript(programs, group, {
      ...box,
      reports: "report",
      joins: network?.joins ?? null,
      needsStdin,
    })
    : plainStartScript(programs, { group, reports: terminal ? "report" : null });
  const [program = "", ...args] = given.argv;
  const all = joinNetwork([program, ...options, ...args], { pid: network?.joins ?? null, ...programs });
  const launch = { ...given, argv: [...box?.tracer ?? [], ...passableWords(all, programs)] };
  if (terminal) {
    const { argv, env } = terminalCommand(launch, terminal, programs);
    return { argv: [...tied, ...words, ...argv], env: { ...env, ...marked }, stdin };
  }
  // Bubblewrap ties a box to main by itself where main is its parent, and what ends orphans finds one on the way there by its
  // mark. Without a box, setpriv tells best what cannot be started.
  const starter = box ? [...box.tracer ? tied : [], ...words] : [...words, ...tied];
  return { argv: [...starter, ...launch.argv], env: { ...launch.env, ...marked }, stdin };
}

/** Returns the error of a program that the system did not start. */
export function startError(error: unknown, launch: Launch): unknown {
  if (!(error instanceof Error)) return error;
  const message = `Cannot start ${JSON.stringify(launch.argv[0])} in ${
    JSON.stringify(launch.cwd)
  }: ${error.message}`;
  if (error instanceof Deno.errors.NotFound) return new ToolError("not_found", message, { cause: error });
  if (error instanceof Deno.errors.NotCapable) return error;
  return new ToolError("unavailable", message, { cause: error });
}

/**
 * Reads until the stream ends or is cancelled. Does not pause, so that the program cannot hang on its output.
 */
async function pump(reader: ReadableStreamDefaultReader<Uint8Array>, sink: Sink): Promise<void> {
  let turnEnds = performance.now() + TURN_MS;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    await sink(chunk.value);
    if (performance.now() < turnEnds) continue;
    await new Promise((resolve) => setTimeout(resolve)); // A flood of output must not keep main from its timers.
    turnEnds = performance.now() + TURN_MS;
  }
}
