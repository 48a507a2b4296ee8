import type { Attempt, LandlockRule, LaunchPlan, RuleKind } from "./plan.ts";
import { CAP_NAME, readLaunchPlan } from "./plan.ts";

/** Functions of the C library. `syscall` has a shape for each call that it makes. */
const SYMBOLS = {
  makeRuleset: { name: "syscall", parameters: ["i64", "buffer", "usize", "u32"], result: "i64" },
  addRule: { name: "syscall", parameters: ["i64", "i32", "u32", "buffer", "u32"], result: "i64" },
  restrictSelf: { name: "syscall", parameters: ["i64", "i32", "u32"], result: "i64" },
  openat2: { name: "syscall", parameters: ["i64", "i32", "buffer", "buffer", "usize"], result: "i64" },
  closeRange: { name: "syscall", parameters: ["i64", "u32", "u32", "u32"], result: "i64" },
  prctl: { parameters: ["i32", "usize", "usize", "usize", "usize"], result: "i32" },
  setFilter: { name: "prctl", parameters: ["i32", "usize", "buffer"], result: "i32" },
  capset: { parameters: ["buffer", "buffer"], result: "i32" },
  prlimit: { parameters: ["i32", "i32", "buffer", "pointer"], result: "i32" },
  signal: { parameters: ["i32", "pointer"], result: "pointer" },
  execve: { parameters: ["buffer", "buffer", "buffer"], result: "i32" },
  close: { parameters: ["i32"], result: "i32" },
  __errno_location: { parameters: [], result: "pointer" },
} as const satisfies Deno.ForeignLibraryInterface;

/** The C library of this system. */
export type Libc = Deno.DynamicLibrary<typeof SYMBOLS>["symbols"];

/** Newer calls have one number on all processors. */
const CALL = { openat2: 437, closeRange: 436, makeRuleset: 444, addRule: 445, restrictSelf: 446 };
const PR = {
  capbsetDrop: 24,
  setNoNewPrivs: 38,
  setSeccomp: 22,
  capAmbient: 47,
  filterMode: 2n,
  clearAll: 4n,
};

const EXECUTE = 1n << 0n;
const WRITE_FILE = 1n << 1n;
const READ_FILE = 1n << 2n;
const READ_DIR = 1n << 3n;
const TRUNCATE = 1n << 14n;
const IOCTL_DEV = 1n << 15n;
/** Removing, making, moving and truncating; devices cannot be made. */
const CHANGE = WRITE_FILE | TRUNCATE |
  [4n, 5n, 7n, 8n, 9n, 10n, 12n, 13n].reduce((all, bit) => all | 1n << bit, 0n);
const RIGHTS: Readonly<Record<RuleKind, bigint>> = {
  list: READ_DIR,
  read: READ_FILE | READ_DIR,
  run: READ_FILE | READ_DIR | EXECUTE,
  write: READ_FILE | READ_DIR | CHANGE,
  work: READ_FILE | READ_DIR | CHANGE | EXECUTE,
  device: READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV,
};
/** All that a rule about a file may hold. */
const OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
/** How many rights about files each version of Landlock knows. */
const KNOWN_RIGHTS = [0n, 13n, 14n, 15n, 15n, 16n];
const CONNECT = 2n;
/** Binding a port, and connecting to one. */
const NET_RIGHTS = 3n;
/** Abstract sockets, and signals. */
const SCOPES = 3n;
const ABI_WITH_PORTS = 4;
const ABI_WITH_SCOPES = 6;

const ENOENT = 2;
const EACCES = 13;
const ENOTDIR = 20;
const O_PATH_CLOEXEC = 0o10000000n | 0o2000000n;
const NO_LINKS = 4n;
const ELOOP = 40;
const SIGPIPE = 13;

/** The exit code of a launcher that did not come to start its program. */
const FAILED = 125;

/** What the launcher has of the process. */
export interface LauncherProcess {
  env(name: string): string | undefined;
  stderr(text: string): void;
  exit(code: number): never;
}

/**
 * The launcher: restricts this thread for ever, then becomes the program of its plan. It is one stretch without a pause, and
 * `execve` at its end leaves no other thread, whose files would be open. What it cannot do ends it: nothing starts with
 * fewer walls than the plan has. Needs `ffi`.
 */
export async function launch(process: LauncherProcess): Promise<never> {
  try {
    if (Deno.build.arch !== "x86_64") throw new Error(`it was not tried on ${Deno.build.arch}`);
    const plan = readLaunchPlan(process.env);
    const make = plan.attempts && (await import("./attempts.ts")).makeAttempts();
    const { symbols: libc } = Deno.dlopen("libc.so.6", SYMBOLS);
    const kept = plan.keeps.flatMap((name) => {
      const value = process.env(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const start = wordsFor(plan, kept);
    restrict(plan, { libc, cap: Number(process.env(CAP_NAME) ?? Infinity) });
    if (make) {
      process.stderr(JSON.stringify(plan.attempts!.map((attempt: Attempt) => make(attempt))));
      process.exit(0);
    }
    libc.execve(start.path, start.argv, start.env);
    const error = errno(libc);
    process.stderr(`bulkhead: cannot start ${JSON.stringify(plan.argv[0])}: error ${error}\n`);
    process.exit(error === ENOENT ? 127 : 126);
  } catch (error) {
    process.stderr(`bulkhead: nothing was started: ${error instanceof Error ? error.message : error}\n`);
    process.exit(FAILED);
  }
}

/** Closes to this thread and its children all but what the plan opens. Throws where the kernel does not do it. */
function restrict(plan: LaunchPlan, { libc, cap }: { libc: Libc; cap: number }): void {
  const { rules, filter, bounds } = plan;
  const check = (what: string, result: number | bigint) => {
    if (Number(result) < 0) throw new Error(`${what} failed with error ${errno(libc)}`);
    return Number(result);
  };
  for (const [resource, most] of bounds) {
    check("prlimit", libc.prlimit(0, resource, words64(BigInt(most), BigInt(most)), null));
  }
  const ruleset = rules === null ? null : makeRuleset(rules, portsOf(plan), { libc, cap, check });
  for (
    let power = 0n;
    libc.prctl(PR.capbsetDrop, power, 0n, 0n, 0n) === 0;
    power++
  ) { /* until there is none */ }
  libc.prctl(PR.capAmbient, PR.clearAll, 0n, 0n, 0n);
  check("capset", libc.capset(new Uint32Array([0x20080522, 0]), new Uint32Array(6)));
  check("no_new_privs", libc.prctl(PR.setNoNewPrivs, 1n, 0n, 0n, 0n));
  if (ruleset !== null) {
    check("landlock_restrict_self", libc.restrictSelf(BigInt(CALL.restrictSelf), ruleset, 0));
  }
  if (filter !== "") {
    const code = Uint8Array.from(atob(filter), (char) => char.charCodeAt(0));
    // The number of its steps, and where they stand.
    const program = words64(BigInt(code.length / 8), addressOf(code));
    check("the filter of system calls", libc.setFilter(PR.setSeccomp, PR.filterMode, program));
  }
  check("close_range", libc.closeRange(BigInt(CALL.closeRange), 3, 0xffffffff, 4));
  libc.signal(SIGPIPE, null);
}

/** The ports of a plan. Where only attempts are made, a kernel that cannot bound them is what they show. */
interface Ports {
  list: readonly number[];
  isNeeded: boolean;
}

function portsOf({ ports, attempts }: LaunchPlan): Ports | null {
  return ports === null ? null : { list: ports, isNeeded: attempts === undefined };
}

interface Maker {
  libc: Libc;
  cap: number;
  check(what: string, result: number | bigint): number;
}

function makeRuleset(
  rules: readonly LandlockRule[],
  ports: Ports | null,
  { libc, cap, check }: Maker,
): number {
  const known = check("asking for Landlock", libc.makeRuleset(BigInt(CALL.makeRuleset), null, 0n, 1));
  const abi = Math.min(known, cap);
  // An old container's filter answers in place of the kernel: there would be no wall, and no word about it.
  if (abi < 1) throw new Error("this kernel has no Landlock");
  const handled = (1n << (KNOWN_RIGHTS[abi] ?? KNOWN_RIGHTS.at(-1)!)) - 1n;
  const isBounded = ports !== null && ports.list.length > 0;
  if (isBounded && ports.isNeeded && abi < ABI_WITH_PORTS) {
    throw new Error("Landlock of this kernel cannot open single ports");
  }
  const attributes = words64(
    handled,
    ...(abi >= ABI_WITH_PORTS ? [ports === null ? 0n : NET_RIGHTS] : []),
    ...(abi >= ABI_WITH_SCOPES ? [SCOPES] : []),
  );
  const number = BigInt(CALL.makeRuleset);
  const ruleset = check(
    "landlock_create_ruleset",
    libc.makeRuleset(number, attributes, BigInt(attributes.byteLength), 0),
  );
  for (const [path, kind] of rules) {
    // The process stays, and becomes the program.
    const file = openAt(path.replace(/^\/proc\/self(?=\/|$)/, `/proc/${Deno.pid}`), libc);
    if (file === null) continue;
    const add = (rights: bigint) => {
      const rule = new Uint8Array(12);
      const view = new DataView(rule.buffer);
      view.setBigUint64(0, rights & handled, true);
      view.setInt32(8, file, true);
      return libc.addRule(BigInt(CALL.addRule), ruleset, 1, rule, 0);
    };
    // A file takes no rights of folders. What went wrong is not asked: the runtime's own calls may change `errno` before.
    let added = add(RIGHTS[kind]);
    if (added < 0n && kind !== "list") added = add(RIGHTS[kind] & OF_FILES);
    check(`landlock_add_rule for ${path}`, added);
    libc.close(file);
  }
  for (const port of abi < ABI_WITH_PORTS ? [] : ports?.list ?? []) {
    const added = libc.addRule(BigInt(CALL.addRule), ruleset, 2, words64(CONNECT, BigInt(port)), 0);
    check(`landlock_add_rule for port ${port}`, added);
  }
  return ruleset;
}

/** Opens no link: who swaps a folder for one meanwhile opens nothing. What is gone by now stays closed. */
function openAt(path: string, libc: Libc): number | null {
  const how = words64(O_PATH_CLOEXEC, 0n, NO_LINKS);
  const file = Number(libc.openat2(BigInt(CALL.openat2), -100, bytesOf(path), how, BigInt(how.byteLength)));
  if (file >= 0) return file;
  const error = errno(libc);
  if ([ENOENT, EACCES, ENOTDIR].includes(error)) return null;
  if (error === ELOOP) {
    throw new Error(`${JSON.stringify(path)} was moved while the sandbox was made, try again`);
  }
  throw new Error(`cannot open ${JSON.stringify(path)}: error ${error}`);
}

/** What `execve` takes. The bytes must not be collected before it: they are held by what is returned. */
function wordsFor({ argv, env }: LaunchPlan, kept: readonly (readonly [string, string])[]) {
  const pairs = [...Object.entries(env), ...kept].map(([name, value]) => `${name}=${value}`);
  const [words, variables] = [argv.map(bytesOf), pairs.map(bytesOf)];
  const pointers = (texts: readonly Uint8Array<ArrayBuffer>[]) => words64(...texts.map(addressOf), 0n);
  return {
    path: words[0]!,
    argv: pointers(words),
    env: pointers(variables),
    held: [words, variables],
  };
}

/** Writes a text as C has it. A byte that is no UTF-8 stands in it as one character of U+DC80 to U+DCFF. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const parts = Array.from(text, (char) => {
    const code = char.charCodeAt(0);
    return char.length === 1 && code >= 0xdc80 && code <= 0xdcff
      ? [code - 0xdc00]
      : [...encoder.encode(char)];
  });
  return Uint8Array.from([...parts.flat(), 0]);
}

function words64(...words: readonly bigint[]): BigUint64Array<ArrayBuffer> {
  return BigUint64Array.from(words);
}

function addressOf(bytes: Uint8Array<ArrayBuffer>): bigint {
  return BigInt(Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes)));
}

function errno(libc: Libc): number {
  return new Deno.UnsafePointerView(libc.__errno_location()!).getInt32();
}
