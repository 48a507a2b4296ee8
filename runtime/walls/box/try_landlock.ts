import { callFilter } from "../seccomp/seccomp_filter.ts";
import { realOrNull } from "../files/file_facts.ts";
import { tryProgram } from "../process/try_program.ts";
import { type Attempt, type LaunchPlan, planVariables } from "../landlock/plan.ts";

/** How this program starts itself as the launcher. */
export interface LandlockLauncher {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** Landlock, as a trial showed it. */
export interface Landlock {
  launcher: LandlockLauncher;
  /** It bounds to which ports a program connects. Older kernels do not: then programs reach no host. */
  holdsPorts: boolean;
  /** It keeps signals from processes outside. */
  holdsSignals: boolean;
}

/** Longest time for the trial, in milliseconds: a machine that is only busy must not lose its wall. */
const TRIAL_MS = 20_000;
/** Opened for the trial: without it, a wall that refuses everything would look like one that works. */
const OPEN = "/dev/zero";
/** Nobody may connect there in the trial, and the granted one is another. */
const [CLOSED_PORT, OPEN_PORT] = [2, 1];
const NETLINK = 16;
const DATAGRAM = 2;

/** What a wall must refuse, whatever the kernel. */
const REFUSED: readonly (readonly [what: string, attempt: Attempt])[] = [
  ["reading a closed file", { try: "read", path: Deno.execPath() }],
  ["writing outside", { try: "write", path: "/dev/null" }],
  ["listing a folder", { try: "list", path: "/" }],
  ["truncating a file by its path", { try: "truncate", path: "/dev/null" }],
  ["sockets with a path", { try: "socket", family: 1, type: 1 }],
  ["UDP", { try: "socket", family: 2, type: DATAGRAM }],
  ["other kinds of sockets", { try: "socket", family: NETLINK, type: 3 }],
  ["new namespaces", { try: "namespace" }],
  ["the user's keys", { try: "keys" }],
];

/**
 * Tries Landlock and the filter of system calls by real attempts, each made by the launcher behind them. Needs `run`, and
 * `read` of the program.
 *
 * @returns What holds, or why it does not work here
 */
export async function tryLandlock(
  launcher: LandlockLauncher,
): Promise<Landlock | string> {
  const filter = landlockFilter({ local: false, internet: "tcp" });
  if (filter === null) return `there is no filter of system calls for ${Deno.build.arch}`;
  const trace: Attempt = { try: "trace", pid: Deno.pid };
  const must = [...REFUSED, ["tracing another process", trace] as const];
  const results = await attempt(launcher, {
    rules: [[realOrNull(OPEN) ?? OPEN, "read"]],
    ports: [OPEN_PORT],
    filter,
    attempts: [
      { try: "read", path: OPEN },
      { try: "tcp", port: CLOSED_PORT },
      { try: "signal", pid: Deno.pid },
      ...must.map(([, one]) => one),
    ],
  });
  if (typeof results === "string") return results;
  const [open, tcp, signal, ...refused] = results;
  if (open !== 0) return `it refuses what is granted, with error ${open}`;
  const passed = must.find((_, at) => (refused[at] ?? 0) === 0);
  if (passed !== undefined) return `it does not refuse ${passed[0]}`;
  return { launcher, holdsPorts: tcp === EACCES, holdsSignals: signal !== 0 };
}

const EACCES = 13;

/** Returns the filter of what Landlock encloses, as a plan takes it; `null` for other processors. */
export function landlockFilter(options: Parameters<typeof callFilter>[1]): string | null {
  const bytes = callFilter(Deno.build.arch, { ...options, bare: true });
  return bytes === null ? null : btoa(String.fromCharCode(...bytes));
}

/**
 * Makes attempts behind the walls of a plan. Needs `run`.
 *
 * @returns How each ended, or why none was made
 */
export async function attempt(
  { argv, env }: LandlockLauncher,
  plan: Pick<LaunchPlan, "rules" | "ports" | "filter"> & { attempts: readonly Attempt[] },
): Promise<number[] | string> {
  const variables = planVariables({ bounds: [], argv: [], env: {}, keeps: [], ...plan });
  try {
    const { success, stderr } = await tryProgram(argv, { ms: TRIAL_MS, env: { ...env, ...variables } });
    if (!success) {
      return stderr.replace(/^bulkhead: nothing was started: /, "") || "the launcher failed without a word";
    }
    return JSON.parse(stderr.split("\n").at(-1)!);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
