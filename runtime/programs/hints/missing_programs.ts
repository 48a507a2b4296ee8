import { basename, isAbsolute, join, resolve } from "@std/path";

import { lstat, realOrNull } from "../../walls/files/file_facts.ts";
import { findProgram } from "../../walls/files/find_program.ts";
import { readFirstBytes } from "../../walls/files/open_plain.ts";
import { foldersToShow } from "../box/folders_to_show.ts";
import type { Outlook } from "../box/outlook.ts";
import type { Cause } from "./cause.ts";

/** Longest first line of a script, in bytes. */
const FIRST_LINE = 256;

/**
 * Returns which programs a sandbox does not show, although they are on the user's `PATH` or at the path that is
 * written, those that lack only their interpreter, and other files at paths. Needs `read`.
 *
 * @param names As a command writes them
 */
export function missingPrograms(names: readonly string[], outlook: Outlook): Cause[] {
  return [...new Set(names)].flatMap((name): Cause[] => {
    const path = pathOf(name, outlook);
    if (path === null) return [];
    const lacking = lacksIn(path, outlook);
    const folders = [...new Set(lacking.flatMap((one) => foldersToShow(one, outlook)))];
    const first = lacking[0];
    if (first === undefined || folders.length === 0 || !lacking.every(outlook.mayShow)) return [];
    if (first === path && !isProgram(path)) return [{ kind: "hidden file", name, path }];
    const needed = first === path ? name : `${basename(first)}, which ${name} needs,`;
    return [{ kind: "hidden program", name, needed, place: placeOf(first, name), folders }];
  });
}

function isProgram(path: string): boolean {
  return ((Deno.statSync(path).mode ?? 0) & 0o111) !== 0;
}

/** For a path that the command writes, it matters where that link leads. */
function placeOf(path: string, name: string): string {
  const real = name.includes("/") ? realOrNull(path) ?? path : path;
  return real.slice(0, real.lastIndexOf("/")) || "/";
}

/** The program as the user would start it; `null` if the sandbox has its own, or there is none anywhere. */
function pathOf(name: string, { cwd, path, hostPath, shows }: Outlook): string | null {
  if (name.includes("/")) {
    const full = resolve(cwd, name);
    return lstat(full) === null ? null : full;
  }
  const isThere = (folder: string) => {
    const at = findProgram(name, folder);
    const real = at === null ? null : realOrNull(at);
    return real !== null && shows(real);
  };
  const shown = path.split(":").find(isThere);
  return shown === undefined ? findProgram(name, hostPath) : join(shown, name);
}

/** The file itself if it is hidden, and its interpreter if that one is. */
function lacksIn(path: string, outlook: Outlook): string[] {
  const isShown = (file: string) => {
    const real = realOrNull(file);
    return real !== null && outlook.shows(real);
  };
  const real = realOrNull(path);
  if (real === null || !Deno.statSync(real).isFile) return [];
  const interpreter = interpreterOf(real, outlook);
  return [
    ...(isShown(path) ? [] : [path]),
    ...(interpreter === null || isShown(interpreter) ? [] : [interpreter]),
  ];
}

function interpreterOf(path: string, outlook: Outlook): string | null {
  const [program = "", ...args] = /^#!\s*(.*)/.exec(firstLine(path))?.[1]?.trim().split(/\s+/) ?? [];
  if (!isAbsolute(program)) return null;
  if (basename(program) !== "env") return realOrNull(program) === null ? null : program;
  const name = args.find((arg) => !arg.startsWith("-") && !arg.includes("="));
  return name === undefined ? null : pathOf(name, outlook);
}

function firstLine(path: string): string {
  // What the user may not read is no script for them.
  const bytes = readFirstBytes(path, FIRST_LINE) ?? new Uint8Array();
  return new TextDecoder().decode(bytes).split("\n")[0]!;
}
