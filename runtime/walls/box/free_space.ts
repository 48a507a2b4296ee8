import { statfsSync } from "node:fs";

const MEBIBYTE = 1024 * 1024;
/** Files and folders that must stay possible, if so many are when the program starts. */
const MIN_FREE_ENTRIES = 20_000;

/** What a disk still takes. */
export interface FreeSpace {
  bytes: number;
  /** Files and folders; `Infinity` where they have no number of their own. */
  entries: number;
}

/** Returns how large one file may become without touching what must stay free, in bytes. Needs `sys`. */
export function largestFile(paths: readonly string[], { minFreeMb }: { minFreeMb: number }): number {
  const left = paths.flatMap((path) => {
    const free = freeSpaceOf(path);
    return free === null ? [] : [free.bytes - reserveOf(free, minFreeMb).bytes];
  });
  return Math.min(...left);
}

/** Returns what must stay free while programs run: no more than half of what is free now. */
export function reserveOf({ bytes, entries }: FreeSpace, minFreeMb: number): FreeSpace {
  return {
    bytes: Math.min(minFreeMb * MEBIBYTE, bytes / 2),
    entries: entries === Infinity || minFreeMb === 0 ? 0 : Math.min(MIN_FREE_ENTRIES, entries / 2),
  };
}

/** Returns what a user may still write below a folder, `null` if the system does not tell. Needs `sys`. */
export function freeSpaceOf(path: string): FreeSpace | null {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(path);
    // Some file systems make room for entries as they need it.
    return { bytes: bavail * bsize, entries: files === 0 ? Infinity : ffree };
  } catch {
    // The folder is gone, or the system does not tell.
    return null;
  }
}
