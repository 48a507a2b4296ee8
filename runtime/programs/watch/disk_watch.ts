import { statfsSync } from "node:fs";

const INTERVAL_MS = 150;
const MEBIBYTE = 1024 * 1024;

interface Watched {
  /** The folders, each with the bytes that must stay free. */
  folders: { path: string; reserve: number }[];
  onFull: () => void;
}

/** Returns the bytes that a user may still write below a folder, `null` if the system does not tell. */
export type FreeBytes = (path: string) => number | null;

/** Watches the free space of the folders that running programs may write. */
export class DiskWatch {
  readonly #minFreeBytes: number;
  readonly #freeBytes: FreeBytes;
  readonly #watched = new Set<Watched>();
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor({ minFreeMb, freeBytes = freeBytesOf }: { minFreeMb: number; freeBytes?: FreeBytes }) {
    this.#minFreeBytes = minFreeMb * MEBIBYTE;
    this.#freeBytes = freeBytes;
  }

  /**
   * Calls back once if less than the minimum is free in one of the folders. If half of what is free now is
   * less than the minimum, that half counts. Returns a function that stops the watch.
   */
  watch(paths: readonly string[], onFull: () => void): () => void {
    const folders = paths.flatMap((path) => {
      const free = this.#freeBytes(path);
      return free === null ? [] : [{ path, reserve: Math.min(this.#minFreeBytes, free / 2) }];
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
      this.#timer = setInterval(() => this.#look(), INTERVAL_MS);
      Deno.unrefTimer(this.#timer);
    } else if (this.#watched.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  #look(): void {
    for (const watched of [...this.#watched]) {
      const isFull = watched.folders.some(({ path, reserve }) => {
        const free = this.#freeBytes(path);
        return free !== null && free < reserve;
      });
      if (!isFull) continue;
      this.#watched.delete(watched);
      watched.onFull();
    }
    this.#keepTime();
  }
}

function freeBytesOf(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    // The folder is gone, or the system does not tell.
    return null;
  }
}
