import type { Launch, Launcher } from "../launch/launch.ts";
import type { LookWhileRunning } from "../protected/look_after.ts";

/** Shortest time between two looks, and before the first one, in milliseconds. */
const PAUSE_MS = 250;
/** The same time for looks everywhere; between them, it is looked near the top. */
const DEEP_PAUSE_MS = 2_000;
/** A look of large folders takes its time: the pause is so many times as long. */
const PAUSE_FACTOR = 20;

interface Looked {
  look: Launch["inspect"];
  lines: string[];
  /** Settles when no look is going on. */
  idle: Promise<void>;
}

/** Looks at times at what running programs make, so that it does not stay for as long as they run. */
export class RunningLooks {
  readonly #pauseMs: number;
  readonly #looked = new Set<Looked>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** Settles when no look is going on or waits. */
  #looking: Promise<void> = Promise.resolve();
  /** When it is to be looked everywhere. */
  #deepAt = 0;

  /** @param options `pauseMs`: shortest time between two looks, in milliseconds. @default 250 */
  constructor({ pauseMs = PAUSE_MS }: { pauseMs?: number } = {}) {
    this.#pauseMs = pauseMs;
  }

  /** Begins with a program. Looks need `read` and `write` of what it may write. */
  add({ inspect }: Pick<Launch, "inspect">): RunningLook {
    const looked: Looked = { look: inspect, lines: [], idle: Promise.resolve() };
    if (this.#looked.size === 0) this.#deepAt = performance.now() + DEEP_PAUSE_MS;
    this.#looked.add(looked);
    if (this.#timer === null) this.#plan(this.#pauseMs);
    return {
      take: () => looked.lines.splice(0),
      stop: async () => {
        this.#looked.delete(looked);
        if (this.#looked.size === 0) this.#clear();
        await looked.idle;
        return looked.lines.splice(0);
      },
    };
  }

  /**
   * Looks now, and moves also what only just came. One look is enough: before each program all was moved, so that what the
   * last one did not find is all that is new.
   */
  async atOnce(): Promise<void> {
    await this.#look("at once");
    this.#plan(this.#pauseMs);
  }

  #plan(ms: number): void {
    this.#clear();
    if (this.#looked.size === 0) return;
    this.#timer = setTimeout(() => void this.#lookInTime(), ms);
    Deno.unrefTimer(this.#timer);
  }

  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #lookInTime(): Promise<void> {
    const started = performance.now();
    const isDeep = started >= this.#deepAt;
    await this.#look(isDeep ? "everywhere" : "near");
    const pauseMs = PAUSE_FACTOR * (performance.now() - started);
    if (isDeep) this.#deepAt = performance.now() + Math.max(DEEP_PAUSE_MS, pauseMs);
    this.#plan(isDeep ? this.#pauseMs : Math.max(this.#pauseMs, pauseMs));
  }

  /** Looks at one program after the other. */
  #look(how: LookWhileRunning): Promise<void> {
    return this.#looking = this.#looking.then(async () => {
      const all = [...this.#looked];
      for (const looked of how === "at once" ? all.slice(-1) : all) {
        if (!this.#looked.has(looked)) continue;
        looked.idle = lookOnce(looked, how);
        await looked.idle;
      }
    });
  }
}

/**
 * Returns a launcher that first has running programs looked at: a box cannot be made if what it is to guard is moved
 * meanwhile, and the program is not to meet it.
 */
export function afterLooks(launcher: Launcher, looks: RunningLooks): Launcher {
  return {
    async prepare(...given) {
      await looks.atOnce();
      return await launcher.prepare(...given);
    },
  };
}

/** The looks at one running program. */
export interface RunningLook {
  /** Returns the lines for the user since the last time. */
  take(): string[];
  /** Ends them, and returns the lines that are left. */
  stop(): Promise<string[]>;
}

async function lookOnce(looked: Looked, running: LookWhileRunning): Promise<void> {
  try {
    looked.lines.push(...await looked.look({ running }));
  } catch {
    // The look after the program's end meets the same failure, and tells it.
  }
}
