import { PROGRAM_LIMITS, type ProgramLimits } from "../../../schemas/config.ts";
import { DiskWatch, type FullDisk, type LookAtDisk } from "./disk_watch.ts";
import { largeFilesSince } from "./large_files.ts";
import { boxStart, type Launch } from "../launch/launch.ts";
import { ProcessCounter } from "./process_counter.ts";

/** Parts of a watchdog that tests replace. */
export interface WatchdogOptions {
  limits: Pick<ProgramLimits, "processes" | "free_disk_mb"> & Partial<Pick<ProgramLimits, "memory_mb">>;
  /** Counts processes. Without it, processes are not counted. */
  bash: string | null;
  /** Holds programs in control groups of the system where that is possible. @default true */
  groups?: boolean | undefined;
  /** @default what the system says */
  lookAtDisk?: LookAtDisk | undefined;
}

/** A program whose processes the system bounds itself is counted for its memory from here on, in milliseconds. */
const COUNT_AFTER_MS = 200;

/** What the system's own limits do not bound. */
export type Bound = "processes" | "memory" | "disk";

/** The watch over one program, from before its start. */
export interface ProgramWatch {
  /** What the environment of its first process must hold. */
  readonly mark: string;
  /** The control group that it must enter first, if there is one. */
  readonly group: string | null;
  /** Tells, at most once, that the started program must be ended, and why. */
  begin(program: { pid: number }, onOver: (reason: Bound) => void): void;
  /** Says after the end what a person can do about a bound that was reached. */
  advice(): string[];
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
    const { limits, lookAtDisk: look } = options;
    this.#disk = new DiskWatch({ minFreeMb: limits.free_disk_mb, ...(look && { look }) });
  }

  /** Starts the counter early, where programs in a sandbox wait for it. */
  warm(): void {
    if (needsCount(true)) this.#startCounter();
  }

  /** Settles when a program may start: its process counter must run first. */
  async ready(launch: Launch, mark: string): Promise<ProgramWatch> {
    const { writes } = launch;
    const boxed = boxStart(launch) !== null;
    let counter = needsCount(boxed) ? this.#startCounter() : null;
    const group = await counter?.expect(mark) ?? null;
    let later: ReturnType<typeof setTimeout> | undefined;
    let unwatch = () => {};
    let ended: Promise<void> | undefined;
    let full: FullDisk | null = null;
    const began = new Date();
    return {
      mark,
      group,
      advice: () => full === null ? [] : [aboutDisk(full, began)],
      begin: ({ pid }, onOver) => {
        unwatch = this.#disk.watch(writes, (disk) => {
          full = disk;
          onOver("disk");
        });
        const count = () => counter?.watch(mark, { pid, alsoSession: !boxed, onOver });
        if (counter !== null) return count();
        // Most programs end before.
        later = setTimeout(() => {
          counter = this.#startCounter();
          count();
        }, COUNT_AFTER_MS);
        Deno.unrefTimer(later);
      },
      end: () => {
        unwatch();
        clearTimeout(later);
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
    return this.#counter ??= new ProcessCounter({
      bash,
      maxProcesses: limits.processes,
      memoryMb: inSum(limits.memory_mb ?? PROGRAM_LIMITS.memory_mb),
      groups,
    });
  }
}

/** A process that wants too much alone must fail by itself first, before the whole program is ended. */
function inSum(memoryMb: number): number {
  return memoryMb * 1.25 + 32;
}

/** The system's limit counts all processes of a user: it bounds neither root nor one program of many. */
function needsCount(isBoxed: boolean): boolean {
  return !isBoxed || Deno.uid() === 0;
}

function aboutDisk({ path, lacks }: FullDisk, since: Date): string {
  const what = lacks === "bytes" ? "free space" : "room for more files and folders";
  const files = lacks === "bytes" ? largeFilesSince(path, since) : [];
  const made = files.map(({ path, bytes }) => `${path} (${Math.floor(bytes / 1_000_000)} MB)`).join(", ");
  return `The disk of ${path} was about to have no more ${what}. ` +
    (made === ""
      ? "Remove what is not needed"
      : `Since the program started, these were written: ${made}. Remove what is not needed`) +
    ", or lower programs.free_disk_mb in the configuration";
}
