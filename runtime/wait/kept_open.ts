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
  /** Runs while nobody uses it. */
  timer?: ReturnType<typeof setTimeout> | undefined;
}

/** Things that stay open for further use, by a key. Of more than a few, those that were used last. */
export class KeptOpen<Thing> implements AsyncDisposable {
  readonly #most: number;
  readonly #idleMs: number | undefined;
  /** The one that was used last at the end. */
  readonly #all = new Map<string, Used<Thing>>();
  readonly #closing = new Set<Promise<void>>();
  #isEnded = false;

  /**
   * @param most How many stay open while nobody uses them
   * @param idleMs How long they do, in milliseconds. Default: as long as there are not too many
   */
  constructor(most: number, idleMs?: number) {
    this.#most = most;
    this.#idleMs = idleMs;
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
    clearTimeout(used.timer);
    try {
      return await work(used.thing);
    } finally {
      used.uses--;
      if (used.uses === 0) this.#rest(key, used);
    }
  }

  /** Ends all. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    const all = [...this.#all.values()];
    this.#all.clear();
    for (const { timer } of all) clearTimeout(timer);
    await Promise.allSettled([...all.map(({ close }) => close()), ...this.#closing]);
  }

  /** Nobody uses it any more. */
  #rest(key: string, used: Used<Thing>): void {
    if (used.onIdle) return used.onIdle();
    if (this.#idleMs === undefined || this.#isEnded) return;
    used.timer = setTimeout(() => {
      this.#all.delete(key);
      this.#retire(used);
    }, this.#idleMs);
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
      clearTimeout(old.timer);
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
