import { join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { lstat, realOrNull } from "../walls/files/file_facts.ts";
import { systemError } from "../walls/files/system_error.ts";
import { lookAtPlainFile, type PlainFile, readPlainFile } from "./plain_file.ts";

/** A file that calls left with a session. */
export interface KeptArtifact {
  /** Its path in the folder of artifacts, with `/`. */
  name: string;
  /** Media type. */
  type: string;
  bytes: number;
}

/** Most files that are listed. */
const MAX_LISTED = 1_000;
/** Most entries that are looked at for them, in all folders. */
const MAX_SEEN = 20_000;
/** Deepest folders of folders. */
const MAX_DEPTH = 16;
/** Longest name, as file systems have it. */
const MAX_NAME = 255;

/** Returns the folder of the files that calls left with a session. */
export function artifactsOf(sessionFolder: string): string {
  return join(sessionFolder, "artifacts");
}

/** Lists the files that calls left, also those in folders, by name. Links are left out. Needs `read`. */
export function listArtifacts(folder: string): KeptArtifact[] {
  const kept: KeptArtifact[] = [];
  const real = realOrNull(folder) ?? folder;
  for (const name of filesBelow(real).sort()) {
    if (kept.length === MAX_LISTED) break;
    const facts = lookAtPlainFile(join(real, name));
    if (facts !== null) kept.push({ name, ...facts });
  }
  return kept;
}

/**
 * Reads a file that a call left. Needs `read`.
 *
 * @param name Its path in the folder, with `/`
 * @throws {ToolError} `not_found` if there is no plain file there, also behind a link; `limit_exceeded` if it is larger than `maxBytes`
 */
export async function readArtifact(
  folder: string,
  name: string,
  bounds: { maxBytes: number },
): Promise<PlainFile> {
  const steps = name.split("/");
  const isPath = steps.length <= MAX_DEPTH && steps.every(isName);
  const real = isPath ? realOrNull(folder) : null;
  const file = real === null ? null : await readPlainFile(join(real, ...steps), bounds);
  if (file !== null) return file;
  throw new ToolError("not_found", `No file ${JSON.stringify(name.slice(0, 200))} is kept with this session`);
}

function isName(name: string): boolean {
  return !["", ".", ".."].includes(name) && name.length <= MAX_NAME && !/[\\\0]/.test(name);
}

/** The paths of files in a folder and in those below. */
function filesBelow(folder: string): string[] {
  const found: string[] = [];
  const folders = [{ path: "", depth: 1 }];
  let seen = 0;
  for (let next = folders.shift(); next && seen < MAX_SEEN; next = folders.shift()) {
    for (const { name, isDirectory, isFile } of entriesOf(join(folder, next.path))) {
      if (seen++ === MAX_SEEN) break;
      const path = next.path === "" ? name : `${next.path}/${name}`;
      if (isFile) found.push(path);
      else if (isDirectory && next.depth < MAX_DEPTH) folders.push({ path, depth: next.depth + 1 });
    }
  }
  return found;
}

function entriesOf(folder: string): Deno.DirEntry[] {
  try {
    return lstat(folder)?.isDirectory ? Array.from(Deno.readDirSync(folder)) : [];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw systemError(error, "list", folder);
  }
}
