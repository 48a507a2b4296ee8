import { basename, dirname } from "@std/path";

import { inFolder } from "./in_folder.ts";

/** What is known of an entry that is to be moved. */
export interface MovedEntry {
  /** Absolute path. */
  path: string;
  /** Of the entry itself. */
  info: Deno.FileInfo;
}

/**
 * Moves a file, a link or a folder of a tree that programs change at the same time: nothing but this very entry moves,
 * whatever becomes of the folders above it. Needs `read` and `write`; throws what the system throws.
 *
 * @param places Where it may go, the best first; those on another disk are passed over
 * @returns The place where it is now
 */
export function moveEntry({ path, info }: MovedEntry, places: readonly string[]): string {
  return inFolder(dirname(path), () => {
    const name = `./${basename(path)}`;
    const now = Deno.lstatSync(name);
    if (now.dev !== info.dev || now.ino !== info.ino) throw new Error("another one has taken its place");
    return moveToFirst(name, places);
  });
}

function moveToFirst(name: string, [place, ...others]: readonly string[]): string {
  try {
    Deno.renameSync(name, place!);
    return place!;
  } catch (error) {
    const isFar = error instanceof Error && "code" in error && error.code === "EXDEV";
    if (!isFar || others.length === 0) throw error;
    return moveToFirst(name, others);
  }
}
