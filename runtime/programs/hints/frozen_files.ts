import { relative } from "@std/path";

import { showFlags } from "../../walls/grants/flag_word.ts";
import type { Outlook } from "../box/outlook.ts";

/** What programs say of a file that a box holds as it is: it cannot be written, or not be replaced. */
const REFUSED = /read-only file system|device or resource busy|\bEROFS\b|\bEBUSY\b/i;
/** Most files that are named. */
const MAX_NAMED = 3;

/** Names the protected files that a program tried to change, and the flag that opens them. */
export function frozenHints(output: string, { closed, cwd, thaws }: Outlook): string[] {
  const lines = output.split("\n").filter((line) => REFUSED.test(line));
  if (lines.length === 0) return [];
  const tried = closed.frozen.filter((path) => thaws(path).length > 0 && names(path, cwd, lines));
  return tried.slice(0, MAX_NAMED).map((path) =>
    `"${relative(cwd, path)}" is protected, since other programs execute or obey it: pass ${
      showFlags(thaws(path))
    } to let programs change it`
  );
}

/** A program may have changed its folder: then it names the last parts of the path. */
function names(path: string, cwd: string, lines: readonly string[]): boolean {
  const ends = [path, relative(cwd, path), path.split("/").slice(-2).join("/")];
  return lines.some((line) => ends.some((end) => line.includes(end)));
}
