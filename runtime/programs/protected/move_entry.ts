import { dirname } from "@std/path";

import { isUnnamed, type KnownEntry, moveUnnamed } from "../bytes/odd_change.ts";
import { expectInPlace, isAt } from "./expect_in_place.ts";

/**
 * Moves a file, a link or a folder of a tree that programs change at the same time. Only this entry moves,
 * also if the folders above it have changed. A mode that forbids it is changed: a program may have set it. Needs
 * `read` and `write`, and `run` for a name that is no UTF-8; throws the system's errors.
 *
 * @param places Where it may go, the best place first; places on another disk are skipped
 * @returns The place where it is now
 */
export async function moveEntry(entry: KnownEntry, places: readonly string[]): Promise<string> {
  if (isUnnamed(entry.path)) return await moveUnnamed(entry, places);
  const { path, info } = entry;
  expectInPlace(entry);
  const place = moveToFirst(path, places, info);
  if (!isAt(place, info)) throw new Error(`another one came in its place, and was moved to "${place}"`);
  return place;
}

function moveToFirst(path: string, places: readonly string[], { isDirectory }: Deno.FileInfo): string {
  try {
    return moveWhereItCan(path, places);
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    return whileWritable([dirname(path), ...(isDirectory ? [path] : [])], () => moveWhereItCan(path, places));
  }
}

/** A folder on another disk is passed over. */
function moveWhereItCan(path: string, [place, ...others]: readonly string[]): string {
  try {
    Deno.renameSync(path, place!);
    return place!;
  } catch (error) {
    const isFar = error instanceof Error && "code" in error && error.code === "EXDEV";
    if (!isFar || others.length === 0) throw error;
    return moveWhereItCan(path, others);
  }
}

/** The folder that an entry leaves must be writable, and so must a folder that moves. */
function whileWritable<T>(folders: readonly string[], work: () => T): T {
  const modes = folders.map((folder) => Deno.lstatSync(folder).mode ?? 0o700);
  for (const [at, folder] of folders.entries()) Deno.chmodSync(folder, (modes[at]! & 0o7777) | 0o700);
  try {
    return work();
  } finally {
    Deno.chmodSync(folders[0]!, modes[0]! & 0o7777);
  }
}
