import type { ProgramLimits } from "../../schemas/config.ts";
import { DiskWatch, type FreeBytes } from "./disk_watch.ts";
import type { Launch } from "./host.ts";
import { ProcessCounter } from "./process_counter.ts";
import type { ProgramProcess } from "./program_process.ts";

/** Parts of a watchdog that tests replace. */
export interface WatchdogOptions {
  limits: Pick<ProgramLimits, "processes" | "free_disk_mb">;
  /** Counts processes; without it nobody does. */
  bash: string | null;
  /** Start of a variable by which the run's programs are known. */
  mark: string;
  /** @default what the system says */
  freeBytes?: FreeBytes | undefined;
}

/** Ends programs that take from the machine what the system's own limits do not bound. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #disk: DiskWatch;
  #counter: ProcessCounter | null = null;

  constructor(options: WatchdogOptions) {
    this.#options = options;
    const { limits, freeBytes } = options;
    this.#disk = new DiskWatch({ minFreeMb: limits.free_disk_mb, ...(freeBytes && { freeBytes }) });
  }

  /** Settles when a program may start: whoever counts its processes must be there first. */
  async ready({ boxed }: Launch): Promise<void> {
    if (needsCount(boxed)) await this.#startCounter()?.expect();
  }

  /** Tells, at most once, if a program has to be ended, and why; returns how to stop that. */
  watch(program: ProgramProcess, onOver: (reason: "processes" | "disk") => void): () => Promise<void> {
    const { launch, pid } = program;
    const unwatch = this.#disk.watch(launch.writes, () => onOver("disk"));
    if (!needsCount(launch.boxed)) return () => Promise.resolve(unwatch());
    const options = { alsoSession: !launch.boxed, onOver: () => onOver("processes") };
    const uncount = this.#startCounter()?.watch(pid, options);
    return async () => {
      unwatch();
      await uncount?.();
    };
  }

  /** Ends the counting. */
  async end(): Promise<void> {
    await this.#counter?.end();
    this.#counter = null;
  }

  #startCounter(): ProcessCounter | null {
    const { bash, limits, mark } = this.#options;
    if (bash === null || Deno.build.os !== "linux") return null;
    return this.#counter ??= new ProcessCounter({ bash, maxProcesses: limits.processes, mark });
  }
}

/** The system's own limit counts all processes of a user, so it bounds neither root nor a program beside others. */
function needsCount(isBoxed: boolean): boolean {
  return !isBoxed || Deno.uid() === 0;
}
