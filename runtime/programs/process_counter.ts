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
{ chrt --rr --pid 1 $$ || renice -n -20 -p $$; } >/dev/null
echo ready
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
scan() {
  local root
  [[ " \${roots[*]} " != *" session "* ]] || count_sessions
  for root in "\${!roots[@]}"; do
    count_tree "$root"
    if ((count > limit || \${sessions[$root]:-0} > limit)); then
      echo "over $root"
      # Among the first ones is that of a box: it takes all others along, and may not end with who made it yet.
      kill -KILL -- "-$root" "\${all[@]:0:4}"
      unset "roots[$root]"
    fi
  done
  scanned=\${EPOCHREALTIME//[!0-9]/}
}
scanned=0
line=
while :; do
  part=
  if ((\${#roots[@]})); then IFS= read -r -t 0.2 part; else IFS= read -r part; fi
  code=$?
  # The time may be up in the middle of a line: what was read of it counts.
  line+=$part
  if ((code == 0)); then
    set -- $line
    line=
    case $1 in
      add) roots[$2]=$3 ;;
      del)
        unset "roots[$2]"
        echo "gone $2"
        ;;
    esac
    ((\${EPOCHREALTIME//[!0-9]/} - scanned > 200000)) || continue
  elif ((code <= 128)); then
    exit 0
  fi
  ((\${#roots[@]} == 0)) || scan
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
  /** Settles when it counts, or never will: a program that bursts at once leaves it no time to start. */
  readonly ready: Promise<void>;
  readonly #ready = Promise.withResolvers<void>();
  readonly #watched = new Map<number, Watched>();
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;

  /** Starts the counter. Needs `run`. */
  constructor({ bash, maxProcesses }: { bash: string; maxProcesses: number }) {
    this.#child = new Deno.Command(bash, {
      args: ["--noprofile", "--norc", "-c", COUNT_PROCESSES, "bulkhead-count", String(maxProcesses)],
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
    this.ready = Promise.race([this.#ready.promise, this.#reading]);
  }

  /**
   * Calls back once if the processes at and below this one became too many and were killed; returns how to stop that,
   * after which nothing comes any more.
   */
  watch(pid: number, options: { alsoSession: boolean; onOver: () => void }): () => Promise<void> {
    const { promise, resolve: onGone } = Promise.withResolvers<void>();
    this.#watched.set(pid, { onOver: options.onOver, onGone });
    this.#say(`add ${pid} ${options.alsoSession ? "session" : "tree"}`);
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
        if (word === "ready") this.#ready.resolve();
        if (word === "over") watched?.onOver();
        if (word !== "gone") continue;
        this.#watched.delete(Number(pid));
        watched?.onGone();
      }
    }
  }
}
