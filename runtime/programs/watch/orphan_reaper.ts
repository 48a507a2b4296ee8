import KILL_MARKED from "./kill_marked.sh" with { type: "text" };
import REAP_ORPHANS from "./reap_orphans.sh" with { type: "text" };
import { MARK_NAME } from "./signal_processes.ts";

/** What the watch needs. */
export interface OrphanReaperOptions {
  sh: string;
  /** The folder with the records of running programs: they are touched when their programs are dead. @default none */
  records?: string | null;
  /** Called once, if SIGHUP is not to be ignored as under `nohup`. */
  hearHangup?: (() => void) | undefined;
}

/** The first bit of a mask in hexadecimal: SIGHUP. */
const HAS_HANGUP = /[13579bdf]\n?$/;

/** Ends what programs left behind if main itself is killed: main can then no longer do it. */
export class OrphanReaper {
  readonly #options: OrphanReaperOptions;
  readonly #run = crypto.randomUUID();
  #child: Deno.ChildProcess | null = null;
  #ready: Promise<void> = Promise.resolve();

  constructor(options: OrphanReaperOptions) {
    this.#options = options;
  }

  /** The start of a variable that the environment of every program of the run holds. */
  get #runMark(): string {
    return `${MARK_NAME}=${this.#run}`;
  }

  /** Settles when SIGHUP is heard, unless it is to be ignored. */
  get ready(): Promise<void> {
    return this.#ready;
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
    const { sh, records = null, hearHangup } = this.#options;
    if (Deno.build.os !== "linux") {
      hearHangup?.();
      return null;
    }
    const started = records === null ? "" : `${records}/${this.#run}`;
    const child = new Deno.Command(sh, {
      args: ["-c", REAP_ORPHANS, "bulkhead-reaper", this.#runMark, "0", KILL_MARKED, started],
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      cwd: "/",
      // Ctrl-C is for main.
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    // Deno does not read /proc for less than all permissions; what it starts ignores the same signals.
    this.#ready = new Response(child.stdout).text().then((ignored) => {
      if (!HAS_HANGUP.test(ignored)) hearHangup?.();
    });
    return child;
  }
}
