import { join } from "@std/path";

import { lstat } from "../files/file_facts.ts";
import { isInside } from "../grants/inside.ts";

/** A second place where a folder, or a part of it, can be reached. */
export interface Alias {
  /** The second place. */
  path: string;
  /** Which part of the folder it shows; `""` for all of it. */
  part: string;
}

interface Mount {
  device: string;
  /** The folder of the file system that it shows. */
  root: string;
  point: string;
}

/**
 * Finds the other mounts that show a folder. Needs `read` of `/proc`.
 *
 * @param table The text of `/proc/self/mountinfo`
 */
export function aliasesOf(folder: string, table: string): Alias[] {
  const mounts = table.split("\n").flatMap(readMount);
  const own = mounts.filter(({ point }) => isInside(point, folder))
    .reduce<Mount | null>(
      (best, mount) => best && best.point.length > mount.point.length ? best : mount,
      null,
    );
  if (own === null) return [];
  const place = join(own.root, folder.slice(own.point.length));
  return mounts.flatMap((mount): Alias[] => {
    if (mount.device !== own.device || isInside(folder, mount.point)) return [];
    if (isInside(mount.root, place)) {
      const path = join(mount.point, place.slice(mount.root.length));
      return path !== folder && isSame(path, folder) ? [{ path, part: "" }] : [];
    }
    if (!isInside(place, mount.root)) return [];
    const part = mount.root.slice(place.length + 1);
    return isSame(mount.point, join(folder, part)) ? [{ path: mount.point, part }] : [];
  });
}

function readMount(line: string): Mount[] {
  const [, , device, root, point] = line.split(" ");
  if (device === undefined || root === undefined || point === undefined) return [];
  return [{ device, root: unescape(root), point: unescape(point) }];
}

/** Another mount may lie over it. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [lstat(one), lstat(other)];
  return a !== null && b !== null && a.dev === b.dev && a.ino === b.ino;
}

/** The kernel writes a space as `\040`. */
function unescape(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(parseInt(digits, 8)));
}
