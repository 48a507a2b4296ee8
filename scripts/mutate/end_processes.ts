/** Name of the variable that marks all processes of one run of tests. */
export const MARK = "BULKHEAD_MUTATE";

/** Lists processes that have a word in their environment, or work in a folder. */
const LIST =
  'for p in /proc/[0-9]*; do d=$(readlink "$p/cwd"); case "$d/" in "$2"/*) echo "${p#/proc/}"; continue;; esac; ' +
  'grep -qzxF -e "$1" "$p/environ" && echo "${p#/proc/}"; done';

/**
 * Ends what a run of tests left: processes that carry its mark, or work in its folder. Programs in walls get no variables,
 * but their folders lie there. Needs `run`: Deno itself opens `/proc` with all permissions only.
 *
 * @returns How many there were
 */
export function endProcesses(mark: string, folder: string): number {
  const { stdout } = new Deno.Command("/bin/sh", {
    args: ["-c", LIST, "sh", `${MARK}=${mark}`, folder],
    stderr: "null",
  }).outputSync();
  const found = (new TextDecoder().decode(stdout).match(/\d+/g) ?? []).map(Number)
    .filter((pid) => pid > 1 && pid !== Deno.pid);
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
