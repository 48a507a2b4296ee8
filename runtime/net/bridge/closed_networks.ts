import { closedCommand } from "./bridge_command.ts";
import { type BridgeParts, tryToJoin } from "./bridges.ts";
import { type Bridge, openBridge } from "./open_bridge.ts";

/** Networks that lead nowhere, each held by a process of its own. */
export class ClosedNetworks {
  readonly #parts: Pick<BridgeParts, "tools" | "disk">;
  readonly #open = new Set<Promise<Bridge>>();

  constructor(parts: Pick<BridgeParts, "tools" | "disk">) {
    this.#parts = parts;
  }

  /** Opens one. Throws `ToolError` if none can be opened. */
  async take() {
    const opening = this.#start();
    this.#open.add(opening);
    // Who waits for it hears of a failure.
    opening.catch(() => this.#open.delete(opening));
    const bridge = await opening;
    return {
      pid: bridge.pid,
      get isWhole() {
        return bridge.isAlive;
      },
      connections: () => Promise.resolve([]),
      admit: () => Promise.resolve(),
      end: async () => {
        const isWhole = bridge.isAlive;
        this.#open.delete(opening);
        await bridge.end();
        return { connections: [], isWhole };
      },
    };
  }

  /** Ends all. */
  async end(): Promise<void> {
    const all = await Promise.allSettled(this.#open);
    await Promise.all(all.flatMap((one) => one.status === "fulfilled" ? [one.value.end()] : []));
  }

  async #start(): Promise<Bridge> {
    const { tools, disk } = this.#parts;
    const found = await tools();
    const bridge = await openBridge(closedCommand({ ...found, disk }));
    await tryToJoin(bridge, found).catch(async (error) => {
      await bridge.end();
      throw error;
    });
    return bridge;
  }
}
