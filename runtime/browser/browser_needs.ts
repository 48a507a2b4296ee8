import { dirname } from "@std/path";

import { isOfSystem } from "../programs/box/only_programs.ts";
import type { ProgramNeeds } from "../programs/narrow/program_needs.ts";
import { SYSTEM_FOLDERS } from "../walls/box/bubblewrap.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import { isInside } from "../walls/grants/inside.ts";

/** What the scripts need with which systems start browsers. */
const HELPERS = [
  "sh",
  "bash",
  "basename",
  "cat",
  "cut",
  "dirname",
  "expr",
  "grep",
  "ls",
  "mkdir",
  "readlink",
  "sed",
  "uname",
];
/** Folders outside of the system's in which packages put browsers. */
const PACKAGES = ["/opt"];

/**
 * Returns what a browser may touch: the hosts that tools may reach, its own folder, and no file of the user. Needs `read`.
 *
 * @param path Of the browser; `null` if there is none
 */
export function browserNeeds(path: string | null): ProgramNeeds {
  const real = path === null ? null : realOrNull(path);
  const isSystem = real === null || SYSTEM_FOLDERS.some((folder) => isInside(folder, real));
  const top = real === null ? undefined : PACKAGES.find((folder) => isInside(folder, real));
  const folder = real === null || isSystem ? [] : [top ?? dirname(real)];
  return { net: true, commands: HELPERS.filter(isOfSystem), packages: folder };
}
