import { ToolError } from "../../schemas/error.ts";
import type { Host } from "./open_host.ts";

/** A host, and how it is closed by those who use it. */
export interface KeptHost {
  host: Host;
  close(): Promise<void>;
}

/** The same, and how many calls it runs. */
interface Used extends KeptHost {
  calls: number;
  /** Called once no call runs any more, if it is to be closed. */
  onIdle: (() => void) | null;
}

/** Hosts that stay open for further calls, by a key. Of more than a few, those that were used last. */
export class KeptHosts implements AsyncDisposable {
  readonly #most: number;
  /** The one that was used last at the end. */
  readonly #all = new Map<string, Used>();
  readonly #closing = new Set<Promise<void>>();
  #isEnded = false;

  /** @param most How many stay open while no call runs in them */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Runs work with the host of a key; it stays open until the work is done.
   *
   * @param open Opens the host if it is not open
   * @throws {ToolError} `cancelled` once these hosts have ended; what `open` and the work throw
   */
  async use<T>(key: string, open: () => KeptHost, work: (host: Host) => Promise<T>): Promise<T> {
    const used = this.#take(key, open);
    used.calls++;
    try {
      return await work(used.host);
    } finally {
      used.calls--;
      if (used.calls === 0) used.onIdle?.();
    }
  }

  /** Ends all. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    const all = [...this.#all.values()];
    this.#all.clear();
    await Promise.allSettled([...all.map(({ close }) => close()), ...this.#closing]);
  }

  #take(key: string, open: () => KeptHost): Used {
    if (this.#isEnded) throw new ToolError("cancelled", "The connection has ended");
    const used = this.#all.get(key) ?? { ...open(), calls: 0, onIdle: null };
    used.onIdle = null;
    this.#all.delete(key);
    this.#all.set(key, used);
    for (const [other, old] of this.#all) {
      if (this.#all.size <= this.#most) break;
      this.#all.delete(other);
      this.#retire(old);
    }
    return used;
  }

  /** Its running calls come to their end. */
  #retire(old: Used): void {
    const close = () => {
      const closing = old.close();
      this.#closing.add(closing);
      closing.finally(() => this.#closing.delete(closing));
    };
    if (old.calls === 0) close();
    else old.onIdle = close;
  }
}
