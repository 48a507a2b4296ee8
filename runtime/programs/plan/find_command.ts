import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { ProgramSpec } from "../../../schemas/program.ts";
import type { Guard } from "../../walls/files/guard.ts";
import { foldersToShow } from "../box/folders_to_show.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { findProgram } from "../../walls/files/find_program.ts";
import { flagWord, showFlags } from "../../walls/grants/flag_word.ts";

/** A program that was found. */
export interface FoundProgram {
  /** As the caller wrote it. */
  asked: string;
  /** Absolute, with its links: some programs read the name that started them. */
  path: string;
  /** Absolute, behind all links. */
  real: string;
  /** Its folder is on the search path. */
  onPath: boolean;
}

/** Where programs are looked for. */
export interface ProgramPlaces {
  cwd: string;
  /** Folders of programs, as in `PATH`. */
  searchPath: string;
  /** The user's search path; shows where a program is that the box does not show. */
  hostPath: string;
  /** The user's home, `""` if it is unknown. */
  home: string;
  /** Says whether the box shows a path; without a box every path is shown. */
  shows(path: string): boolean;
}

/**
 * Finds a program by name on the search path, or by a path that starts at the program's folder. Needs `read`.
 *
 * @throws {ToolError} `not_found` if there is no such program, or it cannot be executed
 */
export function findCommand(asked: string, places: ProgramPlaces): FoundProgram {
  const { searchPath, shows } = places;
  const path = asked.includes("/") ? executable(asked, places.cwd) : onSearchPath(asked, places);
  const real = Deno.realPathSync(path);
  if (!shows(path) || !shows(real)) throw hidden(asked, path, places);
  const folders = searchPath.split(":");
  return {
    asked,
    path,
    real,
    onPath: folders.some((folder) => path === `${folder}/${path.split("/").at(-1)}`),
  };
}

/**
 * Returns the real path of the folder that a program starts in. Needs `read`.
 *
 * @throws {ToolError} `permission_denied` if it may not be read, `not_found`, or `invalid_input` for a file
 */
export async function programFolder(
  { cwd = ".", argv }: ProgramSpec,
  guard: Pick<Guard, "locate">,
  workspace: string,
): Promise<string> {
  const { real, info } = await guard.locate(cwd === "" ? workspace : cwd, "read");
  const what = `Cannot run "${argv[0]}" in "${cwd}"`;
  if (info === null) throw new ToolError("not_found", `${what}: no such folder`);
  if (!info.isDirectory) throw new ToolError("invalid_input", `${what}: it is not a directory`);
  return real;
}

/** Returns the real path of the file that a name stands for, `null` if there is none. Needs `read`. */
export function fileBehind(name: string, searchPath: string): string | null {
  const path = name.includes("/") ? name : findProgram(name, searchPath);
  return path === null ? null : realOrNull(path);
}

function onSearchPath(asked: string, places: ProgramPlaces): string {
  const { searchPath, hostPath } = places;
  const path = findProgram(asked, searchPath);
  if (path !== null) return path;
  const elsewhere = findProgram(asked, hostPath);
  if (elsewhere !== null) throw hidden(asked, elsewhere, places);
  throw notFound(asked, `no program of this name is in ${searchPath}`);
}

function executable(asked: string, cwd: string): string {
  const path = resolve(cwd, asked);
  try {
    const info = Deno.statSync(path);
    if (info.isDirectory) throw notFound(asked, "it is a folder", { reason: "not_executable" });
    if (!info.isFile || !((info.mode ?? 0) & 0o111)) {
      throw notFound(asked, "it is not executable", { reason: "not_executable" });
    }
    return path;
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw notFound(asked, "no such file");
  }
}

function hidden(asked: string, path: string, places: ProgramPlaces): ToolError {
  const pass = showFlags([flagWord("--sandbox-show", foldersToShow(path, places))]);
  return notFound(
    asked,
    `${path} is outside what the sandbox shows, pass ${pass} to show its folder`,
  );
}

function notFound(asked: string, why: string, details: Record<string, unknown> = {}): ToolError {
  return new ToolError("not_found", `Cannot run "${asked}": ${why}`, { details });
}
