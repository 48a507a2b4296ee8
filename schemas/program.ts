import type { Risk } from "./command.ts";

/** What happens to the programs of a call. Secrets in the texts are masked before they are told. */
export type ProgramEvent =
  /** A program is about to run; or a command in an open shell, which then is `session`, with its `command`. */
  | {
    type: "program.start";
    /** Number of the program in its run, from 1. */
    program: number;
    argv: readonly string[];
    cwd: string;
    sandboxed: boolean;
    /** How much harm it could do outside the sandbox. */
    risk: Risk;
    session?: string;
    command?: string;
  }
  /** A text is about to be typed into an open program, which may be a shell. */
  | { type: "program.input"; program: number; session: string; text: string; risk: Risk }
  | {
    type: "program.end";
    program: number;
    /** 128 plus the signal's number if a signal ended it; `null` if it could not be started, or was left running. */
    exit_code: number | null;
    /** The signal that the exit code tells of, `null` for any other. */
    signal: string | null;
    /** `failed` if it could not be started. */
    reason: ProgramEndReason | "failed";
    duration_ms: number;
  };

/** A program to start. */
export interface ProgramSpec {
  /** The program, by name or path, and its arguments. */
  argv: readonly string[];
  /** Folder to start in; relative paths start at the workspace. @default the workspace */
  cwd?: string;
  /** A text only for the shell that `argv` names; it is judged as a text of that shell. */
  script?: string;
  /** Variables that the tool itself sets, besides those that the user passes on. */
  env?: Readonly<Record<string, string>>;
  /**
   * It runs apart from the user's files: it sees the system and the session's own {@linkcode APART_FOLDER}, starts there,
   * and runs in a sandbox or not at all. `cwd` is not for it. @default false
   */
  apart?: boolean;
}

/** Where programs that run apart find the folder of the session that is theirs alone, and is kept with the session. */
export const APART_FOLDER = "/workspace";

/**
 * Exit code of a command that does not reach the place of programs that run apart, where that is another machine; they
 * themselves end with another one there.
 */
export const LINK_FAILED = 255;

/** A program that runs to its end within one call. */
export interface ProgramRun extends ProgramSpec {
  /** The whole stdin. @default nothing */
  stdin?: string;
  /** Longest time in milliseconds, bounded by the call's own. @default the call's */
  timeoutMs?: number;
  /** Bytes kept of each stream, half from the start and half from the end. @default 51_200 */
  maxBytes?: number;
  /** Lines kept of each stream. @default 2_000 */
  maxLines?: number;
  /**
   * Bytes kept of a stream that has to be cut: less leaves room for a line that says so. @default maxBytes
   */
  cutBytes?: number;
  /** Its stdout is data: nothing in it is left out as written over, and NUL bytes stay. @default false */
  verbatim?: boolean;
  /** Also keeps all output in files of the session. @default false */
  keepOutput?: boolean;
}

/** What is kept of one stream: its start and its end. */
export interface ClippedOutput {
  /** The beginning. */
  head: string;
  /** `""` if nothing was left out: then `head` is all. */
  tail: string;
  /** Bytes that the program wrote. */
  bytes: number;
  /** Bytes that are left out between the two. */
  omittedBytes: number;
  /** Lines that are left out between the two. */
  omittedLines: number;
  /** It does not look like text: it has many control characters among its first bytes, or many NULs together. */
  binary: boolean;
  /** How many characters of what is kept are U+FFFD because bytes were not UTF-8. */
  replaced: number;
  /** How many NUL bytes of what is kept show as U+2400. */
  nuls: number;
  /** Parts of lines, such as frames of a progress bar, that are left out because others were written over them. */
  overwritten: number;
}

/** Why a program is no longer running. */
export type ProgramEndReason =
  /** By itself, or by a signal of its own kind. */
  | "exited"
  | "timeout"
  | "cancelled"
  /** It made too many processes. */
  | "processes"
  /** It used too much memory, with all that it started. */
  | "memory"
  /** The disk was about to be full. */
  | "disk";

/** What is said of a program that reached a bound, as the end of a sentence. */
export const BOUND_WORDS = {
  processes: "it started too many processes, more than programs.processes in the configuration allows",
  memory:
    "it used too much memory with all that it started, more than programs.memory_mb in the configuration allows",
  disk: "the disk was about to be full",
} as const;

/** How a program ended. */
export interface ProgramEnd {
  /** 128 plus the signal's number if a signal ended it. */
  exitCode: number;
  /** Why it ended. */
  reason: ProgramEndReason;
  /** What it wrote to stdout. */
  stdout: ClippedOutput;
  /** What it wrote to stderr. */
  stderr: ClippedOutput;
  /** How long it ran, in milliseconds. */
  durationMs: number;
  /** Files with all output, if the tool asked to keep it. */
  kept: readonly { name: string; path: string; bytes: number }[];
  /** What the user should know: no box, files put aside. Already among the call's warnings. */
  warnings: readonly string[];
  /** What helps better than more time, if its time was up for a known reason; else `null`. */
  advice: string | null;
}

/** A program that keeps running after the call that opened it, until the run ends. */
export interface SessionSpec extends ProgramSpec {
  /** `argv` is bash: it waits for commands, and prints a mark when one has ended. @default false */
  shell?: boolean;
  /** Gives it a terminal of this size; else it has pipes. */
  terminal?: { rows: number; cols: number };
  /** Bytes kept of the start of unread output, besides the newest. @default 0 */
  headBytes?: number;
  /** Most bytes of unread output kept; the oldest goes first. @default 262_144 */
  bufferBytes?: number;
}

/** The state of an opened program. */
export interface SessionInfo {
  /** Names the program in later calls. */
  id: string;
  /** Id of its process. */
  pid: number;
  /** Where it started, absolute. */
  cwd: string;
  /** It runs. */
  alive: boolean;
  /** `null` while it runs. */
  exitCode: number | null;
  /** Why it ended; `null` while it runs. */
  reason: ProgramEndReason | null;
  /** Only for a shell: part of its marks, see {@linkcode SHELL_MARK}. */
  nonce?: string;
  /** Only for a shell: it runs a command. */
  runs?: boolean;
}

/**
 * Starts, divides and ends the mark that a shell prints on both streams when a command has ended: this
 * character, a number, this character, the session's nonce, this character. On stdout the number is the exit
 * code, and after it come a space and the number of the prompt.
 */
export const SHELL_MARK = "\x1e";

/** How long to wait for output. */
export interface SessionRead {
  /** Longest wait, in milliseconds. */
  waitMs: number;
  /**
   * Returns once output came and then paused for this long, in milliseconds. @default a pause does not end
   * the wait
   */
  quietMs?: number;
  /** Returns once this text came on every stream, and takes it with the output before it. */
  until?: string;
  /** Most characters to take of each stream; the rest stays for the next read. @default all */
  maxChars?: number;
  /** Also tells what stays for the next read. @default false */
  tellRest?: boolean;
}

/** Unread output of one stream. */
export interface UnreadOutput {
  /** The kept start of what was unread, `""` unless something after it was dropped. */
  head: string;
  /** The unread output after it. */
  text: string;
  /** Bytes dropped between head and text since the last read. */
  droppedBytes: number;
  /** Characters that stay for the next read. */
  remainingChars: number;
  /** They themselves, if they were asked for. */
  rest?: string;
}

/** The result of a read. A terminal has everything on `stdout`. */
export interface SessionOutput extends SessionInfo {
  /** Unread output of stdout. */
  stdout: UnreadOutput;
  /** Unread output of stderr. */
  stderr: UnreadOutput;
  /** The text that the read waited for has come. */
  found: boolean;
}

/** What a terminal's screen is made from. */
export interface ScreenSource {
  /** Lines of the terminal. */
  rows: number;
  /** Characters of a line. */
  cols: number;
  /** The state kept last, as a text that draws it; `""` at first. */
  state: string;
  /** Output since then, as it came. */
  output: string;
  /** Some output since then was dropped: parts of the screen may be wrong. */
  incomplete: boolean;
  /** Names this moment for {@linkcode Programs.keepScreen}. */
  mark: number;
}

/**
 * Programs, which main starts in one place, in the box if there is one. All methods throw {@linkcode
 * ToolError}.
 */
export interface Programs {
  /**
   * Runs a program to its end. A limit that ends it is in `reason` and is not an error. Throws
   * `permission_denied` if the user does not allow it, `not_found` if there is no such program or folder.
   */
  run(run: ProgramRun): Promise<ProgramEnd>;
  /** Starts a program that keeps running. */
  open(spec: SessionSpec): Promise<SessionInfo>;
  /** Runs a command in a shell that was opened with `shell`. Throws as `run` and `write` do. */
  command(id: string, script: string): Promise<void>;
  /**
   * Throws `not_found` for an unknown id, `conflict` if it has ended or is a shell that runs no command,
   * `denied_by_policy` for what the policy forbids.
   */
  write(id: string, data: string): Promise<void>;
  /** Waits for output and takes it. Throws as `write` does. */
  read(id: string, read: SessionRead): Promise<SessionOutput>;
  /** Sends a signal to the program and its process group; no SIGINT to a shell that runs no command. */
  signal(id: string, signal: "SIGINT" | "SIGTERM" | "SIGHUP"): Promise<void>;
  /** Sends a hangup to a program, ends it after the grace time, and forgets it. */
  close(id: string, options: { graceMs: number }): Promise<SessionInfo>;
  /** Returns what the screen of a terminal is made from. */
  screen(id: string): Promise<ScreenSource>;
  /** Keeps the state that was drawn up to a mark, so that the output before it is no longer needed. */
  keepScreen(id: string, options: { state: string; mark: number }): Promise<void>;
  /**
   * Serves {@linkcode APART_FOLDER} to browsers of this machine, until the run ends.
   *
   * @returns Its URL with a secret in it, ending with a slash; `null` if the run ends with this call
   */
  serveApart(): Promise<string | null>;
}

/** Size of a terminal in characters. */
export interface TerminalSize {
  /** Lines. */
  rows: number;
  /** Characters of a line. */
  cols: number;
}
