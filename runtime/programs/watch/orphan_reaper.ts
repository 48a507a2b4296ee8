import { inOwnSession } from "../../walls/process/own_session.ts";
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

/** How often a folder is removed again that is still written, and the time between, in milliseconds. */
const REMOVE_TRIES = 20;
const REMOVE_AGAIN_MS = 50;
/** The first bit of a mask in hexadecimal: SIGHUP. */
const HAS_HANGUP = /[13579bdf]\n?$/;

/** Ends what programs left behind if main itself is killed: main can then no longer do it. */
export class OrphanReaper {
  readonly #options: OrphanReaperOptions;
  readonly #run = crypto.randomUUID();
  #child: Deno.ChildProcess | null = null;
  #input: WritableStreamDefaultWriter<Uint8Array> | null = null;
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
    await this.#say("done");
    await this.#input?.close().catch(() => {});
    await child.status;
  }

  /**
   * Makes a private folder for a program of the run, which also goes away if main is killed; it is gone once the returned
   * function settles. Needs `write`. Throws if there is something at its path.
   */
  async makeFolder(path: string): Promise<() => Promise<void>> {
    await this.#say(`folder ${path}`);
    await Deno.mkdir(path, { mode: 0o700 });
    return async () => {
      await removeAll(path);
      await this.#say(`removed ${path}`);
    };
  }

  async #say(line: string): Promise<void> {
    // The process may have been killed from outside.
    await this.#input?.write(new TextEncoder().encode(`${line}\n`)).catch(() => {});
  }

  #start(): Deno.ChildProcess | null {
    const { sh, records = null, hearHangup } = this.#options;
    if (Deno.build.os !== "linux") {
      hearHangup?.();
      return null;
    }
    const started = records === null ? "" : `${records}/${this.#run}`;
    // Ctrl-C is for main.
    const { argv: [program = "", ...args], detached } = inOwnSession(
      [sh, "-c", REAP_ORPHANS, "bulkhead-reaper", this.#runMark, "0", KILL_MARKED, started],
    );
    const child = new Deno.Command(program, {
      args,
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      cwd: "/",
      detached,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = child.stdin.getWriter();
    // Deno does not read /proc for less than all permissions; what it starts ignores the same signals.
    this.#ready = new Response(child.stdout).text().then((ignored) => {
      if (!HAS_HANGUP.test(ignored)) hearHangup?.();
    });
    return child;
  }
}

/** A process that was just killed may finish one more step. */
async function removeAll(path: string): Promise<void> {
  for (let again = REMOVE_TRIES;; again--) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return;
      if (again === 0) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, REMOVE_AGAIN_MS));
  }
}
