import { ToolError } from "../../schemas/error.ts";

/** Something that is open, and how it is closed. */
export interface Opened<Thing> {
  thing: Thing;
  close(): Promise<void>;
}

/** The same, and how many uses it has now. */
interface Used<Thing> extends Opened<Thing> {
  uses: number;
  /** Called once nobody uses it any more, if it is to be closed. */
  onIdle: (() => void) | null;
}

/** Things that stay open for further use, by a key. Of more than a few, those that were used last. */
export class KeptOpen<Thing> implements AsyncDisposable {
  readonly #most: number;
  /** The one that was used last at the end. */
  readonly #all = new Map<string, Used<Thing>>();
  readonly #closing = new Set<Promise<void>>();
  #isEnded = false;

  /** @param most How many stay open while nobody uses them */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Does work with the thing of a key; it stays open until the work is done.
   *
   * @param open Opens it if it is not open
   * @throws {ToolError} `cancelled` once these have ended; what `open` and the work throw
   */
  async use<T>(key: string, open: () => Opened<Thing>, work: (thing: Thing) => Promise<T>): Promise<T> {
    const used = this.#take(key, open);
    used.uses++;
    try {
      return await work(used.thing);
    } finally {
      used.uses--;
      if (used.uses === 0) used.onIdle?.();
    }
  }

  /** Ends all. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    const all = [...this.#all.values()];
    this.#all.clear();
    await Promise.allSettled([...all.map(({ close }) => close()), ...this.#closing]);
  }

  #take(key: string, open: () => Opened<Thing>): Used<Thing> {
    if (this.#isEnded) throw new ToolError("cancelled", "The connection has ended");
    const used = this.#all.get(key) ?? { ...open(), uses: 0, onIdle: null };
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

  /** What uses it comes to its end. */
  #retire(old: Used<Thing>): void {
    const close = () => {
      const closing = old.close();
      this.#closing.add(closing);
      closing.finally(() => this.#closing.delete(closing));
    };
    if (old.uses === 0) close();
    else old.onIdle = close;
  }
}
