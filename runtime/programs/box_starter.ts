import { callFilter } from "./call_filter.ts";
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
/** Bubblewrap tells on descriptor 3 who it started; it comes first on stderr. */
const START = 'exec "$0" "$@" 3>&2';

/** How a box is started. */
export interface BoxStarter {
  /** Stands before bubblewrap, or before what gives it a terminal. */
  words: readonly string[];
  /** Bubblewrap's own first options. */
  options: readonly string[];
}

/** Returns the words that start a box with nothing inherited, a report on stderr, and a filter of system calls. */
export function boxStarter({ bash, sh }: Pick<SystemPrograms, "bash" | "sh">): BoxStarter {
  const before = startedBy(Deno.pid) + CLOSE_INHERITED;
  // Not every sh can close a descriptor of two digits: then it fails, and nothing starts.
  if (bash === null) return { words: [sh, "-c", before + START], options: [] };
  const filter = callFilter(Deno.build.arch);
  if (filter === null) return { words: [bash, "-c", before + START], options: [] };
  const bytes = [...filter].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  // What takes the shell's place must not find a child that it does not know: script would spin.
  const handFilter = `exec 4< <(printf '${bytes}'); wait "$!" 2>/dev/null`;
  return {
    words: [bash, "-c", `${before}${handFilter}; ${START}`],
    options: ["--seccomp", "4"],
  };
}
