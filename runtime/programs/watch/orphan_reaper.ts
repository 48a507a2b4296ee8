import { KILL_MARKED, MARK_NAME } from "./signal_processes.ts";

/**
 * Waits for a word on stdin. If there is none, main was killed, and what it had started is ended: at once, and again
 * for what was on its way. The way to the end of a box goes through the process that made it, and a box that was just
 * being made does not have it yet.
 */
const WATCH = `
kill_marked() {
${KILL_MARKED}
}
read -r word
[ "$word" = done ] && exit
for pause in 0.1 0.5 2 0; do
  kill_marked "$1" 0
  sleep "$pause"
done
`;

/** Ends what programs left behind if main itself is killed, which then cannot. */
export class Warden {
  readonly #sh: string;
  readonly #run = crypto.randomUUID();
  #child: Deno.ChildProcess | null = null;

  constructor(options: { sh: string }) {
    this.#sh = options.sh;
  }

  /** What the environment of every program of the run holds, as the start of a variable. */
  get #runMark(): string {
    return `${MARK_NAME}=${this.#run}`;
  }

  /** Returns a mark for the environment of a program's first process, under which it is found. Needs `run`. */
  mark(): string {
    this.#child ??= this.#start();
    return `${this.#run}.${crypto.randomUUID()}`;
  }

  /** Ends the watch; nothing is killed by it any more. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const writer = child.stdin.getWriter();
    // It may have been killed from outside.
    await writer.write(new TextEncoder().encode("done\n")).catch(() => {});
    await writer.close().catch(() => {});
    await child.status;
  }

  #start(): Deno.ChildProcess | null {
    if (Deno.build.os !== "linux") return null;
    return new Deno.Command(this.#sh, {
      args: ["-c", WATCH, "bulkhead-warden", this.#runMark],
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
