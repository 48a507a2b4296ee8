import { processesNaming, until } from "./processes.ts";

/** Processes of a test that sleep for a number of seconds of its own, by which they are found wherever they went. */
export interface Sleepers extends Disposable {
  /** Words that sleep for longer than any test. */
  words: string;
  /** Waits until at least so many run; what is only about to start them does not count. */
  run(count: number): Promise<void>;
  /** How many there are now, with what is about to start them. */
  count(): number;
  /** Waits until something names them: what will start them has begun. */
  named(): Promise<void>;
  /** Waits until none is left, nor anything that names them; fails if something stays. */
  gone(): Promise<void>;
}

/** Names sleepers: `using sleepers = makeSleepers()`. Those that are left at the end of a test are killed. */
export function makeSleepers(): Sleepers {
  const seconds = `97${crypto.getRandomValues(new Uint32Array(1))[0]}`;
  const left = () => processesNaming(seconds);
  return {
    words: `sleep ${seconds}`,
    run: (count) => until(`${count} sleepers`, () => countArgument(seconds) >= count, 30_000),
    count: () => left().length,
    named: () => until("a word of the sleepers", () => left().length > 0, 30_000),
    gone: () => until("the end of the sleepers", () => left().length === 0),
    [Symbol.dispose]() {
      for (const pid of left()) endProcess(pid);
    },
  };
}

/** Returns how many processes have a text as one of their arguments, by itself. */
function countArgument(text: string): number {
  const { stdout } = new Deno.Command("/bin/sh", {
    args: ["-c", 'printf %s "$TEXT" | grep -lzxFf /dev/stdin /proc/[0-9]*/cmdline 2>/dev/null'],
    env: { TEXT: text },
    stderr: "null",
  }).outputSync();
  return new TextDecoder().decode(stdout).split("\n").length - 1;
}

function endProcess(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
