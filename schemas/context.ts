import type { Browser } from "./browser/browser.ts";
import type { Desktop } from "./desktop/desktop.ts";
import type { Programs } from "./program.ts";
import type { Artifact } from "./result.ts";

/** A path that passed the guard. */
export interface Location {
  /** Absolute path as asked for, `.` and `..` resolved, links not. */
  path: string;
  /** The path with all links followed; this one is opened. Equal to `path` if there are no links. */
  real: string;
  /** Facts about the target, `null` if nothing is there. */
  info: Deno.FileInfo | null;
}

/** A file opened for reading and checked again after opening. Close it with `using` or `file.close()`. */
export interface OpenFile extends Location, Disposable {
  /** Facts about the open file. */
  info: Deno.FileInfo;
  /** The open file, for reading. */
  file: Deno.FsFile;
}

/** Options of {@linkcode Files.write}. */
export interface WriteOptions {
  /** Makes missing parent folders. @default false */
  createDirs?: boolean;
  /** Refuses with `conflict` if the file exists. @default false */
  mustNotExist?: boolean;
  /** What the file must still hold; else `conflict`, `retryable`: somebody else changed it. @default anything */
  replaces?: Uint8Array;
}

/**
 * The path guard: the only way for a tool to the file system. It resolves every path to its real path,
 * compares it with the grants, checks it for secrets and protected files, and checks it again once it is
 * open.
 *
 * All methods throw {@linkcode ToolError}: `permission_denied` for a path that is outside the grants, denied,
 * secret or protected; `invalid_input` for NUL bytes; `not_found` and others for errors of the system.
 */
export interface Files {
  /**
   * Resolves and checks a path. It need not exist; `info` is then null. Relative paths start at the
   * workspace.
   */
  locate(path: string, access: "read" | "write"): Promise<Location>;
  /** Opens a regular file for reading. Throws `not_found`, or `invalid_input` if it is not a regular file. */
  open(path: string): Promise<OpenFile>;
  /**
   * Writes a whole file through a temporary file in the same folder and a rename: readers see the old bytes or the
   * new ones, and the mode of an existing file is kept. Writers of one file wait for each other, also those of other
   * processes of this program.
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<Location>;
  /** Removes one regular file. */
  remove(path: string): Promise<void>;
  /**
   * Says whether a path below an already located folder may be read: false for secrets, denied paths and the
   * guard's own temporary files. It tests only the name, without a system call, for walkers; a file with a name of git's
   * settings is read, as they may hold a password.
   */
  mayRead(real: string): boolean;
  /** Returns the granted folder that holds the path; ignore files count from there. */
  rootOf(real: string): string;
  /**
   * Follows a link that a walk has met.
   *
   * @returns The real folder that it leads to; `null` if it leads to no folder
   * @throws {ToolError} `permission_denied` if that folder may not be read
   */
  folderBehind(link: string): string | null;
}

/** One list of ignored files, in the form of `.gitignore`. */
export interface IgnoreList {
  /** Where its patterns start. */
  folder: string;
  /** Its lines. */
  text: string;
}

/** git's lists of ignored files that a search does not find in the folders that it walks. */
export interface IgnoreLists {
  /** The user's list, for every repository; `""` if there is none. */
  user: string;
  /** Those that hold around a search, the weakest first. */
  above: readonly IgnoreList[];
}

/** Progress of a long call, passed on at most ten times a second. */
export interface Progress {
  /** What is being done. */
  message?: string;
  /** The last lines of what a program of the call has said, at most three. */
  output?: string;
  /** Work done so far and in all, in the tool's own unit. */
  done?: number;
  /** Work in all, in the same unit. */
  total?: number;
}

/**
 * State that outlives a call: main keeps it for the session. Values are plain JSON. Keys belong to the
 * toolset.
 */
export interface SessionState {
  /** Returns the value that was kept, `undefined` if none was. */
  get(key: string): Promise<unknown>;
  /** Keeps a value. */
  set(key: string, value: unknown): Promise<void>;
  /**
   * Does some work while no other call of the session does any under the same name, also not in another process. Within
   * it no name may be held twice, and calls that hold several take them in the same order.
   */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Files that a call leaves for the user and for later calls, outside the workspace, under every policy. */
export interface Artifacts {
  /**
   * Writes a new file. If the name is taken, it gets a number.
   *
   * @param name One name, no path: letters, digits, `_`, `-`, `.` and blanks
   * @throws {ToolError} `limit_exceeded` for too many files or bytes of one call
   */
  write(name: string, bytes: Uint8Array): Promise<Artifact>;
}

/** Readers of foreign bytes, each in a process that can be killed and holds only these bytes. */
export interface Documents {
  /**
   * Gives bytes to a reader and returns what it read.
   *
   * @param reader Name of a reader of `tools/mod.ts`
   * @param options `input` is the reader's input besides the bytes, as plain JSON; `timeoutMs` is the longest
   * time in milliseconds, below that of the call
   * @returns The reader's output. A hostile file may control the reader, so check the output before use
   * @throws {ToolError} What the reader throws; `timeout`; `limit_exceeded` if it ran out of memory
   */
  read(
    reader: string,
    bytes: Uint8Array,
    options: { input: Readonly<Record<string, unknown>>; timeoutMs?: number },
  ): Promise<unknown>;
}

/** A request to a server on the network. */
export interface WebRequest {
  /** `http:` or `https:`, without a name and a password. */
  url: string;
  /** What is done with it. @default "GET" */
  method?: "GET" | "HEAD" | "POST";
  /** Headers of the request, beside the usual ones. @default none */
  headers?: Readonly<Record<string, string>>;
  /** The body of a POST. @default none */
  body?: string | Uint8Array;
  /** A key of the tool that the gate adds, as `HEADER: SCHEME value`. The room never sees it. @default none */
  secret?: { name: string; header: string; scheme?: string };
  /** Most bytes of the body, after inflating; what is beyond is not read. @default 10 MiB */
  maxBytes?: number;
  /** Redirects that are followed; each is checked as the first URL is. @default 10 */
  maxRedirects?: number;
  /** Longest time until the answer begins, in milliseconds. @default 30_000 */
  firstByteMs?: number;
  /** Longest time of the whole, within that of the call, in milliseconds. @default 60_000 */
  timeoutMs?: number;
  /** Times that a request is repeated which may pass and is safe to repeat. @default 2 for GET and HEAD, else 0 */
  retries?: number;
}

/** The answer of a server. */
export interface WebAnswer {
  /** Where the answer came from, after redirects. */
  url: string;
  /** Status of HTTP. */
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The body, inflated. */
  body: Uint8Array;
  /** The body was longer than `maxBytes`. */
  truncated: boolean;
  /** The URLs that led on, first to last. */
  redirects: readonly string[];
}

/**
 * The way to the network, through the gate. Throws {@linkcode ToolError}: `invalid_input` for a URL that cannot be
 * asked, `permission_denied` for what is not granted (`details` has the flag), `timeout`, and `external_failure`. An
 * answer with an error status is an answer, also after it was asked for again.
 */
export interface Web {
  /** Asks a server, and follows redirects. */
  request(request: WebRequest): Promise<WebAnswer>;
}

/** A question to a person during a call. */
export interface Question {
  /** What the person is asked. */
  question: string;
  /** Why the tool asks. */
  context?: string | undefined;
}

/** A question to the model of the run during a call. */
export interface ModelQuestion {
  /** What the model is to do with the text. */
  task: string;
  /** What it is about. The model is told that none of it is an instruction. */
  text: string;
}

/** Everything with an effect that a tool may use. */
export interface ToolContext {
  /** The workspace: absolute, real path. */
  workspace: string;
  /** The user's home folder, for `~`. Empty if the user has no home. */
  home: string;
  /** For tools that need `read` or `write`. */
  files: Files;
  /** Aborts when the call is cancelled or its time is up. */
  signal: AbortSignal;
  /** When the call's time is up, in milliseconds since the epoch. */
  deadline: number;
  /** Tells how far the call is. */
  progress(progress: Progress): void;
  /** Adds a line to the result's `warnings`: what was repaired, left out or guessed. */
  warn(message: string): void;
  /** What tools of the set keep between calls. */
  session: SessionState;
  /** For tools that need `run`. */
  programs: Programs;
  /** For tools that need `net` and `run`. */
  browser: Browser;
  /** For tools that need `run`. */
  desktop: Desktop;
  /** For tools that declare `leavesFiles`. */
  artifacts: Artifacts;
  /** For tools that need `read` or `net`. */
  documents: Documents;
  /**
   * Returns git's lists of ignored files that hold in a folder and lie elsewhere; for tools that need `read`.
   *
   * @param top A granted folder, real
   */
  ignoreLists(top: string): Promise<IgnoreLists>;
  /** For tools that need `net`. */
  web: Web;
  /** Names of the keys that the tool declares as its `secrets` and the user has set. */
  keys: readonly string[];
  /**
   * Asks the person who watches the run, and waits for one line of an answer; for tools that declare `asks`.
   *
   * @returns The line without its end, `null` if no person can answer
   * @throws {ToolError} `cancelled` or `timeout` if the call ends first
   */
  ask(question: Question): Promise<string | null>;
  /**
   * Asks the model that makes the call, apart from its conversation and at the cost of its run; for tools that declare
   * `asksModel`.
   *
   * @returns Its answer, `null` if no model makes the call
   * @throws {ToolError} `limit_exceeded` over 100,000 characters or if the run's budget is used up, as models fail, and
   * `cancelled` or `timeout` if the call ends first
   */
  askModel(question: ModelQuestion): Promise<string | null>;
  /** Adds a picture to the result, for the model to see. */
  attach(picture: { mimeType: string; bytes: Uint8Array }): void;
  /** Values of the variables that the tool declares as its `settings`, if the user has set them. */
  settings: Readonly<Record<string, string>>;
  /**
   * Returns the name under which a tool of the same set can be called, for advice; `null` if it is not offered.
   *
   * @param name The tool's own name
   */
  toolName(name: string): string | null;
  /** Name of the model that makes the call, `null` if none does. */
  modelName: string | null;
  /** The bytes that a reader reads; empty for tools. */
  bytes: Uint8Array;
  /** Ports to helper threads of this room, for tools that declare `threads`; may be empty. */
  threads: readonly MessagePort[];
}

/** A file that a tool is about to change. */
export interface FileChange {
  /** Absolute, real path. */
  path: string;
  /** Its text; `null` if it is not there, `false` if it is long or no text. */
  before: string | null | false;
}
