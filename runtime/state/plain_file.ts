import { formatOf } from "../../schemas/first_bytes.ts";
import { openPlain, readPlainSlowly } from "../walls/files/open_plain.ts";

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
 * @param path Absolute, real path
 * @returns `null` if there is no such file
 * @throws {ToolError} `limit_exceeded` if it is larger than `maxBytes`; what the system says
 */
export async function readPlainFile(
  path: string,
  { maxBytes }: { maxBytes: number },
): Promise<PlainFile | null> {
  const bytes = await readPlainSlowly(path, { maxBytes });
  return bytes && { bytes, type: typeOf(path, bytes) };
}

/** Tells the type and the size of a plain file, `null` if there is none. Needs `read`. */
export function lookAtPlainFile(path: string): { type: string; bytes: number } | null {
  using file = openPlain(path);
  if (file === null) return null;
  const start = new Uint8Array(START_BYTES);
  return { type: typeOf(path, start.subarray(0, file.readAt(start, 0))), bytes: file.size };
}

function typeOf(path: string, start: Uint8Array): string {
  const known = formatOf(start);
  if (known !== null) return known.mime;
  if (start.subarray(0, START_BYTES).includes(0)) return "application/octet-stream";
  const ending = /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TEXT_TYPES, ending) ? TEXT_TYPES[ending]! : "text/plain";
}
