import { makeMark, until } from "./processes.ts";

/** Processes of a test that sleep for longer than any test, found by a mark in their environment wherever they went. */
export interface Sleepers extends Disposable {
  /** Words that sleep, for a shell or as an array. */
  words: string;
  /** Waits until at least so many run; what is only about to start them does not count. */
  run(count: number): Promise<void>;
  count(): number;
  /** Waits until none is left; fails if something stays. */
  gone(): Promise<void>;
}

/** Makes words for sleepers: `using sleepers = makeSleepers()`. Those that are left at the end of a test are killed. */
export function makeSleepers(): Sleepers {
  const mark = makeMark();
  const left = mark.pids;
  return {
    words: `env ${mark.word} sleep 100000`,
    run: (count) => until(`${count} sleepers`, () => left().length >= count),
    count: () => left().length,
    gone: () => until("the end of the sleepers", () => left().length === 0),
    [Symbol.dispose]() {
      for (const pid of left()) endProcess(pid);
    },
  };
}

function endProcess(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
