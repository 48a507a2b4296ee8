import { basename, dirname } from "@std/path";

import { interpreterWords } from "../programs/box/only_programs.ts";
import { realOrNull } from "../walls/files/file_facts.ts";

/** Where packages keep the program that their script starts. */
const BINARIES: readonly string[] = [
  "/usr/lib/chromium/chromium",
  "/usr/lib64/chromium-browser/chromium-browser",
  "/usr/lib/chromium-browser/chromium-browser",
  "/opt/google/chrome/chrome",
  "/opt/microsoft/msedge/msedge",
];
/** Where packages put scripts; one elsewhere is the user's own. */
const SCRIPTS = "/usr/bin";

/**
 * Returns the program that a script of a package starts: the script reads settings of the system, which a box does not show.
 * Any other browser is returned as it is. Needs `read`.
 *
 * @param places Where packages keep their programs and scripts
 */
export function browserBinary(path: string, { binaries = BINARIES, scripts = SCRIPTS } = {}): string {
  const real = realOrNull(path);
  if (real === null || interpreterWords(real).length === 0) return path;
  const folder = dirname(real);
  const isOwn = (binary: string) =>
    folder === dirname(binary) || folder === scripts && basename(real).startsWith(basename(dirname(binary)));
  return binaries.find((binary) => binary !== real && isOwn(binary) && realOrNull(binary) !== null) ?? path;
}
