import type { AuditedProgram } from "../../../schemas/audit.ts";
import type { ProgramEndReason, ProgramSpec } from "../../../schemas/program.ts";
import { AttachedProcess, type Terminals } from "./attached_process.ts";
import type { ProgramCall } from "./program_host.ts";
import { restoreTerminal, saveTerminal, takesKeys } from "./saved_terminal.ts";
import { boxStart, wallOf } from "../launch/launch.ts";
import type { JudgedLaunch } from "../launch/judged_launch.ts";
import { abortError, type RunTools } from "./run_to_end.ts";
import { tellLeft } from "../output/left_report.ts";
import { supervise } from "../journal/supervise.ts";

/** A program that a person or a script uses through the streams of main. */
export interface AttachedRun extends Pick<ProgramSpec, "argv"> {
  /** Which streams of main are terminals. With stdin and stdout, the program gets a terminal of its own. */
  terminals: Terminals;
  /** The user's kind of terminal, as in `TERM`. */
  term?: string | undefined;
  /** Longest time in milliseconds. @default no limit */
  timeoutMs?: number | undefined;
  /** Whether the user is told what it left running. @default true */
  tellsLeft?: boolean;
  /** Aborts when the user interrupts: the program gets SIGINT, and goes on if it likes. */
  interrupt: AbortSignal;
  /** Called right before the program starts, with what is to be known of it. */
  onStart?(warnings: readonly string[]): Promise<void>;
}

/** How such a program ended. */
export interface AttachedEnd {
  exitCode: number;
  reason: ProgramEndReason;
  /** What was found after its end. */
  warnings: readonly string[];
}

/** Time between the request to end and the kill, in milliseconds: the user's own programs may have work to finish. */
const GRACE_MS = 2_000;

/**
 * Runs a program on the streams of main to its end. `call.signal` ends it and all that it started.
 *
 * @throws {ToolError} As the launcher does
 */
export async function runAttached(
  run: AttachedRun,
  call: ProgramCall,
  { tools, ending }: { tools: RunTools; ending: AbortSignal },
): Promise<AttachedEnd> {
  const { programs } = tools;
  const { stdin, stdout, stderr } = run.terminals;
  const script = stdin && stdout ? programs.script : null;
  const env = stdout && run.term ? { TERM: run.term } : {};
  const [before, modes] = script ? await Promise.all([takesKeys(), saveTerminal(programs.stty)]) : [[], null];
  const tellsLeft = run.tellsLeft === false ? null : "person";
  const how = { terminal: script !== null, attached: true, before, tellsLeft } as const;
  const launch = await tools.launcher.launch({ argv: run.argv, env }, call, how);
  const keysForProgram = boxStart(launch) !== null && before.length > 0;
  const terminal = script === null ? null : { script, ownErrors: !stderr, keysForProgram };
  for (const signal of [call.signal, ending]) if (signal.aborted) throw abortError(signal);
  const supervision = await supervise(launch, tools);
  const { watch, network } = supervision;
  const started = performance.now();
  let reason: ProgramEndReason = "exited";
  let exitCode: number;
  let durationMs: number;
  let inspected: string[] = [];
  let left: readonly string[] = [];
  try {
    await run.onStart?.(launch.warnings);
    const program = new AttachedProcess(launch, { programs, watch, network, terminal });
    const stop = (why: ProgramEndReason, graceMs: number) => {
      if (reason !== "exited") return;
      reason = why;
      void program.stop({ signal: "SIGTERM", graceMs });
    };
    watch.begin(program, (why) => stop(why, 0));
    using _ = listening([
      [call.signal, () => stop("cancelled", GRACE_MS)],
      [ending, () => stop("cancelled", 0)],
      [run.interrupt, () => void program.signal("SIGINT")],
    ]);
    const timer = run.timeoutMs === undefined
      ? undefined
      : setTimeout(() => stop("timeout", GRACE_MS), run.timeoutMs);
    exitCode = await program.exitCode;
    clearTimeout(timer);
    // The end of the watch ends what is left, too, and tells nobody.
    left = await program.finish().finally(() => watch.end());
  } finally {
    durationMs = Math.round(performance.now() - started);
    inspected = await supervision.finish();
  }
  if (reason !== "exited") await restoreTerminal(programs.stty, modes);
  call.onConnections?.(network.take());
  call.onProgram(audited(launch, exitCode, durationMs));
  const warnings = [...inspected, ...await toldAfter(launch, { exitCode, reason, left })];
  return { exitCode, reason, warnings };
}

/** Its bytes went past. */
function audited(
  launch: JudgedLaunch,
  exit_code: number,
  duration_ms: number,
): AuditedProgram {
  return { argv: launch.words, cwd: launch.cwd, ...wallOf(launch), exit_code, duration_ms, bytes: 0 };
}

async function toldAfter(
  launch: JudgedLaunch,
  { left, ...end }: { exitCode: number; reason: ProgramEndReason; left: readonly string[] },
): Promise<string[]> {
  const told = end.reason === "exited" && left.length > 0
    ? [tellLeft(left, "to keep it, let the command wait for it")]
    : [];
  return [...told, ...await hintsAfter(launch, end)];
}

/** Its output went to main's own streams: only its words tell what it lacked. */
async function hintsAfter(
  { analysis, outlook }: JudgedLaunch,
  end: { exitCode: number; reason: ProgramEndReason },
): Promise<string[]> {
  if (outlook === null) return [];
  const { failureHints } = await import("../hints/hints.ts");
  return failureHints(analysis, { ...end, output: "" }, outlook);
}

function listening(pairs: readonly (readonly [AbortSignal, () => void])[]): Disposable {
  for (const [signal, act] of pairs) {
    if (signal.aborted) act();
    else signal.addEventListener("abort", act, { once: true });
  }
  return {
    [Symbol.dispose]() {
      for (const [signal, act] of pairs) signal.removeEventListener("abort", act);
    },
  };
}
