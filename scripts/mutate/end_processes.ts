/** Name of the variable that marks all processes of one run of tests. */
export const MARK = "BULKHEAD_MUTATE";

/**
 * Ends what a run of tests left: processes that carry its mark, or work in its folder. Programs in walls get no variables,
 * but their folders lie there. Needs `read` of `/proc`, and `run`.
 *
 * @returns How many there were
 */
export function endProcesses(mark: string, folder: string): number {
  const found = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name))
    .filter((pid) => pid > 1 && pid !== Deno.pid && (hasMark(pid, mark) || worksIn(pid, folder)));
  for (const pid of found) end(pid);
  return found.length;
}

/** Ends a process and all of its group. */
export function endGroup(pid: number): void {
  end(-pid);
}

function end(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function hasMark(pid: number, mark: string): boolean {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/environ`).split("\0").includes(`${MARK}=${mark}`);
  } catch {
    return false;
  }
}

function worksIn(pid: number, folder: string): boolean {
  try {
    const cwd = Deno.readLinkSync(`/proc/${pid}/cwd`);
    return cwd === folder || cwd.startsWith(`${folder}/`);
  } catch {
    return false;
  }
}
