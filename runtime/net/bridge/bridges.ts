import { ToolError } from "../../../schemas/error.ts";
import type { Self } from "../../self/find_self.ts";
import type { DiskView } from "../../walls/box/disk_view.ts";
import { joinedNamespaces } from "../../walls/box/joined_network.ts";
import { bridgeCommand, type BridgeTools } from "./bridge_command.ts";
import { type Bridge, openBridge } from "./open_bridge.ts";
import { tryProgram } from "../../walls/process/try_program.ts";

/** Longest time for a trial, in milliseconds. */
const TRIAL_MS = 10_000;

/** What bridges are made of. */
export interface BridgeParts {
  /** The helpers of the system; throws `ToolError` where one is missing. */
  tools(): Promise<BridgeTools>;
  self: Self;
  disk: DiskView;
  /** The folder with the doors of the gate. */
  folder(): Promise<string>;
}

/** Bridges that wait for the next program. */
const MOST_IDLE = 3;

/**
 * The bridges of a run: one for each program that runs, and each for one program at a time. A bridge takes longer to
 * start than most programs, so the first one is started early, and later programs get those of earlier ones.
 */
export class Bridges {
  readonly #parts: BridgeParts;
  readonly #idle: Promise<Bridge>[] = [];
  readonly #all = new Set<Promise<Bridge>>();
  #hasEnded = false;
  #tried: Promise<void> | undefined;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  /** Starts the first bridge. */
  expect(): void {
    if (this.#all.size === 0) this.#idle.push(this.start());
  }

  /** Returns a bridge for one program. Throws {@linkcode ToolError} if none can be started. */
  async take(): Promise<Bridge> {
    for (let next = this.#idle.pop(); next !== undefined; next = this.#idle.pop()) {
      const bridge = await next;
      if (bridge.isAlive) return bridge;
    }
    return await this.start();
  }

  /** Starts a bridge for one program. Throws {@linkcode ToolError} if it cannot be started. */
  start(): Promise<Bridge> {
    const started = this.#open();
    this.#all.add(started);
    // Who waits for it hears of a failure.
    started.catch(() => this.#all.delete(started));
    return started;
  }

  /** Takes a bridge back. @param options `reuse`: nothing of its program is left in its network */
  async give(bridge: Bridge, { reuse }: { reuse: boolean }): Promise<void> {
    if (reuse && bridge.isAlive && !this.#hasEnded && this.#idle.length < MOST_IDLE) {
      this.#idle.push(Promise.resolve(bridge));
    } else {
      await bridge.end();
    }
  }

  /** Ends all bridges. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const all = await Promise.allSettled(this.#all);
    await Promise.all(all.flatMap((one) => one.status === "fulfilled" ? [one.value.end()] : []));
  }

  async #open(): Promise<Bridge> {
    const { self, disk } = this.#parts;
    const [tools, folder] = await Promise.all([this.#parts.tools(), this.#parts.folder()]);
    const bridge = await openBridge(bridgeCommand(folder, { ...tools, self, disk }));
    await (this.#tried ??= tryToJoin(bridge, tools)).catch(async (error) => {
      await bridge.end();
      throw error;
    });
    return bridge;
  }
}

/** Not every system lets a network be entered. */
export async function tryToJoin({ pid }: Bridge, { nsenter, sh }: BridgeTools): Promise<void> {
  const argv = [nsenter, ...joinedNamespaces(pid), sh, "-c", ":"];
  const { success, stderr } = await tryProgram(argv, { ms: TRIAL_MS });
  if (!success) throw new ToolError("unavailable", stderr);
}
