import { ToolError } from "../../../schemas/error.ts";
import type { ClippedOutput, ProgramEnd, ProgramEndReason, ProgramRun } from "../../../schemas/program.ts";
import { OutputClipper } from "../output/clip_output.ts";
import type { ProgramCall } from "./program_host.ts";
import { boxStart, scratchFolder, wallOf } from "../launch/launch.ts";
import type { JudgedLaunch, JudgedLauncher } from "../launch/judged_launch.ts";
import { LiveTail } from "../output/live_tail.ts";
import { type KeepFile, type KeptFile, KeptOutput } from "../output/kept_output.ts";
import { tellStart } from "../launch/tell_start.ts";
import { tellLeft } from "../output/left_report.ts";
import { KILL_AFTER_MS, ProgramProcess, type Sink } from "./program_process.ts";
import { supervise, type Supervisors } from "../journal/supervise.ts";
import type { NetworkLease } from "../network/network_lease.ts";
import type { SystemPrograms } from "./system_programs.ts";
import type { ProgramWatch } from "../watch/watchdog.ts";

/** What running programs needs. */
export interface RunTools extends Supervisors {
  launcher: JudgedLauncher;
  programs: SystemPrograms;
  /** `null` where no output can be kept. */
  keepFile: KeepFile | null;
  /** Says which flag would have helped a program that failed. @default true */
  hints?: boolean;
  /** Numbers the programs of the host. */
  nextNumber(): number;
}

/** Exit codes of `sandbox-exec`: it takes no such profile, or the program does not start. */
const PROFILE_FAILED = [65, 71];

/** Options of {@linkcode runToEnd}. */
export interface RunToEndOptions {
  tools: RunTools;
  /** Aborts when the whole host is ended. */
  ending: AbortSignal;
}

/**
 * Runs a program to its end. The end comes within a second after its time is up or its call is cancelled.
 *
 * @throws {ToolError} As the launcher does, or `unavailable` if its box cannot be made
 */
export async function runToEnd(
  run: ProgramRun,
  call: ProgramCall,
  { tools, ending }: RunToEndOptions,
): Promise<ProgramEnd> {
  const launch = await tools.launcher.launch(run, call, { tellsLeft: "main" });
  throwIfAborted(call.signal, ending);
  const supervision = await supervise(launch, tools);
  const { watch, network } = supervision;
  const started = performance.now();
  const tail = call.onOutput ? new LiveTail((lines) => call.onOutput?.(lines)) : null;
  const onBytes = (bytes: Uint8Array) => tail?.push(bytes);
  const streams = [
    new Stream("stdout", run, { keepFile: tools.keepFile, onBytes }),
    new Stream("stderr", run, { keepFile: tools.keepFile, onBytes }),
  ] as const;
  let durationMs = 0;
  let inspected: string[] = [];
  const { exitCode, reason, left } = await runProcess(launch, run, {
    call,
    tools,
    ending,
    streams,
    watch,
    network,
  })
    .finally(async () => {
      // Its end is told: nothing that it said may follow.
      tail?.end();
      durationMs = Math.round(performance.now() - started);
      inspected = await supervision.finish();
    });
  const [stdout, stderr] = streams.map((stream) => stream.clipper.result()) as [ClippedOutput, ClippedOutput];
  const kept = streams.map((stream) => stream.close());
  const hints = tools.hints === false
    ? { warnings: [], advice: null }
    : await hintsOf(launch, { exitCode, reason, stdout, stderr });
  call.onConnections?.(network.take());
  call.onProgram({
    argv: launch.words,
    cwd: launch.cwd,
    ...wallOf(launch),
    exit_code: exitCode,
    duration_ms: durationMs,
    bytes: stdout.bytes + stderr.bytes,
  });
  const warnings = [
    ...launch.warnings,
    ...inspected,
    ...hints.warnings,
    ...streams.flatMap((stream) => stream.warnings),
    ...(left.length === 0 ? [] : [tellLeft(left)]),
  ];
  for (const warning of warnings) call.warn(warning);
  const files = kept.filter((file): file is KeptFile => file !== null);
  for (const file of files) call.onArtifact(file);
  const failure = reason === "exited" ? startFailure(run, launch, { exitCode, stdout, stderr }) : null;
  if (failure) throw failure;
  return { exitCode, reason, stdout, stderr, durationMs, kept: files, warnings, advice: hints.advice };
}

/** One stream of a running program. */
class Stream {
  readonly clipper: OutputClipper;
  readonly #name: string;
  readonly #kept: KeptOutput | null;
  readonly #onBytes: (bytes: Uint8Array) => void;

  constructor(
    name: string,
    run: ProgramRun,
    { keepFile, onBytes }: { keepFile: KeepFile | null; onBytes(bytes: Uint8Array): void },
  ) {
    const { maxBytes, maxLines, cutBytes, keepOutput, verbatim = false } = run;
    this.#name = name;
    this.#onBytes = onBytes;
    this.clipper = new OutputClipper({
      verbatim: verbatim && name === "stdout",
      ...(maxBytes !== undefined && { maxBytes }),
      ...(maxLines !== undefined && { maxLines }),
      ...(cutBytes !== undefined && { cutBytes }),
    });
    this.#kept = keepOutput && keepFile ? new KeptOutput(name, keepFile) : null;
  }

  readonly sink: Sink = (bytes) => {
    this.clipper.push(bytes);
    this.#onBytes(bytes);
    return this.#kept?.push(bytes);
  };

  get warnings(): string[] {
    const problem = this.#kept?.problem ?? null;
    return problem === null
      ? []
      : [`The output of the program on ${this.#name} is not all in a file: ${problem}`];
  }

  close(): KeptFile | null {
    return this.#kept?.close() ?? null;
  }
}

/** How a program ended. */
interface Ended {
  exitCode: number;
  reason: ProgramEndReason;
  /** Names of the processes that it left. */
  left: readonly string[];
}

interface RunParts extends RunToEndOptions {
  call: ProgramCall;
  streams: readonly [Stream, Stream];
  watch: ProgramWatch;
  network: NetworkLease;
}

async function runProcess(
  launch: JudgedLaunch,
  run: ProgramRun,
  { call, tools, ending, streams, watch, network }: RunParts,
): Promise<Ended> {
  throwIfAborted(call.signal, ending);
  const tellEnd = tellStart(call, { program: tools.nextNumber(), launch, risk: launch.risk });
  try {
    const end = await runStarted(launch, run, { call, tools, ending, streams, watch, network });
    tellEnd(end.exitCode, end.reason);
    return end;
  } finally {
    // It could not be started.
    tellEnd(null, "failed");
  }
}

async function runStarted(
  launch: JudgedLaunch,
  run: ProgramRun,
  { call, tools, ending, streams: [stdout, stderr], watch, network }: RunParts,
): Promise<Ended> {
  const program = new ProgramProcess(launch, {
    programs: tools.programs,
    watch,
    network,
    stdin: launch.stdin === undefined ? "null" : "piped",
    stdout: stdout.sink,
    stderr: stderr.sink,
    tellsLeft: true,
  });
  let reason: ProgramEndReason = "exited";
  const stop = (why: ProgramEndReason, graceMs: number) => {
    if (reason !== "exited") return;
    reason = why;
    // They will be asked why. Meanwhile, the program ends.
    if (launch.outlook !== null) loadHints().catch(() => {});
    void program.stop({ signal: "SIGTERM", graceMs });
  };
  const onAbort = () => stop(isTimeout(call.signal) ? "timeout" : "cancelled", KILL_AFTER_MS);
  const onEnding = () => stop("cancelled", 0);
  const timer = run.timeoutMs === undefined
    ? undefined
    : setTimeout(() => stop("timeout", KILL_AFTER_MS), run.timeoutMs);
  // A program that uses too much of the machine gets no time to clean up.
  watch.begin(program, (why) => stop(why, 0));
  call.signal.addEventListener("abort", onAbort);
  ending.addEventListener("abort", onEnding);
  if (launch.stdin !== undefined) void program.feed(launch.stdin);
  await program.exitCode;
  clearTimeout(timer);
  call.signal.removeEventListener("abort", onAbort);
  ending.removeEventListener("abort", onEnding);
  // The end of the watch ends what is left.
  const exitCode = await program.finish().finally(() => watch.end());
  return { exitCode, reason, left: reason === "exited" ? program.left : [] };
}

function throwIfAborted(...signals: readonly AbortSignal[]): void {
  for (const signal of signals) if (signal.aborted) throw abortError(signal);
}

/** The error of work that was stopped before it began. */
export function abortError(signal: AbortSignal): ToolError {
  if (signal.reason instanceof ToolError) return signal.reason;
  return new ToolError("cancelled", "The call was cancelled", { cause: signal.reason });
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof ToolError
    ? reason.code === "timeout"
    : reason instanceof Error && reason.name === "TimeoutError";
}

function loadHints(): Promise<typeof import("../hints/hints.ts")> {
  return import("../hints/hints.ts");
}

/** A command of several programs may end with 0 though one of them was kept from something. */
async function hintsOf(
  { analysis, outlook }: JudgedLaunch,
  { exitCode, reason, stdout, stderr }: Pick<ProgramEnd, "exitCode" | "reason" | "stdout" | "stderr">,
): Promise<{ warnings: readonly string[]; advice: string | null }> {
  const isQuiet = exitCode === 0 && reason === "exited" && stdout.bytes + stderr.bytes === 0 &&
    analysis === null;
  if (outlook === null || isQuiet) return { warnings: [], advice: null };
  const { failureHints, timeoutAdvice } = await loadHints();
  const output = [stderr, stdout].map(({ head, tail }) => `${head}\n${tail}`).join("\n");
  const end = { exitCode, reason, output };
  return {
    warnings: failureHints(analysis, end, outlook),
    advice: timeoutAdvice(analysis, end, outlook),
  };
}

/** The messages of the helper programs that could not start the program. There is no other output then. */
function startFailure(
  { argv }: ProgramRun,
  launch: JudgedLaunch,
  { exitCode, stdout, stderr }: { exitCode: number; stdout: ClippedOutput; stderr: ClippedOutput },
): ToolError | null {
  if (stdout.bytes > 0) return null;
  const program = JSON.stringify(argv[0]);
  const starter = /^(?:setpriv|prlimit): failed to execute .*: (.*)\n$/.exec(stderr.head);
  if (starter && (exitCode === 126 || exitCode === 127)) {
    return new ToolError("not_found", `Cannot start ${program}: ${starter[1]}`);
  }
  const said = wallsFailure(launch, exitCode, stderr.head);
  if (said === null) return null;
  const execvp = /^execvp(?:\(\) of)? .*: (.*)$/.exec(said);
  return execvp ? new ToolError("not_found", `Cannot start ${program}: ${execvp[1]}`) : new ToolError(
    "unavailable",
    `The sandbox of ${program} cannot be made: ${said}; see bulkhead doctor`,
  );
}

/** What bubblewrap or `sandbox-exec` says of a start that failed, `null` if neither does. */
function wallsFailure(launch: JudgedLaunch, exitCode: number, said: string): string | null {
  if (boxStart(launch)) return exitCode === 1 ? /^bwrap: (.*)\n$/.exec(said)?.[1] ?? null : null;
  if (scratchFolder(launch) === null || !PROFILE_FAILED.includes(exitCode)) return null;
  return /^sandbox-exec: (.*)\n$/.exec(said)?.[1] ?? null;
}
