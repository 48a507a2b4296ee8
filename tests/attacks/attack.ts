/**
 * Attacks on the walls, one numbered case each: `tests/attacks/NAME_test.ts` holds the cases of one kind, as
 * data. A case says what lies there, what is called, how the calls must end, and how to see that nothing
 * outside has changed. The frame runs it in the sandbox and with `--sandbox off`; BULKHEAD_ATTACKS says which
 * cases, and as whom (`tests/README.md`).
 *
 * Starts are what tests cost. So all cases of a kind with the same flags and environment share ONE start, also
 * over the files that run in one process: each has its own folder `ws/ID` of one workspace, and its calls are lines of one batch. A case that needs the top
 * of the workspace, or that would disturb others, says `alone: true`.
 *
 * In every string of a case these stand for paths: `<at>` (the case's folder, from the workspace), `<ws>` (the
 * same, absolute), `<outside>` (a folder beside the workspace, the case's own), `<home>`, `<state>` (bulkhead's
 * state folder) and `<root>` (what holds them all).
 *
 * Tools find a file of the case by `<at>/file`; `bash()` starts in the case's folder. A file has at most 300
 * lines, and a folder 15 files: a kind with more cases has several files, `KIND_SORT_test.ts`, or a folder.
 * `held/` has the attacks that never got through.
 *
 * @module
 */
import type { ErrorCode } from "../../schemas/error.ts";
import type { atTerminal, Typing } from "../support/cli/at_terminal.ts";
import type { Answer, Call } from "../support/cli/scene.ts";
import type { Ended, ProgramOptions, Running } from "../support/program.ts";
import { registerAttacks } from "./frame/register.ts";

/** The kinds of attacks, by number; `runtime/walls/README.md` lists them. */
export const KINDS = {
  1: "files that your own programs execute",
  2: "outputs that you name",
  3: "bulkhead's own state",
  4: "paths, and conditions on them",
  5: "consent",
  6: "the sandbox and its first process",
  7: "bounds of memory, disk and trees",
  8: "terminals, replies and counts",
  9: "one policy everywhere, sockets and pipes",
  10: "secrets",
  11: "names of any bytes",
  12: "races",
  13: "the look after a program",
  14: "small doors",
  15: "the network of programs",
  16: "servers of other people",
  17: "scripts as tools",
  18: "the browser",
  19: "clients of the server",
} as const;

/** The number of a kind. */
export type Kind = keyof typeof KINDS;

/** Stands in whatever no tool may read; the frame sees to it that no answer holds it. */
export const SECRET = "hunter2-do-not-show";

/** How a call must end: its error, `"ok"`, or `"any"` where only what is left of the outside counts. */
export type Expected = ErrorCode | "ok" | "any" | readonly (ErrorCode | "ok")[];

/** What encloses rooms and programs while a case is tried. */
export type Wall = "namespaces" | "landlock" | "none";

/** A call of a case. */
export interface AttackCall extends Call {
  /** @default "any" */
  refusal?: Expected;
  /** How it ends with `--sandbox off`. @default `refusal` */
  unboxed?: Expected;
  /** A part of its text or of its warnings. */
  says?: string;
}

/** One attack. */
export interface Attack {
  /** The kind and a number, such as "1-07"; stays as it is for ever. */
  id: string;
  /** What is tried, in a few words. */
  title: string;
  /** Files by path: `ws/…` (the case's own folder), `outside/…` (its own, too), `home/…`, `state/…` and `root/…`. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** Targets of symbolic links by path, as those of files. */
  links?: Readonly<Record<string, string>>;
  /** A script for bash that the user runs before, outside of all walls, in the case's folder. */
  setup?: string;
  /** The calls, run in their order in one batch. */
  calls?: readonly AttackCall[];
  /** What to do instead of calls: starts the program as often as it likes; the case is then alone. */
  act?: (place: Place) => void | Promise<void>;
  /** Flags of the batch. */
  flags?: readonly string[];
  /** Variables of the program, beside HOME and those that the test has. */
  env?: Readonly<Record<string, string>>;
  /** Paths below the case's folder that must be byte for byte as before, with all below them. `["."]` for everything. */
  unchanged?: readonly string[];
  /** Paths below the case's folder at which nothing may be afterwards. */
  absent?: readonly string[];
  /** A script for bash, run by the user in the case's folder afterwards: ends with 0 if the walls held. Or a function that asserts it. */
  after?: string | ((place: Place, answers: readonly Answer[]) => void | Promise<void>);
  /**
   * One program, `exec …` for bash, that runs on the user's side while the calls run, and is killed then; the case is then
   * alone.
   */
  beside?: string;
  /** A script for bash that ends with 0 once what runs beside the calls has begun. The calls wait for that. */
  begun?: string;
  /** What the case cannot do without: a sandbox, none, root, or programs; with the reason in `why`. */
  needs?: readonly ("sandbox" | "no sandbox" | "root" | "ordinary user" | `program ${string}`)[];
  /** Why it needs that. @default for a sandbox: without one, a program that runs is as free as its user */
  why?: string;
  /** Needs a workspace and a start of its own: the case's folder is the workspace. @default false */
  alone?: boolean;
  /** Is in the sample that everybody tries at each change: one case in ten, which share few starts. @default false */
  quick?: boolean;
  /** Could end otherwise for root, and is tried as root at each landing, too; so is what needs root. @default false */
  asRoot?: boolean;
  /** States a weakness in a sentence: the walls do not hold here, and the case shows that the statement is true. */
  open?: string;
}

/** Where a case runs, for what its data cannot say. */
export interface Place {
  wall: Wall;
  /** A wall encloses programs. */
  boxed: boolean;
  /** Whether the program runs as root. */
  root: boolean;
  /** Absolute path of the case's folder. */
  ws: string;
  /** Absolute path of the case's folder outside of the workspace. */
  outside: string;
  home: string;
  state: string;
  /** Replaces `<ws>` and the others. */
  fill(text: string): string;
  /** The flags of the case, and `--sandbox`. */
  flags: readonly string[];
  /** Runs a script for bash as the user, outside of all walls, in the case's folder. */
  bash(script: string): Promise<Ended>;
  /** Starts a script for bash as the user, outside of all walls; whoever starts it ends it. */
  besides(script: string): Deno.ChildProcess;
  /** Runs bulkhead as the user in the case's folder, without the flags. */
  run(args: readonly string[], options?: ProgramOptions): Promise<Ended>;
  /** Starts bulkhead as the user in the case's folder; whoever starts it awaits `ended()`. */
  start(args: readonly string[], options?: ProgramOptions): Running;
  /** Runs bulkhead at a terminal in the case's folder, as {@linkcode atTerminal} does, without the flags. */
  atTerminal(args: readonly string[], typing: Partial<Typing>): ReturnType<typeof atTerminal>;
  /** Runs calls as one batch, with the flags. */
  batch(calls: readonly Call[], options?: ProgramOptions): Promise<Answer[]>;
}

/** Registers the tests of a kind: one for each case and each wall. */
export function attackTests(kind: Kind, attacks: readonly Attack[]): void {
  registerAttacks(kind, attacks);
}

/** A command for Bash, in the case's folder. Without a sandbox no program runs, unless the flags name `bash`. */
export function bash(command: string, refusal: Expected = "any", unboxed: Expected = "any"): AttackCall {
  return { tool: "Bash", arguments: { command: `cd <at>\n${command}` }, refusal, unboxed };
}

/** The proxy of a program that was granted hosts, for bash and for Python: behind Landlock it has a port of its own. */
export const PROXY = "${http_proxy:-http://127.0.0.1:3128}";
export const PROXY_ADDRESS = `("127.0.0.1", int(__import__("os").environ["http_proxy"].rsplit(":", 1)[1]))`;

/** The same file by the Write of both toolsets. */
export function write(path: string, content: string, refusal: Expected = "permission_denied"): AttackCall[] {
  return [
    { tool: "Write", arguments: { path, content, overwrite: true }, refusal },
    { tool: "par/write", arguments: { path, content, create_dirs: true }, refusal },
  ];
}

/** The same file by the Read and the Grep of both toolsets. */
export function read(path: string, refusal: Expected = "permission_denied"): AttackCall[] {
  return [
    { tool: "Read", arguments: { path }, refusal },
    { tool: "par/read", arguments: { path }, refusal },
    { tool: "Grep", arguments: { path, pattern: "." }, refusal },
    { tool: "par/grep", arguments: { path, pattern: "." }, refusal },
  ];
}

/** Takes every `each`-th case into the sample that everybody tries. */
export function sampled(attacks: readonly Attack[], each = 10): Attack[] {
  return attacks.map((attack, at) => ({ ...attack, quick: at % each === 0 }));
}
