import type { Risk } from "../../../schemas/command.ts";
import type { ProgramEndReason, ProgramEvent } from "../../../schemas/program.ts";
import type { JudgedLaunch } from "./judged_launch.ts";

/** Takes what happens to programs. */
export interface ProgramListener {
  onEvent?(event: ProgramEvent): void;
}

/** What a program's start is told with. */
export interface ProgramStart {
  /** Number of the program in its host. */
  program: number;
  launch: Pick<JudgedLaunch, "words" | "cwd" | "boxed">;
  risk: Risk;
  /** The open shell that runs it. */
  session?: string;
  /** The text that the shell runs. */
  command?: string;
}

/** Tells of a program's end; only the first time. */
export type TellEnd = (exitCode: number | null, reason: ProgramEndReason | "failed") => void;

const SIGNALS: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  5: "SIGTRAP",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  10: "SIGUSR1",
  11: "SIGSEGV",
  12: "SIGUSR2",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
  24: "SIGXCPU",
  25: "SIGXFSZ",
};
/** An exit code above it tells of a signal. */
const SIGNALLED = 128;

/** Returns the name of the signal that an exit code tells of, `null` for any other code. */
export function signalOf(exitCode: number): string | null {
  return SIGNALS[exitCode - SIGNALLED] ?? null;
}

/** Tells that a program is about to run. Returns what tells of its end. */
export function tellStart(listener: ProgramListener, start: ProgramStart): TellEnd {
  const { program, launch, risk, session, command } = start;
  const started = performance.now();
  let hasEnded = false;
  listener.onEvent?.({
    type: "program.start",
    program,
    argv: launch.words,
    cwd: launch.cwd,
    sandboxed: launch.boxed,
    risk,
    ...(session !== undefined && { session }),
    ...(command !== undefined && { command }),
  });
  return (exitCode, reason) => {
    if (hasEnded) return;
    hasEnded = true;
    listener.onEvent?.({
      type: "program.end",
      program,
      exit_code: exitCode,
      signal: exitCode === null ? null : signalOf(exitCode),
      reason,
      duration_ms: Math.round(performance.now() - started),
    });
  };
}
