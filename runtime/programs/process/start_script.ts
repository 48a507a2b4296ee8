import { shellQuote } from "../../text/shell_quote.ts";
import { callFilter } from "../../walls/box/seccomp_filter.ts";
import type { SystemPrograms } from "./system_programs.ts";

/** Descriptors that bulkhead itself was started with: an open folder among them would lead out of the box. */
const CLOSE_INHERITED = `
for fd in /proc/self/fd/* /dev/fd/*; do
  fd=\${fd##*/}
  case $fd in [3-9] | [1-9][0-9]*) eval "exec $fd>&-" ;; esac
done
`;
/** Bubblewrap ends with its parent as it finds it: if main has ended before, nothing is to start any more. */
const startedBy = (pid: number) => `[ "$PPID" = ${pid} ] || exit 1\n`;
const START = 'exec "$0" "$@"';
/** Bubblewrap and terminals tell on descriptor 3 who they started; it comes first on stderr. */
const START_REPORTED = `${START} 3>&2`;

/** How a program is started. */
export interface Starter {
  /** Stands before what is to be started. */
  words: readonly string[];
  /** First options of what is to be started. */
  options: readonly string[];
}

/**
 * Starts a box in a control group, if there is one, with nothing inherited, a report on stderr, and a filter of system
 * calls.
 */
export function boxStarter(
  { bash, sh }: Pick<SystemPrograms, "bash" | "sh">,
  group: string | null,
): Starter {
  const before = startedBy(Deno.pid) + enterGroup(group) + CLOSE_INHERITED;
  // Not every sh can close a descriptor of two digits: then it fails, and nothing starts.
  if (bash === null) return { words: [sh, "-c", before + START_REPORTED], options: [] };
  const filter = callFilter(Deno.build.arch);
  if (filter === null) return { words: [bash, "-c", before + START_REPORTED], options: [] };
  const bytes = [...filter].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  // What takes the shell's place must not find a child that it does not know: script would spin.
  const handFilter = `exec 4< <(printf '${bytes}'); wait "$!" 2>/dev/null`;
  return {
    words: [bash, "-c", `${before}${handFilter}; ${START_REPORTED}`],
    options: ["--seccomp", "4"],
  };
}

/** Starts a program without a box in a control group, if there is one; a terminal's start is reported on stderr. */
export function plainStarter(
  { sh }: Pick<SystemPrograms, "sh">,
  { group, reports }: { group: string | null; reports: boolean },
): Starter {
  if (group === null && !reports) return { words: [], options: [] };
  return { words: [sh, "-c", enterGroup(group) + (reports ? START_REPORTED : START)], options: [] };
}

/** It is entered by the process that starts the program, before anything of the program runs. */
function enterGroup(group: string | null): string {
  return group === null ? "" : `echo 0 >${shellQuote(`${group}/cgroup.procs`)} || exit 1\n`;
}
