import { startError } from "./program_process.ts";
import { boxStart, type Launch, leadToPort, wallOf } from "../launch/launch.ts";
import { killMarked, MARK_NAME, signalProcess, signalTree } from "../watch/signal_processes.ts";
import { KILLED, stopProcess } from "../watch/stop_process.ts";
import { boxStartScript, passableWords, plainStartScript } from "./start_script.ts";
import { leftNames } from "../output/left_report.ts";
import { joinNetwork } from "../network/join_network.ts";
import type { NetworkLease } from "../network/network_lease.ts";
import type { SystemPrograms } from "./system_programs.ts";
import { type AttachedTerminal, attachedTerminal } from "./terminal.ts";

/** Which streams of main are terminals. */
export interface Terminals {
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
}

/** How a prepared program is started on the streams of main. */
export interface AttachOptions {
  programs: SystemPrograms;
  /** What its first process holds in its environment, and the control group it enters first, if any. */
  watch: { mark: string; group: string | null };
  /** @default none */
  network?: NetworkLease | undefined;
  /** Puts a terminal of its own around the program, made by this `script`; `null`: none. */
  terminal: AttachedTerminal | null;
}

/**
 * A running program with the streams of main itself: its bytes go nowhere else. It has no session of main's terminal, so
 * that it cannot type there: either a session without a terminal, or a terminal of its own.
 */
export class AttachedProcess {
  /** Settles with the exit code: 128 plus the signal's number if a signal ended it. */
  readonly exitCode: Promise<number>;
  readonly #launch: Launch;
  readonly #options: AttachOptions;
  readonly #child: Deno.ChildProcess;
  readonly #exit = Promise.withResolvers<number>();
  #hasExited = false;

  /** Starts a program. Throws `ToolError` if it cannot be started. */
  constructor(launch: Launch, options: AttachOptions) {
    this.#launch = launch;
    this.#options = options;
    this.#child = spawn(launch, options);
    this.exitCode = this.#exit.promise;
    this.#child.status.then(({ code }) => {
      this.#hasExited = true;
      this.#exit.resolve(code);
    });
  }

  /** The outermost process, which all others are below. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Sends a signal to the program and what it started. */
  async signal(signal: "SIGINT" | "SIGTERM" | "SIGHUP"): Promise<void> {
    if (this.#hasExited) return;
    const boxed = boxStart(this.#launch) !== null;
    const { terminal, programs } = this.#options;
    if (!boxed && terminal === null) return signalProcess(-this.pid, signal);
    // The process that was started made the box or the terminal; the program is below it.
    await signalTree({ pid: this.pid, isBox: true, around: boxed && terminal !== null }, signal, programs);
  }

  /** Ends the program: with a signal first if there is a grace time, then by force. */
  async stop({ signal, graceMs }: { signal: "SIGTERM" | "SIGHUP"; graceMs: number }): Promise<void> {
    this.#options.network?.spoil();
    await stopProcess(this.#exit, {
      graceMs,
      request: () => this.signal(signal),
      kill: () => this.#kill(),
    });
  }

  /** Waits for the program's end, and ends what it left. Returns the names of that, as far as nobody else tells them. */
  async finish(): Promise<readonly string[]> {
    const code = await this.exitCode;
    const { terminal, watch: { mark }, programs } = this.#options;
    const isPlain = boxStart(this.#launch) === null;
    const killGroup = () => {
      if (terminal === null) signalProcess(-this.pid, "SIGKILL");
    };
    // What is ended by its mark is told.
    if (!isPlain) killGroup();
    // All processes of a box end with its first one; what was killed while it made one may have left that behind.
    if (!isPlain && code < KILLED) return [];
    const hasSession = terminal === null && wallOf(this.#launch).wall === "landlock";
    const killed = await killMarked({ mark, terminalPid: hasSession ? this.pid : null }, programs);
    killGroup();
    return isPlain ? leftNames(killed) : [];
  }

  #kill(): void {
    if (this.#hasExited) return;
    // With a terminal of its own it is of main's group.
    signalProcess(this.#options.terminal === null ? -this.pid : this.pid, "SIGKILL");
  }
}

function spawn(launch: Launch, options: AttachOptions): Deno.ChildProcess {
  const { argv, env } = commandOf(launch, options);
  try {
    return new Deno.Command(argv[0]!, {
      args: argv.slice(1),
      clearEnv: true,
      env,
      cwd: launch.startIn,
      // What makes the terminal works on that of main, and must be in front there with main.
      detached: options.terminal === null,
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn();
  } catch (error) {
    throw startError(error, launch);
  }
}

function commandOf(made: Launch, { programs, watch: { mark, group }, terminal, network }: AttachOptions) {
  const launch = leadToPort(made, network?.port ?? null);
  const marked = { [MARK_NAME]: mark };
  const { setpriv } = programs;
  const tied = (signal: string) => setpriv === null ? [] : [setpriv, "--pdeathsig", signal, "--"];
  const box = boxStart(launch);
  const { words, options } = box
    ? boxStartScript(programs, group, {
      ...box,
      reports: terminal ? "around" : "attached",
      joins: network?.joins ?? null,
      needsStdin: true,
    })
    : plainStartScript(programs, { group, reports: terminal ? "around" : null });
  const [program = "", ...args] = launch.argv;
  const all = joinNetwork([program, ...options, ...args], { pid: network?.joins ?? null, ...programs });
  const started = { ...launch, argv: passableWords(all, programs) };
  if (terminal) {
    const { argv, env } = attachedTerminal(started, programs, terminal);
    // Ended gently, it gives the person's terminal back as it was.
    return { argv: [...tied("TERM"), ...words, ...argv], env: { ...env, ...marked } };
  }
  const starter = box ? [...tied("KILL"), ...words] : [...words, ...tied("KILL")];
  return { argv: [...starter, ...started.argv], env: { ...launch.env, ...marked } };
}
