import { ToolError } from "../../schemas/error.ts";
import { formatOf } from "../../schemas/first_bytes.ts";
import { systemError } from "../walls/files/system_error.ts";

/** A file with its media type, judged by its first bytes, or else by the ending of its name. */
export interface PlainFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

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

/**
 * Reads a plain file: no link, no pipe, and no second name of a file elsewhere. Needs `read`.
 *
 * @param path Absolute; the folder that it is in must be the one that is meant
 * @returns `null` if there is no such file
 * @throws {ToolError} `limit_exceeded` if it is larger than `maxBytes`; what the system says
 */
export async function readPlainFile(
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<PlainFile | null> {
  using file = await openPlain(path);
  if (file === null) return null;
  const { size } = file.statSync();
  if (size > maxBytes) {
    throw new ToolError("limit_exceeded", `"${path}" has ${size} bytes, the limit is ${maxBytes}`);
  }
  const bytes = new Uint8Array(size);
  let length = 0;
  try {
    for (let read: number | null = 1; length < size && read !== null && read > 0; length += read ?? 0) {
      read = await file.read(bytes.subarray(length));
    }
  } catch (error) {
    throw systemError(error, "read", path);
  }
  const whole = bytes.subarray(0, length);
  return { bytes: whole, type: typeOf(path, whole) };
}

/** Tells the type and the size of a plain file, `null` if there is none. Needs `read`. */
export async function lookAtPlainFile(path: string): Promise<{ type: string; bytes: number } | null> {
  using file = await openPlain(path);
  if (file === null) return null;
  const start = new Uint8Array(START_BYTES);
  const length = await file.read(start) ?? 0;
  return { type: typeOf(path, start.subarray(0, length)), bytes: file.statSync().size };
}

async function openPlain(path: string): Promise<Deno.FsFile | null> {
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

function typeOf(path: string, start: Uint8Array): string {
  const known = formatOf(start);
  if (known !== null) return known.mime;
  if (start.subarray(0, START_BYTES).includes(0)) return "application/octet-stream";
  const ending = /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TEXT_TYPES, ending) ? TEXT_TYPES[ending]! : "text/plain";
}
