import { basename, dirname, join } from "@std/path";

import { showPath } from "../bytes/odd_names.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { changeMode } from "./change_mode.ts";
import { moveEntry } from "./move_entry.ts";
import { isUnnamed } from "../bytes/odd_change.ts";
import { type Finding, SET_ID } from "./scan_folder.ts";

/** Takes the bits away that let others act as the owner of a file. Returns the line for the user. Needs `write`. */
export async function takeSetId(finding: Finding): Promise<string[]> {
  const path = showPath(finding.path);
  try {
    if (!await changeMode(finding, { less: SET_ID })) return [];
    return [`Took set-user-ID and set-group-ID off "${path}": a program set it, and others could act as you`];
  } catch (error) {
    return [
      `A program made "${path}" a set-user-ID file, with which others act as you, and it still is: ` +
      systemError(error, "change", path).message,
    ];
  }
}

/** Moves one entry away. Returns the line for the user. Needs `read` and `write`; does not throw. */
export async function putAside(
  { path, kind, info, why = "other programs would execute it" }: Finding,
  { folder, writable }: { folder: string | null; writable: readonly string[] },
): Promise<string> {
  const name = `${crypto.randomUUID().slice(0, 8)}-${basename(path)}`;
  const shown = showPath(path);
  // On another disk it stays in the tree under another name. A copy would read a file that its owner changes.
  const places = [
    ...(folder === null ? [] : [join(folder, name)]),
    ...foldersAbove(path, writable).map((place) => join(place, `.put-aside-${name}`)),
  ];
  try {
    const moved = `Moved "${shown}" to ${showPath(await moveEntry({ path, info }, places))}: a program made`;
    if (kind === "closed") return `${moved} it, and it is too deep to be looked through`;
    const keep = isUnnamed(path) ? "" : `; pass ${showFlags([flagWord("--allow-write", [path])])} to keep it`;
    return `${moved} or changed it, and ${why}${keep}`;
  } catch (error) {
    const { message } = systemError(error, "move", shown);
    return `A program made or changed "${shown}", and ${why}; it is still there: ${message}`;
  }
}

/** From the top of what may be written to the entry's own folder: one of them is on its disk. */
function foldersAbove(path: string, writable: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = dirname(path); covers(writable, at) && at !== dirname(at); at = dirname(at)) {
    if (!isUnnamed(at)) found.unshift(at);
  }
  return found;
}
