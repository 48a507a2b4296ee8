import { LineSplitter } from "../lines.ts";
import { settlesWithin } from "./settles_within.ts";

/**
 * Reads `add PID session|tree` and `del PID`, which it answers by `gone PID`. It says `over PID` when a program has more
 * than $1 processes, and kills it: a fork bomb outruns whoever has to be told first, and what has not the first turn at
 * a processor, where root can give it that. Only builtins after that, so that it works on where no process can be
 * started any more. A session is looked up among all processes of the system, because its orphans leave the tree; in a
 * box they stay below its first process.
 */
const COUNT_PROCESSES = `
limit=$1
owner=$2
mark=$3
expected=0
{ chrt --rr --pid 1 $$ || renice -n -20 -p $$; } >/dev/null
declare -A roots sessions
count_tree() {
  local i task kids
  all=("$1")
  for ((i = 0; i < \${#all[@]} && i <= limit; i++)); do
    for task in /proc/\${all[i]}/task/*/children; do
      kids=
      read -r kids <"$task"
      all+=($kids)
    done
  done
  count=\${#all[@]}
}
count_sessions() {
  local file stat
  sessions=()
  for file in /proc/[0-9]*/stat; do
    stat=
    IFS= read -r -d "" stat <"$file"
    set -- \${stat##*) }
    [[ $1 == Z || -z $4 ]] || ((sessions[$4]++))
  done
}
end_over() {
  echo "over $1"
  # Among the first ones is that of a box: it takes all others along, and may not end with who made it yet.
  kill -KILL -- "-$1" "\${all[@]:0:4}"
}
is_marked() {
  local word
  while IFS= read -r -d "" word; do
    [[ $word != "$mark"* ]] || return 0
  done <"/proc/$1/environ"
  return 1
}
# A program is here before main says its number: a fork bomb leaves main no time to.
scan_expected() {
  local task kids child
  for task in /proc/$owner/task/*/children; do
    kids=
    read -r kids <"$task"
    for child in $kids; do
      [[ -z \${roots[$child]} ]] && is_marked "$child" || continue
      count_tree "$child"
      ((count <= limit)) || end_over "$child"
    done
  done
}
scan() {
  local root
  ((expected == 0)) || scan_expected
  [[ " \${roots[*]} " != *" session "* ]] || count_sessions
  for root in "\${!roots[@]}"; do
    count_tree "$root"
    if ((count > limit || \${sessions[$root]:-0} > limit)); then
      end_over "$root"
      unset "roots[$root]"
    fi
  done
  scanned=\${EPOCHREALTIME//[!0-9]/}
}
scanned=0
line=
while :; do
  part=
  if ((\${#roots[@]} + expected)); then IFS= read -r -t 0.2 part; else IFS= read -r part; fi
  code=$?
  # The time may be up in the middle of a line: what was read of it counts.
  line+=$part
  if ((code == 0)); then
    set -- $line
    line=
    case $1 in
      expect)
        ((expected++))
        echo ready
        ;;
      add)
        ((expected--))
        roots[$2]=$3
        ;;
      del)
        unset "roots[$2]"
        echo "gone $2"
        ;;
    esac
    ((\${EPOCHREALTIME//[!0-9]/} - scanned > 200000)) || continue
  elif ((code <= 128)); then
    exit 0
  fi
  ((\${#roots[@]} + expected == 0)) || scan
done
`;

/** A counter that was stopped from outside keeps nobody waiting for longer than this, in milliseconds. */
const ANSWER_MS = 1_000;

interface Watched {
  onOver: () => void;
  onGone: () => void;
}

/** Counts the processes of running programs, in a small process of its own that ends with this one. */
export class ProcessCounter {
  /** Those that wait for the word that a program may start, and programs that were ended before they were known. */
  readonly #expecting: (() => void)[] = [];
  readonly #over = new Set<number>();
  readonly #watched = new Map<number, Watched>();
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;

  /** Starts the counter. Needs `run`. */
  constructor({ bash, maxProcesses, mark }: { bash: string; maxProcesses: number; mark: string }) {
    const given = [String(maxProcesses), String(Deno.pid), mark];
    this.#child = new Deno.Command(bash, {
      args: ["--noprofile", "--norc", "-c", COUNT_PROCESSES, "bulkhead-count", ...given],
      clearEnv: true,
      env: { LC_ALL: "C" },
      cwd: "/",
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** Settles when a program may start, whose number {@linkcode watch} will tell: until then it is looked for. */
  async expect(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#expecting.push(resolve);
    this.#say("expect");
    await settlesWithin(Promise.race([promise, this.#reading]), ANSWER_MS);
  }

  /**
   * Calls back once if the processes at and below this one became too many and were killed; returns how to stop that,
   * after which nothing comes any more.
   */
  watch(pid: number, options: { alsoSession: boolean; onOver: () => void }): () => Promise<void> {
    const { promise, resolve: onGone } = Promise.withResolvers<void>();
    this.#watched.set(pid, { onOver: options.onOver, onGone });
    this.#say(`add ${pid} ${options.alsoSession ? "session" : "tree"}`);
    if (this.#over.delete(pid)) queueMicrotask(options.onOver);
    return () => {
      this.#say(`del ${pid}`);
      return settlesWithin(Promise.race([promise, this.#reading]), ANSWER_MS).then(() => {});
    };
  }

  /** Ends the counter. */
  async end(): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#child.status;
    await this.#reading;
  }

  #say(line: string): void {
    // A counter that was killed from outside counts no more; nothing else depends on it.
    this.#writer.write(new TextEncoder().encode(`${line}\n`)).catch(() => {});
  }

  async #read(): Promise<void> {
    const splitter = new LineSplitter();
    for await (const bytes of this.#child.stdout) {
      for (const line of splitter.push(bytes)) {
        const [word, pid] = line.split(" ");
        const watched = this.#watched.get(Number(pid));
        if (word === "ready") this.#expecting.shift()?.();
        if (word === "over" && watched) watched.onOver();
        else if (word === "over") this.#over.add(Number(pid));
        if (word !== "gone") continue;
        this.#watched.delete(Number(pid));
        watched?.onGone();
      }
    }
  }
}
