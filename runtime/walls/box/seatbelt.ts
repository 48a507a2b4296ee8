import { dirname } from "@std/path";

import type { Scope } from "../../../schemas/grants.ts";
import type { ClosedPaths } from "./bubblewrap.ts";

/** The system's own program that puts another one under a profile. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

/** What a process under a profile of macOS holds. Absolute, real paths. */
export interface SeatbeltPlan {
  read: Scope;
  write: Scope;
  /** Programs that it may execute; the first is the process itself. */
  execute: readonly string[];
  /** What is closed within the above. */
  closed: ClosedPaths;
  /** What may be read though it lies in what is hidden. */
  reopened: readonly string[];
  /** Sockets with a path that it may connect to; there is no other network. */
  sockets: readonly string[];
}

/** The libraries of the system, and what its loader and its C library look at. */
const SYSTEM_FOLDERS = [
  ...["/System", "/usr/lib", "/usr/share", "/Library/Apple"],
  ...["/private/var/db/dyld", "/private/var/db/timezone"],
];
const SYSTEM_FILES = [
  "/",
  ...["/private/etc/localtime", "/private/etc/ssl/openssl.cnf"],
  ...["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/dtracehelper", "/dev/autofs_nowait"],
];
/** A link of the system that programs look through. */
const SYSTEM_LINKS = ["/etc", "/tmp", "/var"];

/**
 * Returns the profile, in the language of Seatbelt. What it does not allow is denied, and of two rules that fit, the later one
 * holds: so what is closed stands behind what is open.
 */
export function seatbeltProfile(plan: SeatbeltPlan): string {
  const { read, write, execute, closed, reopened, sockets } = plan;
  const writable = write === true ? [] : write;
  const readable = read === true ? [] : [...read, ...writable];
  const shown = [...readable, ...execute, ...reopened, ...sockets];
  return [
    "(version 1)",
    "(deny default)",
    // The process itself: its threads, its code that V8 makes, what it asks the kernel about itself.
    ...["(allow process-info* (target self))", "(allow signal (target self))", "(allow sysctl-read)"],
    ...["(allow dynamic-code-generation)", '(allow file-ioctl (literal "/dev/dtracehelper"))'],
    // To make a socket with a path, or a pair of them; where it may connect is said below. No other kind is made.
    "(allow system-socket (socket-domain AF_UNIX))",
    rule("allow process-exec", execute.map(literal)),
    rule("allow file-map-executable", [...SYSTEM_FOLDERS.map(subpath), ...execute.map(literal)]),
    rule("allow file-read*", [
      ...SYSTEM_FOLDERS.map(subpath),
      ...SYSTEM_FILES.map(literal),
      ...execute.map(literal),
    ]),
    rule("allow file-read-metadata", [...foldersAbove(shown), ...SYSTEM_LINKS].map(literal)),
    rule("allow file-write-data", ["/dev/null", "/dev/dtracehelper"].map(literal)),
    read === true ? "(allow file-read*)" : rule("allow file-read*", readable.map(subpath)),
    write === true ? "(allow file-write*)" : rule("allow file-write*", writable.map(subpath)),
    rule("allow network-outbound", sockets.map(literal)),
    rule("deny file-write*", closed.frozen.map(subpath)),
    // That something is there, and how large it is, stays to be seen, as the names in its folder do.
    rule("deny file-read-data file-read-xattr file-write*", closed.hidden.map(subpath)),
    rule("allow file-read*", reopened.map(subpath)),
    // Whoever moved a folder would find by another name what is closed in it.
    rule("deny file-write-unlink", foldersAbove([...closed.frozen, ...closed.hidden]).map(literal)),
    "",
  ].filter((line, at, lines) => line !== "" || at === lines.length - 1).join("\n");
}

/** A rule without a filter would hold for everything. */
function rule(verb: string, filters: readonly string[]): string {
  return filters.length === 0 ? "" : `(${verb} ${[...new Set(filters)].join(" ")})`;
}

function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

function subpath(path: string): string {
  return `(subpath ${quoted(path)})`;
}

/** No path can end its text, and begin a rule. */
function quoted(path: string): string {
  const inner = path.replace(/["\\]/g, (char) => `\\${char}`)
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x1f\x7f]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `"${inner}"`;
}

function foldersAbove(paths: readonly string[]): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (let at = dirname(path); at !== "/" && at !== "." && !found.has(at); at = dirname(at)) found.add(at);
  }
  return [...found].sort();
}

/** Returns the words that put a command under a profile. */
export function underSeatbelt(plan: SeatbeltPlan, words: readonly string[]): string[] {
  return [SANDBOX_EXEC, "-p", seatbeltProfile(plan), ...words];
}

/** Longest time for the trial, in milliseconds. */
const TRIAL_MS = 10_000;

/**
 * Tries whether this very program starts under a profile that grants nothing: what a version of the system asks for besides
 * shows only there. Needs `run`.
 */
export async function trySeatbelt(program: string, words: readonly string[]): Promise<boolean> {
  const nothing = { closed: { hidden: [], frozen: [] }, reopened: [], sockets: [] };
  const [name = "", ...args] = underSeatbelt({ read: [], write: [], execute: [program], ...nothing }, [
    program,
    ...words,
  ]);
  try {
    const { success } = await new Deno.Command(name, {
      ...{
        args,
        clearEnv: true,
        env: { HOME: "/tmp", NO_COLOR: "1" },
        signal: AbortSignal.timeout(TRIAL_MS),
      },
      ...{ stdin: "null", stdout: "null", stderr: "null" },
    }).output();
    return success;
  } catch {
    return false;
  }
}
