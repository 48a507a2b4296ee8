import type { AuditedProgram } from "../../../schemas/audit.ts";
import type { Connection } from "../../../schemas/net.ts";
import type { ProgramEndReason, ProgramSpec } from "../../../schemas/program.ts";
import { settlesWithin } from "../../wait/settles_within.ts";
import type { ClosedPaths } from "../../walls/box/bubblewrap.ts";
import { supervise, type Supervision } from "../journal/supervise.ts";
import type { JudgedCall } from "../launch/judge_command.ts";
import type { JudgedLaunch } from "../launch/judged_launch.ts";
import { boxStart, wallOf } from "../launch/launch.ts";
import { type ProgramListener, type TellEnd, tellStart } from "../launch/tell_start.ts";
import type { NetworkLease } from "../network/network_lease.ts";
import { TextTail } from "../output/text_tail.ts";
import { KILL_AFTER_MS, ProgramProcess } from "../process/program_process.ts";
import { abortError, type RunTools } from "../process/run_to_end.ts";
import { PipedOutput } from "./piped_output.ts";

/** Who starts a program with pipes. */
export interface PipedCall extends ProgramListener, Partial<Pick<JudgedCall, "onAnalysis" | "isNamed">> {
  /** Ends the program, also one that is just being started. @default nothing does */
  signal?: AbortSignal;
  /** Words that start it, in its sandbox if there is one. @default none */
  before?: readonly string[];
  /** Absolute path of a private folder that is made for it, and removed after it, also if this process is killed. @default none */
  folder?: string;
  /** Words that start its sandbox and watch it. @default none */
  tracer?: readonly string[];
  /** Takes its stderr as well; a program whose stderr is not taken waits. */
  onStderr?(bytes: Uint8Array): void | Promise<void>;
}

/** How a program with pipes ended. */
export interface PipedEnd {
  /** 128 plus the signal's number if a signal ended it. */
  exitCode: number;
  reason: ProgramEndReason;
  /** What was found after its end, and the flags that would have helped it. */
  warnings: readonly string[];
}

/** A program that stays, and speaks through its pipes with whoever started it. */
export interface PipedProgram {
  /** Its stdout. A program that is not read waits when some hundred kilobytes are there. */
  readonly stdout: ReadableStream<Uint8Array>;
  /** The end of its stderr, up to 8,000 characters: what strangers wrote. */
  readonly stderr: string;
  /** What must be known of its start: that it had no sandbox, for example. */
  readonly warnings: readonly string[];
  /** Settles once it is gone with all that it started, and it was looked at what it left. Never rejects. */
  readonly ended: Promise<PipedEnd>;
  /** Settles when the program has taken the bytes. Rejects if it has closed its input or has ended. */
  write(bytes: Uint8Array): Promise<void>;
  /** The program, as it stands, for the audit. */
  audited(): AuditedProgram;
  /** Where it connected to since the last time, and where it was refused. */
  connections(): Promise<readonly Connection[]>;
  /** As `ProgramWay.admit`. */
  admit: NetworkLease["admit"];
  /** Closes its input, then asks it to end, then ends it by force with all that it started. Waits for its end. */
  close(options?: {
    /** Time to end by itself once its input is closed, in milliseconds. @default 2_000 */
    graceMs?: number;
  }): Promise<PipedEnd>;
}

/** A piped program as its host sees it. */
export interface HostedProgram extends PipedProgram {
  /** What its box closes to it. */
  readonly closed: ClosedPaths;
}

const GRACE_MS = 2_000;
const STDERR_CHARS = 8_000;

/**
 * Starts a program with pipes.
 *
 * @param options `ending` aborts when the whole host is ended
 * @throws {ToolError} As the launcher does
 */
export async function startPiped(
  spec: ProgramSpec,
  call: PipedCall,
  { tools, ending }: { tools: RunTools; ending: AbortSignal },
): Promise<HostedProgram> {
  const { onAnalysis = () => {}, isNamed = false, signal, before = [] } = call;
  const requireGoing = () => {
    for (const one of [signal, ending]) if (one?.aborted) throw abortError(one);
  };
  // What comes through its pipes are messages to it, not commands.
  const judged = { interprets: true, isNamed, onAnalysis };
  const made = await tools.launcher.launch(spec, judged, { stays: true, before });
  const box = boxStart(made);
  const launch = call.tracer && box ? { ...made, box: { ...box, tracer: call.tracer } } : made;
  requireGoing();
  const supervision = await supervise(launch, tools);
  let removeFolder: (() => Promise<void>) | null = null;
  try {
    if (call.folder !== undefined) removeFolder = await tools.reaper.makeFolder(call.folder);
    requireGoing();
    return new RunningPiped(launch, { call, tools, ending, supervision, removeFolder });
  } catch (error) {
    await removeFolder?.();
    await supervision.finish();
    throw error;
  }
}

interface Parts {
  call: PipedCall;
  tools: RunTools;
  ending: AbortSignal;
  supervision: Supervision;
  /** Removes its private folder; `null` without one. */
  removeFolder: (() => Promise<void>) | null;
}

class RunningPiped implements HostedProgram {
  readonly ended: Promise<PipedEnd>;
  readonly #launch: JudgedLaunch;
  readonly #supervision: Supervision;
  readonly #removeFolder: Parts["removeFolder"];
  readonly #program: ProgramProcess;
  readonly #tellEnd: TellEnd;
  readonly #output = new PipedOutput();
  readonly #stderr = new TextTail(STDERR_CHARS);
  readonly #started = performance.now();
  #bytes = 0;
  #durationMs: number | null = null;
  #exitCode: number | null = null;
  #reason: ProgramEndReason = "exited";

  constructor(launch: JudgedLaunch, { call, tools, ending, supervision, removeFolder }: Parts) {
    const { watch, network } = supervision;
    this.#launch = launch;
    this.#supervision = supervision;
    this.#removeFolder = removeFolder;
    this.#tellEnd = tellStart(call, { program: tools.nextNumber(), launch, risk: launch.risk });
    try {
      this.#program = new ProgramProcess(launch, {
        ...{ programs: tools.programs, watch, network, stdin: "piped" },
        stdout: (bytes) => {
          this.#bytes += bytes.length;
          return this.#output.sink(bytes);
        },
        stderr: (bytes) => {
          this.#bytes += bytes.length;
          this.#stderr.push(bytes);
          return call.onStderr?.(bytes);
        },
      });
    } catch (error) {
      this.#tellEnd(null, "failed");
      throw error;
    }
    watch.begin(this.#program, (why) => void this.#stop(why, 0));
    const onAbort = () => void this.#stop("cancelled", 0);
    const signals = [ending, ...call.signal ? [call.signal] : []];
    for (const signal of signals) signal.addEventListener("abort", onAbort);
    this.ended = this.#finish().finally(() => {
      for (const signal of signals) signal.removeEventListener("abort", onAbort);
    });
  }

  get stdout(): ReadableStream<Uint8Array> {
    return this.#output.stream;
  }

  get stderr(): string {
    return this.#stderr.text;
  }

  get warnings(): readonly string[] {
    return this.#launch.warnings;
  }

  get closed(): ClosedPaths {
    return this.#launch.outlook?.closed ?? { hidden: [], frozen: [] };
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#program.write(bytes);
  }

  audited(): AuditedProgram {
    const { words: argv, cwd } = this.#launch;
    const duration_ms = this.#durationMs ?? Math.round(performance.now() - this.#started);
    return { argv, cwd, ...wallOf(this.#launch), exit_code: this.#exitCode, duration_ms, bytes: this.#bytes };
  }

  async connections(): Promise<readonly Connection[]> {
    const { network } = this.#supervision;
    if (this.#exitCode === null) await network.look();
    return network.take();
  }

  async admit(...given: Parameters<NetworkLease["admit"]>): Promise<void> {
    await this.#supervision.network.admit(...given);
  }

  async close({ graceMs = GRACE_MS }: { graceMs?: number } = {}): Promise<PipedEnd> {
    void this.#program.closeInput();
    if (!await settlesWithin(this.#program.exitCode, graceMs)) await this.#stop("cancelled", KILL_AFTER_MS);
    return await this.ended;
  }

  async #stop(reason: ProgramEndReason, graceMs: number): Promise<void> {
    if (this.#exitCode !== null) return;
    if (this.#reason === "exited") this.#reason = reason;
    await this.#program.stop({ signal: "SIGTERM", graceMs });
  }

  async #finish(): Promise<PipedEnd> {
    const exitCode = await this.#program.exitCode;
    this.#exitCode = exitCode;
    this.#durationMs = Math.round(performance.now() - this.#started);
    this.#output.release();
    await Promise.all([this.#program.finish(), this.#supervision.watch.end()]);
    this.#output.end();
    const warnings = [...await this.#look(), ...await this.#hints(exitCode)];
    this.#tellEnd(exitCode, this.#reason);
    return { exitCode, reason: this.#reason, warnings };
  }

  async #look(): Promise<readonly string[]> {
    try {
      const [found] = await Promise.all([this.#supervision.finish(), this.#removeFolder?.()]);
      return found;
    } catch (error) {
      const why = error instanceof Error ? error.message : error;
      return [`What the program left could not be looked at: ${why}`];
    }
  }

  async #hints(exitCode: number): Promise<readonly string[]> {
    const { outlook, analysis } = this.#launch;
    if (outlook === null || this.#reason !== "exited") return [];
    const { failureHints } = await import("../hints/hints.ts");
    const end = { exitCode, reason: this.#reason, output: this.stderr };
    return failureHints(analysis, end, { ...outlook, isNarrow: true });
  }
}
