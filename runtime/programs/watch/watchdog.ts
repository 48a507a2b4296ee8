import type { ProgramLimits } from "../../../schemas/config.ts";
import { DiskWatch, type FreeBytes } from "./disk_watch.ts";
import type { Launch } from "../launch/launch.ts";
import { ProcessCounter } from "./process_counter.ts";

/** Parts of a watchdog that tests replace. */
export interface WatchdogOptions {
  limits: Pick<ProgramLimits, "processes" | "free_disk_mb">;
  /** Counts processes. Without it, processes are not counted. */
  bash: string | null;
  /** Holds programs in control groups of the system where that is possible. @default true */
  groups?: boolean | undefined;
  /** @default what the system says */
  freeBytes?: FreeBytes | undefined;
}

/** The watch over one program, from before its start. */
export interface ProgramWatch {
  /** What the environment of its first process must hold. */
  readonly mark: string;
  /** The control group that it must enter first, if there is one. */
  readonly group: string | null;
  /** Tells, at most once, that the started program must be ended, and why. */
  begin(program: { pid: number }, onOver: (reason: "processes" | "disk") => void): void;
  /** Ends the watch. There are no more reports, and the control group is empty. */
  end(): Promise<void>;
}

/** Ends programs that use too much of what the system's own limits do not bound. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #disk: DiskWatch;
  #counter: ProcessCounter | null = null;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    const { limits, freeBytes } = options;
    this.#disk = new DiskWatch({ minFreeMb: limits.free_disk_mb, ...(freeBytes && { freeBytes }) });
  }

  /** Settles when a program may start: its process counter must run first. */
  async ready({ boxed, writes }: Launch, mark: string): Promise<ProgramWatch> {
    const counter = needsCount(boxed) ? this.#startCounter() : null;
    const group = await counter?.expect(mark) ?? null;
    let unwatch = () => {};
    let ended: Promise<void> | undefined;
    return {
      mark,
      group,
      begin: ({ pid }, onOver) => {
        unwatch = this.#disk.watch(writes, () => onOver("disk"));
        counter?.watch(mark, { pid, alsoSession: !boxed, onOver: () => onOver("processes") });
      },
      end: () => {
        unwatch();
        return ended ??= counter?.unwatch(mark) ?? Promise.resolve();
      },
    };
  }

  /** Ends the counting. */
  async end(): Promise<void> {
    await this.#counter?.end();
    this.#counter = null;
  }

  #startCounter(): ProcessCounter | null {
    const { bash, limits, groups = true } = this.#options;
    if (bash === null || Deno.build.os !== "linux") return null;
    return this.#counter ??= new ProcessCounter({ bash, maxProcesses: limits.processes, groups });
  }
}

/** The system's limit counts all processes of a user: it bounds neither root nor one program of many. */
function needsCount(isBoxed: boolean): boolean {
  return !isBoxed || Deno.uid() === 0;
}
