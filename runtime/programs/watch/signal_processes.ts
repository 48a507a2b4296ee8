import { MARK_NAME } from "../../walls/box/box_variables.ts";
import INTERRUPT_FRONT from "./interrupt_front.sh" with { type: "text" };
import KILL_MARKED from "./kill_marked.sh" with { type: "text" };
import { inOwnSession } from "../../walls/process/own_session.ts";
import SIGNAL_TREE from "./signal_tree.sh" with { type: "text" };

/** Marks the environment of a program and of all that it starts, to find processes that leave its group. */
export { MARK_NAME };

/** Longest time that a search for processes may take, in milliseconds; a busy machine takes some of it. */
const SEARCH_MS = 3_000;

/** Sends a signal to one process, or to its group if the number is negative. Does nothing if it is gone. */
export function signalProcess(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/**
 * Sends a signal to a process that was started in a session of its own, and to its group. One that has just been started may
 * not lead it yet.
 *
 * @param options `hasEnded` says that the process has ended, so that only others of its group may be left
 */
export function signalGroup(pid: number, signal: Deno.Signal, { hasEnded }: { hasEnded: boolean }): void {
  try {
    Deno.kill(-pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
    if (!hasEnded) signalProcess(pid, signal);
  }
}

/**
 * Sends a signal to everything below a process, and to itself unless it is of the box: its first process or its maker.
 *
 * @param root `around`: it made the terminal in which its only child makes the box
 */
export async function signalTree(
  root: { pid: number; isBox: boolean; around?: boolean },
  signal: "SIGHUP" | "SIGTERM" | "SIGINT",
  options: { sh: string },
): Promise<void> {
  const first = root.isBox ? "" : String(root.pid);
  const words = [signal.slice(3), String(root.pid), first, root.around ? "around" : ""];
  await runHelper([options.sh, "-c", SIGNAL_TREE, "sh", ...words], SEARCH_MS);
}

/** Sends SIGINT to what runs in front in a terminal, unless the Ctrl-C that was typed has reached it. */
export async function interruptFront(terminalPid: number, options: { sh: string }): Promise<void> {
  await runHelper([options.sh, "-c", INTERRUPT_FRONT, "sh", String(terminalPid)], SEARCH_MS);
}

/**
 * Kills all processes that carry a mark in their environment, wherever they went. Does nothing without /proc.
 *
 * @returns Their names
 */
export async function killMarked(
  { mark, terminalPid }: { mark: string; terminalPid: number | null },
  options: { sh: string },
): Promise<string> {
  const name = `${MARK_NAME}=${mark}`;
  return await runHelper([options.sh, "-c", KILL_MARKED, "sh", name, String(terminalPid ?? 0)], SEARCH_MS);
}

/** A process with another user cannot be reached. It is treated as ended. */
function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.PermissionDenied ||
    (error instanceof Error && "code" in error && error.code === "ESRCH");
}

/** Runs a short program of our own without input; returns what it said. */
async function runHelper(argv: readonly string[], timeoutMs: number): Promise<string> {
  let child: Deno.ChildProcess;
  const { argv: [program = "", ...args], detached } = inOwnSession(argv);
  try {
    child = new Deno.Command(program, {
      args,
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      cwd: "/",
      detached,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    // The system may start no more processes. Groups and boxes can be ended without one.
    return "";
  }
  const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL", { hasEnded: false }), timeoutMs);
  const { stdout } = await child.output();
  clearTimeout(timer);
  return new TextDecoder().decode(stdout);
}
