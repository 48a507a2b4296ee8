import { dirname } from "@std/path";

import { PERSONAL_FOLDERS } from "../../walls/grants/personal_folders.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { isInside } from "../../walls/grants/inside.ts";

/** Folders that hold much more than one program. */
const WIDE = ["/", "/opt", "/usr", "/usr/local", "/var", "/srv", "/mnt", "/media", "/home", "/tmp", "/data"];

/**
 * Returns the folders that a sandbox must show so that a program can start: where it is found, and where it really
 * is. For a `bin` it is the folder around it, because what the program needs lies there, too.
 *
 * @param path Absolute path of the program, as it is found
 */
export function foldersToShow(
  path: string,
  { home, shows }: { home: string; shows(path: string): boolean },
): string[] {
  const places = [dirname(path), dirname(realOrNull(path) ?? path)].map((folder) =>
    realOrNull(folder) ?? folder
  );
  const folders: string[] = [];
  for (const place of places) {
    if (shows(place) || folders.some((folder) => isInside(folder, place))) continue;
    folders.push(around(place, home));
  }
  return folders;
}

function around(folder: string, home: string): string {
  const above = dirname(folder);
  // The home of another user is as wide as the own one.
  if (!/\/s?bin$/.test(folder) || WIDE.includes(above) || dirname(above) === "/home") return folder;
  const personal = home === "" ? [] : [home, ...PERSONAL_FOLDERS.map((name) => `${home}/${name}`)];
  return personal.some((held) => isInside(above, held)) ? folder : above;
}
