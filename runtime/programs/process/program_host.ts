import type { AuditedProgram } from "../../../schemas/audit.ts";
import type { Command } from "../../../schemas/command.ts";
import type { Connection } from "../../../schemas/net.ts";
import type { Artifact } from "../../../schemas/result.ts";
import type {
  ProgramEnd,
  ProgramRun,
  ScreenSource,
  SessionInfo,
  SessionOutput,
  SessionRead,
  SessionSpec,
} from "../../../schemas/program.ts";
import type { ProgramListener } from "../launch/tell_start.ts";
import type { JudgedCall } from "../launch/judge_command.ts";

/** The call for which a program is started or used. */
export interface ProgramCall extends JudgedCall, ProgramListener {
  /** The call may use sessions that a call of the same toolset opened. */
  toolset: string;
  /** Aborts when the call is cancelled or its time is up. That ends what it runs, but not what it opened. */
  signal: AbortSignal;
  /** Takes note of each program for the audit. */
  onProgram(program: AuditedProgram): void;
  /** Takes note of where programs connected to, and where they were refused, for the audit. */
  onConnections?(connections: readonly Connection[]): void;
  /** Takes the last lines of what a program says while it runs. */
  onOutput?(lines: string): void;
  /** Takes note of a file that was kept for the user and for later calls. */
  onArtifact(artifact: Artifact): void;
  /** Adds to the call's warnings. */
  warn(message: string): void;
}

/** The one place where programs are started. All methods throw `ToolError`. */
export interface ProgramHost {
  /** Throws what starting the command would throw, but starts nothing. Warns of what it would not find in its sandbox. */
  check(command: Command, call: ProgramCall, options?: { apart?: boolean }): Promise<void>;
  run(run: ProgramRun, call: ProgramCall): Promise<ProgramEnd>;
  open(spec: SessionSpec, call: ProgramCall): Promise<SessionInfo>;
  command(id: string, script: string, call: ProgramCall): Promise<void>;
  write(id: string, data: string, call: ProgramCall): Promise<void>;
  read(id: string, read: SessionRead, call: ProgramCall): Promise<SessionOutput>;
  signal(id: string, signal: "SIGINT" | "SIGTERM" | "SIGHUP", call: ProgramCall): Promise<void>;
  close(id: string, options: { graceMs: number }, call: ProgramCall): Promise<SessionInfo>;
  screen(id: string, call: ProgramCall): Promise<ScreenSource>;
  keepScreen(id: string, options: { state: string; mark: number }, call: ProgramCall): Promise<void>;
  /** Ends everything that still runs. */
  end(): Promise<void>;
}
