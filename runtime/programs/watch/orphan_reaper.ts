import KILL_MARKED from "./kill_marked.sh" with { type: "text" };
import REAP_ORPHANS from "./reap_orphans.sh" with { type: "text" };
import { MARK_NAME } from "./signal_processes.ts";

/** Ends what programs left behind if main itself is killed: main can then no longer do it. */
export class OrphanReaper {
  readonly #sh: string;
  readonly #run = crypto.randomUUID();
  #child: Deno.ChildProcess | null = null;

  constructor(options: { sh: string }) {
    this.#sh = options.sh;
  }

  /** The start of a variable that the environment of every program of the run holds. */
  get #runMark(): string {
    return `${MARK_NAME}=${this.#run}`;
  }

  /** Returns a mark for the environment of a program's first process, to find it later. Needs `run`. */
  mark(): string {
    this.#child ??= this.#start();
    return `${this.#run}.${crypto.randomUUID()}`;
  }

  /** Ends the watch; the reaper kills nothing after this. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const writer = child.stdin.getWriter();
    // The process may have been killed from outside.
    await writer.write(new TextEncoder().encode("done\n")).catch(() => {});
    await writer.close().catch(() => {});
    await child.status;
  }

  #start(): Deno.ChildProcess | null {
    if (Deno.build.os !== "linux") return null;
    return new Deno.Command(this.#sh, {
      args: ["-c", REAP_ORPHANS, "bulkhead-reaper", this.#runMark, "0", KILL_MARKED],
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      cwd: "/",
      // Ctrl-C is for main.
      detached: true,
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    }).spawn();
  }
}
