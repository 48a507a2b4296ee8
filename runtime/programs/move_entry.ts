import { basename, dirname } from "node:path";

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

/**
 * Works in a folder: a folder that is stood in stays the same, while its path may lead elsewhere at any moment, and Deno
 * has no other handle for one. All of it happens in one turn, and absolute paths do not depend on it.
 */
function inFolder<T>(folder: string, work: () => T): T {
  const before = currentFolder();
  Deno.chdir(folder);
  try {
    // A link among the folders above would lead out of the tree.
    if (Deno.cwd() !== folder) throw new Error("a folder above it was replaced by a link");
    return work();
  } finally {
    Deno.chdir(before);
  }
}

/** One that was removed cannot be gone back to. */
function currentFolder(): string {
  try {
    return Deno.realPathSync(Deno.cwd());
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return "/";
  }
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
