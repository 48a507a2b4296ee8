import type { AuditedProgram } from "../../../schemas/audit.ts";
import type { Artifact } from "../../../schemas/result.ts";
import type {
  ProgramEnd,
  ProgramRun,
  ProgramSpec,
  ScreenSource,
  SessionInfo,
  SessionOutput,
  SessionRead,
  SessionSpec,
} from "../../../schemas/program.ts";

/** The call on whose behalf a program is started or spoken to. */
export interface ProgramCall {
  /** Whose sessions it may use: those that a call of the same toolset opened. */
  toolset: string;
  /** A room says that the user named every program of the command; it counts in a box only. @default false */
  vouched?: boolean;
  /** Aborts when the call is cancelled or its time is up: what it runs is ended, what it opened stays. */
  signal: AbortSignal;
  /** Takes note of each program for the audit. */
  onProgram(program: AuditedProgram): void;
  /** Takes note of a file that was kept for the user and for later calls. */
  onArtifact(artifact: Artifact): void;
  /** Adds to the call's warnings. */
  warn(message: string): void;
}

/** The one place where programs are started. All methods throw `ToolError`. */
export interface ProgramHost {
  /** Throws what a start would throw before it starts anything. */
  check(spec: ProgramSpec, call: ProgramCall): Promise<void>;
  run(run: ProgramRun, call: ProgramCall): Promise<ProgramEnd>;
  open(spec: SessionSpec, call: ProgramCall): Promise<SessionInfo>;
  write(id: string, data: string, call: ProgramCall): Promise<void>;
  read(id: string, read: SessionRead, call: ProgramCall): Promise<SessionOutput>;
  signal(id: string, signal: "SIGINT" | "SIGTERM" | "SIGHUP", call: ProgramCall): Promise<void>;
  close(id: string, options: { graceMs: number }, call: ProgramCall): Promise<SessionInfo>;
  screen(id: string, call: ProgramCall): Promise<ScreenSource>;
  keepScreen(id: string, options: { state: string; mark: number }, call: ProgramCall): Promise<void>;
  /** Ends everything that still runs. */
  end(): Promise<void>;
}

/** A program made ready to be started: everything is decided, nothing has happened. */
export interface Launch {
  /** What is really started; the first word is an absolute path. Bubblewrap and limits come first in a box. */
  argv: readonly string[];
  /** The whole environment of the process that is started; in a box it is empty, and the program gets its own inside. */
  env: Readonly<Record<string, string>>;
  /** Where it is started: the program's folder, or `/` for a box, which changes folder itself. */
  startIn: string;
  /** The program's folder, absolute and real: for results and audit. */
  cwd: string;
  boxed: boolean;
  /** Folders that it may write, whose disks are watched. */
  writes: readonly string[];
  /** To be told to the user with the result. */
  warnings: readonly string[];
  /** To be called when it has ended, or now and then while it runs: puts aside what it may not leave, and says so. */
  inspect(): Promise<string[]>;
}

/** Decides whether and how a program may start. */
export interface Launcher {
  /**
   * @throws {ToolError} `permission_denied` if the grants do not let it start, `not_found` if there is no such program
   * or folder, `invalid_input` for words that cannot be a command
   */
  prepare(
    spec: ProgramSpec,
    options: {
      terminal: boolean;
      vouched: boolean;
      /** It will run beside others. @default false */
      stays?: boolean;
    },
  ): Promise<Launch>;
}
