import { type ContentKind, formatOf } from "../../../schemas/first_bytes.ts";
import { isWideText } from "./encoding/detect.ts";

/** How many bytes from the start of a file are enough to tell what it holds. */
export const HEAD_BYTES = 8192;

/** Office files are zip archives: the folder of their parts tells them apart. */
const OFFICE: readonly (readonly [string, string, string])[] = [
  ["docx", "word/", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["xlsx", "xl/", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["pptx", "ppt/", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
];

/** Parts that only office files have: some programs write the list of contents last. */
const OFFICE_PARTS: readonly RegExp[] = [
  /^\[Content_Types\]\.xml$/,
  /^(word|xl|ppt)\/(document|styles|settings|numbering|fontTable|workbook|sharedStrings|presentation)\.xml$/,
  /^(word|xl|ppt)\/(_rels|theme|slides|worksheets)\/[^/]+\.xml(\.rels)?$/,
];

const ZIP_NAME_OFFSET = 30;
/** Text, but not in UTF-8: each of its ASCII characters has a NUL beside it. */
const WIDE = "utf-16";

/**
 * Tells what a file holds from its first bytes; its name counts only if the bytes do not tell.
 *
 * @param bytes Up to {@linkcode HEAD_BYTES} bytes from the start of the file
 */
export function sniff(bytes: Uint8Array, path: string): ContentKind {
  const head = bytes.subarray(0, HEAD_BYTES);
  const known = formatOf(head);
  if (known?.format === "zip") return sniffZip(head, path);
  if (known?.format === "mp4" && path.toLowerCase().endsWith(".m4a")) {
    return { type: "audio", format: "m4a", mime: "audio/mp4" };
  }
  if (known && known.format !== WIDE) return known;
  if (head.includes(0)) {
    if (isWideText(head)) return { type: "text", format: WIDE, mime: "text/plain; charset=utf-16" };
    return { type: "binary", format: "", mime: "application/octet-stream" };
  }
  return { type: "text", format: "", mime: "text/plain" };
}

/** Reads the start of an open file, tells what it holds, and goes back to the start. */
export function sniffFile(file: Deno.FsFile, path: string): ContentKind {
  const head = new Uint8Array(HEAD_BYTES);
  let size = 0;
  while (size < head.length) {
    const read = file.readSync(head.subarray(size));
    if (read === null) break;
    size += read;
  }
  file.seekSync(0, Deno.SeekMode.Start);
  return sniff(head.subarray(0, size), path);
}

function sniffZip(head: Uint8Array, path: string): ContentKind {
  const names = zipNames(String.fromCharCode(...head));
  const lower = path.toLowerCase();
  const office = OFFICE.find(([, folder]) => names.some((name) => name.startsWith(folder))) ??
    OFFICE.find(([format]) => lower.endsWith(`.${format}`));
  const isSure = names.some((name) => OFFICE_PARTS.some((part) => part.test(name)));
  if (!office || (!isSure && !lower.endsWith(`.${office[0]}`))) {
    return { type: "archive", format: "zip", mime: "application/zip" };
  }
  return { type: "office", format: office[0], mime: office[2] };
}

/** Names of the archive's members whose headers begin in the given bytes. */
function zipNames(head: string): string[] {
  const names: string[] = [];
  for (let at = head.indexOf("PK\x03\x04"); at >= 0; at = head.indexOf("PK\x03\x04", at + 1)) {
    const length = head.charCodeAt(at + 26) + head.charCodeAt(at + 27) * 256;
    names.push(head.slice(at + ZIP_NAME_OFFSET, at + ZIP_NAME_OFFSET + (length || 0)));
  }
  return names;
}
