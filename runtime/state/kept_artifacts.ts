import { join } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { formatOf } from "../../schemas/first_bytes.ts";
import { systemError } from "../walls/files/system_error.ts";

/** A file that calls left with a session. */
export interface KeptArtifact {
  name: string;
  /** Media type, by its first bytes, or else by the ending of its name. */
  type: string;
  bytes: number;
}

/** Most files that are listed. */
const MAX_LISTED = 1_000;
/** Longest name, as file systems have it. */
const MAX_NAME = 255;
/** How many first bytes tell a type. */
const START_BYTES = 512;

/** Types of text, by the ending of the name; other text is plain. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  css: "text/css",
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  mjs: "text/javascript",
  svg: "image/svg+xml",
  xhtml: "application/xhtml+xml",
  xml: "application/xml",
};

/** Returns the folder of the files that calls left with a session. */
export function artifactsOf(sessionFolder: string): string {
  return join(sessionFolder, "artifacts");
}

/** Lists the files that calls left, by name. Links and folders are left out. Needs `read`. */
export async function listArtifacts(folder: string): Promise<KeptArtifact[]> {
  const kept: KeptArtifact[] = [];
  for (const name of namesOf(folder).sort().slice(0, MAX_LISTED)) {
    using file = await openOwn(join(folder, name));
    if (file === null) continue;
    const start = new Uint8Array(START_BYTES);
    const length = await file.read(start) ?? 0;
    kept.push({ name, type: typeOf(name, start.subarray(0, length)), bytes: file.statSync().size });
  }
  return kept;
}

/**
 * Reads a file that a call left. Needs `read`.
 *
 * @param name Its name in the folder, and no path
 * @throws {ToolError} `not_found` if there is no file of this name, links included; `limit_exceeded` if it is larger than `maxBytes`
 */
export async function readArtifact(
  folder: string,
  name: string,
  { maxBytes }: { maxBytes: number },
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string }> {
  const isName = !["", ".", ".."].includes(name) && name.length <= MAX_NAME && !/[/\0]/.test(name);
  using file = isName ? await openOwn(join(folder, name)) : null;
  if (file === null) {
    throw new ToolError(
      "not_found",
      `No file ${JSON.stringify(name.slice(0, 200))} is kept with this session`,
    );
  }
  const { size } = file.statSync();
  if (size > maxBytes) {
    throw new ToolError(
      "limit_exceeded",
      `${JSON.stringify(name)} has ${size} bytes, the limit is ${maxBytes}; find it in "${folder}"`,
    );
  }
  const bytes = new Uint8Array(size);
  let length = 0;
  try {
    for (let read: number | null = 1; length < size && read !== null && read > 0; length += read ?? 0) {
      read = await file.read(bytes.subarray(length));
    }
  } catch (error) {
    throw systemError(error, "read", name);
  }
  const whole = bytes.subarray(0, length);
  return { bytes: whole, type: typeOf(name, whole) };
}

/** Opens a plain file: no link, no pipe, and no second name of a file elsewhere. `null` for all else. */
async function openOwn(path: string): Promise<Deno.FsFile | null> {
  try {
    const named = await Deno.lstat(path);
    if (!named.isFile || (named.nlink ?? 1) > 1) return null;
    const file = await Deno.open(path);
    const opened = file.statSync();
    // Somebody may put a link there in between.
    if (opened.isFile && opened.ino === named.ino && opened.dev === named.dev) return file;
    file.close();
    return null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return null;
    if (error instanceof Deno.errors.PermissionDenied) return null;
    throw systemError(error, "open", path);
  }
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

function typeOf(name: string, start: Uint8Array): string {
  const known = formatOf(start);
  if (known !== null) return known.mime;
  if (start.subarray(0, START_BYTES).includes(0)) return "application/octet-stream";
  const ending = /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TEXT_TYPES, ending) ? TEXT_TYPES[ending]! : "text/plain";
}
