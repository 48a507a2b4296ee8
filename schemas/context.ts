import type { Programs } from "./program.ts";
import type { Artifact } from "./result.ts";

/** A path that passed the guard. */
export interface Location {
  /** Absolute path as asked for, `.` and `..` resolved, links not. */
  path: string;
  /** The path behind all links; this one is opened. Equal to `path` where there are none. */
  real: string;
  /** Facts about the target, `null` if nothing is there. */
  info: Deno.FileInfo | null;
}

/** A file opened for reading and checked again after opening. Close it with `using` or `file.close()`. */
export interface OpenFile extends Location, Disposable {
  info: Deno.FileInfo;
  file: Deno.FsFile;
}

/** Options of {@linkcode Files.write}. */
export interface WriteOptions {
  /** Makes missing parent folders. @default false */
  createDirs?: boolean;
  /** Refuses with `conflict` if the file exists. @default false */
  mustNotExist?: boolean;
}

/**
 * The path guard: the only way for a tool to the file system. Every path is resolved to what is really there,
 * compared with the grants, checked for secrets and protected files, and checked again once it is open.
 *
 * All methods throw {@linkcode ToolError}: `permission_denied` for what is outside the grants, denied, secret or
 * protected; `invalid_input` for NUL bytes; `not_found` and others for what the system says.
 */
export interface Files {
  /** Resolves and checks a path; what does not exist is fine, `info` is null then. Relative paths start at the workspace. */
  locate(path: string, access: "read" | "write"): Promise<Location>;
  /** Opens a regular file for reading. Throws `not_found`, or `invalid_input` if it is not a regular file. */
  open(path: string): Promise<OpenFile>;
  /**
   * Writes a whole file through a temporary file in the same folder and a rename: readers see the old bytes or the
   * new ones, and the mode of an existing file is kept.
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<Location>;
  /** Removes one regular file. */
  remove(path: string): Promise<void>;
  /**
   * Says whether a path below an already located folder may be read: false for secrets, denied paths
   * and the guard's own temporary files. A name test without any system call, for walkers.
   */
  mayRead(real: string): boolean;
  /** Lists the granted folder that holds the path: where ignore files start to count. */
  rootOf(real: string): string;
}

/** Progress of a long call, passed on at most ten times a second. */
export interface Progress {
  message?: string;
  /** Work done so far and in all, in the tool's own unit. */
  done?: number;
  total?: number;
}

/** State that outlives a call: lives in main, as long as the session. Values are plain JSON. Keys belong to the toolset. */
export interface SessionState {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
}

/** Files that a call leaves for the user and for later calls, outside the workspace, under every policy. */
export interface Artifacts {
  /**
   * Writes a new file. A taken name gets a number.
   *
   * @param name One name, no path: letters, digits, `_`, `-`, `.` and blanks
   * @throws {ToolError} `limit_exceeded` for too many files or bytes of one call
   */
  write(name: string, bytes: Uint8Array): Promise<Artifact>;
}

/** Readers of foreign bytes, each in a process that can be killed and holds nothing but these bytes. */
export interface Documents {
  /**
   * Has a reader take bytes apart.
   *
   * @param reader Name of a reader of `tools/mod.ts`
   * @param options `input` is what the reader takes beside the bytes, as plain JSON; `timeoutMs` the longest time, in
   * milliseconds, below that of the call
   * @returns The reader's output. Whoever took the reader over made it: check it before use
   * @throws {ToolError} What the reader throws; `timeout`; `limit_exceeded` if it ran out of memory
   */
  read(
    reader: string,
    bytes: Uint8Array,
    options: { input: Readonly<Record<string, unknown>>; timeoutMs?: number },
  ): Promise<unknown>;
}

/** What a person is asked in the middle of a call. */
export interface Question {
  question: string;
  /** Why it is asked. */
  context?: string | undefined;
}

/** Everything with an effect that a tool may use. */
export interface ToolContext {
  /** The workspace: absolute, real path. */
  workspace: string;
  /** The user's home folder, for `~`. Empty if there is none. */
  home: string;
  files: Files;
  /** Aborts when the call is cancelled or its time is up. */
  signal: AbortSignal;
  /** When the call's time is up, in milliseconds since the epoch. */
  deadline: number;
  progress(progress: Progress): void;
  /** Adds a line to the result's `warnings`: what was repaired, left out or guessed. */
  warn(message: string): void;
  session: SessionState;
  /** For tools that need `run`. */
  programs: Programs;
  artifacts: Artifacts;
  /** For tools that need `read`. */
  documents: Documents;
  /**
   * Asks the person who watches the run, and waits for one line of an answer; for tools that declare `asks`.
   *
   * @returns The line without its end, `null` if nobody is there to answer
   * @throws {ToolError} `cancelled` or `timeout` if the call ends first
   */
  ask(question: Question): Promise<string | null>;
  /** Adds a picture to the result, for the model to see. */
  attach(picture: { mimeType: string; bytes: Uint8Array }): void;
  /** Values of the variables that the tool declares as its `settings`, where the user has set them. */
  settings: Readonly<Record<string, string>>;
  /** What a reader takes apart; empty for tools. */
  bytes: Uint8Array;
  /** Ports to helper threads of this room, for tools that declare `threads`; empty if there are none. */
  threads: readonly MessagePort[];
}
