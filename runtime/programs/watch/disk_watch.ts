import { type FreeSpace, freeSpaceOf, reserveOf } from "../../walls/box/free_space.ts";

/** A program that writes as fast as a disk takes it must not win against the look. */
const INTERVAL_MS = 50;

/** Returns what a user may still write below a folder, `null` if the system does not tell. */
export type LookAtDisk = (path: string) => FreeSpace | null;

/** What was about to run out, and in which folder's disk. */
export interface FullDisk {
  path: string;
  lacks: keyof FreeSpace;
}

interface Watched {
  /** The folders, each with what must stay free. */
  folders: { path: string; reserve: FreeSpace }[];
  onFull: (disk: FullDisk) => void;
}

/** Watches the free space of the folders that running programs may write. */
export class DiskWatch {
  readonly #minFreeMb: number;
  readonly #look: LookAtDisk;
  readonly #watched = new Set<Watched>();
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor({ minFreeMb, look = freeSpaceOf }: { minFreeMb: number; look?: LookAtDisk }) {
    this.#minFreeMb = minFreeMb;
    this.#look = look;
  }

  /**
   * Calls back once if less than the minimum is free in one of the folders. If half of what is free now is
   * less than the minimum, that half counts. Returns a function that stops the watch.
   */
  watch(paths: readonly string[], onFull: (disk: FullDisk) => void): () => void {
    const folders = paths.flatMap((path) => {
      const free = this.#look(path);
      return free === null ? [] : [{ path, reserve: reserveOf(free, this.#minFreeMb) }];
    });
    const watched = { folders, onFull };
    if (folders.length > 0) this.#watched.add(watched);
    this.#keepTime();
    return () => {
      this.#watched.delete(watched);
      this.#keepTime();
    };
  }

  #keepTime(): void {
    if (this.#watched.size > 0 && this.#timer === null) {
      this.#timer = setInterval(() => this.#lookAround(), INTERVAL_MS);
      Deno.unrefTimer(this.#timer);
    } else if (this.#watched.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  #lookAround(): void {
    for (const watched of [...this.#watched]) {
      const full = watched.folders.flatMap(({ path, reserve }): FullDisk[] => {
        const free = this.#look(path);
        if (free === null) return [];
        if (free.bytes < reserve.bytes) return [{ path, lacks: "bytes" }];
        return free.entries < reserve.entries ? [{ path, lacks: "entries" }] : [];
      })[0];
      if (full === undefined) continue;
      this.#watched.delete(watched);
      watched.onFull(full);
    }
    this.#keepTime();
  }
}
