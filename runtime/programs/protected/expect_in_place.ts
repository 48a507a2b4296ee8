import { dirname } from "@std/path";

import type { KnownEntry } from "../bytes/odd_change.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";

/**
 * Sees to it that an entry is where it was found. Deno has no handle for a folder: one that is swapped right after this
 * can still lead elsewhere, so what is done next must be short. Needs `read`.
 *
 * @throws {Error} If a link has replaced a folder above it, or another one has taken its place
 */
export function expectInPlace({ path, info }: KnownEntry): void {
  const folder = dirname(path);
  if (realOrNull(folder) !== folder) throw new Error("a folder above it was replaced by a link");
  if (!isAt(path, info)) throw new Error("another one has taken its place");
}

/** Says whether a path leads to an entry. Needs `read`; throws the system's errors. */
export function isAt(path: string, { dev, ino }: Deno.FileInfo): boolean {
  const now = Deno.lstatSync(path);
  return now.dev === dev && now.ino === ino;
}
