import { basename, dirname } from "@std/path";

import { inFolder } from "./in_folder.ts";

/** What is known of the entry to move. */
export interface MovedEntry {
  /** Absolute path. */
  path: string;
  /** Of the entry itself. */
  info: Deno.FileInfo;
}

/**
 * Moves a file, a link or a folder of a tree that programs change at the same time. Only this entry moves,
 * also if the folders above it change meanwhile. Needs `read` and `write`; throws the system's errors.
 *
 * @param places Where it may go, the best place first; places on another disk are skipped
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
