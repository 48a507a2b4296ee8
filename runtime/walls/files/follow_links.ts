import { dirname, SEPARATOR } from "@std/path";

import { isInside } from "../grants/inside.ts";

/** The two questions to the file system that following links needs. */
export interface LinkReader {
  /** The facts about the entry itself, `null` if nothing is there. */
  lstat(path: string): Deno.FileInfo | null;
  readLink(path: string): string;
}

/** Longest chain of links that is followed, as in the Linux kernel. */
const MAX_LINKS = 40;

/**
 * Follows every link of a path by hand, also where the end does not exist: `realpath` fails for a dangling
 * link, so it cannot say where a file would be made. Outside the roots it asks the system nothing, and takes
 * names as they are.
 *
 * @param path Absolute path; may hold `.` and `..`, which are resolved after the links before them, as the kernel does
 * @param roots Real folders; what is above or outside them is taken as it is written
 * @returns The path behind all links, or `null` for a chain of more than 40 links
 */
export function followLinks(
  path: string,
  roots: readonly string[],
  reader: LinkReader,
): string | null {
  const pending = path.split(SEPARATOR).reverse();
  let links = 0;
  let at: string = SEPARATOR;
  while (pending.length > 0) {
    const name = pending.pop()!;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    // By hand: nothing is left to resolve in a name, and this runs several times a call for each folder of a path.
    const next = at === SEPARATOR ? SEPARATOR + name : at + SEPARATOR + name;
    const inside = roots.some((root) => isInside(root, next) && next !== root);
    const info = inside ? reader.lstat(next) : null;
    if (!info?.isSymlink) {
      at = next;
      continue;
    }
    if (++links > MAX_LINKS) return null;
    const target = reader.readLink(next);
    if (target.startsWith(SEPARATOR)) at = SEPARATOR;
    pending.push(...target.split(SEPARATOR).reverse());
  }
  return at;
}
