import { join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { systemError } from "../walls/files/system_error.ts";
import { lookAtPlainFile, type PlainFile, readPlainFile } from "./plain_file.ts";

/** A file that calls left with a session. */
export interface KeptArtifact {
  name: string;
  /** Media type. */
  type: string;
  bytes: number;
}

/** Most files that are listed. */
const MAX_LISTED = 1_000;
/** Longest name, as file systems have it. */
const MAX_NAME = 255;

/** Returns the folder of the files that calls left with a session. */
export function artifactsOf(sessionFolder: string): string {
  return join(sessionFolder, "artifacts");
}

/** Lists the files that calls left, by name. Links and folders are left out. Needs `read`. */
export async function listArtifacts(folder: string): Promise<KeptArtifact[]> {
  const kept: KeptArtifact[] = [];
  for (const name of namesOf(folder).sort().slice(0, MAX_LISTED)) {
    const facts = await lookAtPlainFile(join(folder, name));
    if (facts !== null) kept.push({ name, ...facts });
  }
  return kept;
}

/**
 * Reads a file that a call left. Needs `read`.
 *
 * @param name Its name in the folder, and no path
 * @throws {ToolError} `not_found` if there is no plain file of this name; `limit_exceeded` if it is larger than `maxBytes`
 */
export async function readArtifact(
  folder: string,
  name: string,
  bounds: { maxBytes: number },
): Promise<PlainFile> {
  const isName = !["", ".", ".."].includes(name) && name.length <= MAX_NAME && !/[/\0]/.test(name);
  const file = isName ? await readPlainFile(join(folder, name), bounds) : null;
  if (file !== null) return file;
  throw new ToolError("not_found", `No file ${JSON.stringify(name.slice(0, 200))} is kept with this session`);
}

function namesOf(folder: string): string[] {
  try {
    if (!Deno.lstatSync(folder).isDirectory) return [];
    return Array.from(Deno.readDirSync(folder), ({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw systemError(error, "list", folder);
  }
}
