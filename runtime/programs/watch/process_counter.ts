import { LineSplitter } from "../../text/lines.ts";
import COUNT_PROCESSES from "./count_processes.sh" with { type: "text" };
import { settlesWithin } from "../../wait/settles_within.ts";
import { inOwnSession } from "../../walls/process/own_session.ts";
import { MARK_NAME } from "./signal_processes.ts";

/** Longest wait for a counter that was stopped from outside, in milliseconds: a busy machine takes its time. */
const ANSWER_MS = 10_000;

/** What is known of a program, and who wants to hear of it. */
class Counted {
  /** Whether it was told in time which control group it must enter. */
  inGroup = false;
  readonly ready = Promise.withResolvers<string | null>();
  readonly gone = Promise.withResolvers<void>();
  /** Settles if the program had too many processes, or too much memory. */
  readonly over = Promise.withResolvers<"processes" | "memory">();
}

/** Counts the processes of running programs, in a small process of its own that ends with this one. */
export class ProcessCounter {
  readonly #counted = new Map<string, Counted>();
  readonly #child: Deno.ChildProcess;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reading: Promise<void>;
  readonly #answerMs: number;

  /**
   * Starts the counter. Needs `run`.
   *
   * @param options `groups` holds programs in control groups of the system where that is possible; `answerMs` is the
   * longest wait for an answer of the counter, in milliseconds
   */
  constructor(
    options: { bash: string; maxProcesses: number; memoryMb: number; groups: boolean; answerMs?: number },
  ) {
    const { bash, maxProcesses, memoryMb, groups, answerMs = ANSWER_MS } = options;
    this.#answerMs = answerMs;
    const bounds = { processes: String(maxProcesses), kilobytes: String(Math.ceil(memoryMb * 1024)) };
    const kind = groups ? "groups" : "none";
    const given = [bounds.processes, String(Deno.pid), MARK_NAME, kind, bounds.kilobytes];
    const { argv: [program = "", ...args], detached } = inOwnSession(
      [bash, "--noprofile", "--norc", "-c", COUNT_PROCESSES, "bulkhead-count", ...given],
    );
    this.#child = new Deno.Command(program, {
      args,
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      cwd: "/",
      detached,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#writer = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** Settles when the program with this mark may start, with the control group it must enter, if any. */
  async expect(mark: string): Promise<string | null> {
    const counted = new Counted();
    this.#counted.set(mark, counted);
    this.#say(`expect ${mark}`);
    const answer = Promise.race([counted.ready.promise, this.#reading]);
    const isReady = await settlesWithin(answer, this.#answerMs);
    const group = isReady && this.#counted.has(mark) ? await counted.ready.promise : null;
    counted.inGroup = group !== null;
    return group;
  }

  /** Calls back once if this process and those below it were too many, or used too much memory, and were killed. */
  watch(
    mark: string,
    { pid, alsoSession, onOver }: {
      pid: number;
      alsoSession: boolean;
      onOver: (bound: "processes" | "memory") => void;
    },
  ) {
    const counted = this.#counted.get(mark) ?? new Counted();
    this.#counted.set(mark, counted);
    const where = counted.inGroup ? "inside" : "outside";
    this.#say(`add ${mark} ${pid} ${alsoSession ? "session" : "tree"} ${where}`);
    void counted.over.promise.then(onOver);
  }

  /**
   * Ends what is left in the program's control group. After this settles, there are no more reports about it.
   */
  async unwatch(mark: string): Promise<void> {
    this.#say(`del ${mark}`);
    await settlesWithin(Promise.race([this.#counted.get(mark)?.gone.promise, this.#reading]), this.#answerMs);
    this.#counted.delete(mark);
  }

  /** Ends the counter. */
  async end(): Promise<void> {
    await this.#writer.close().catch(() => {});
    await this.#child.status;
    await this.#reading;
  }

  #say(line: string): void {
    // If the counter was killed from outside, counting stops. Nothing else depends on it.
    this.#writer.write(new TextEncoder().encode(`${line}\n`)).catch(() => {});
  }

  async #read(): Promise<void> {
    const splitter = new LineSplitter();
    for await (const bytes of this.#child.stdout) {
      for (const line of splitter.push(bytes)) {
        const [word, mark = "", group = ""] = line.split(" ");
        const counted = this.#counted.get(mark);
        if (word === "ready") counted?.ready.resolve(group || null);
        else if (word === "over") counted?.over.resolve(group === "memory" ? "memory" : "processes");
        else if (word === "gone") counted?.gone.resolve();
      }
    }
    // A counter that was killed from outside does not answer.
    for (const { ready } of this.#counted.values()) ready.resolve(null);
  }
}
