/** The broad sorts of content that tools treat differently. */
export type ContentType =
  | "text"
  | "pdf"
  | "image"
  | "office"
  | "audio"
  | "video"
  | "archive"
  | "binary";

/** What a file holds, judged by its first bytes. */
export interface ContentKind {
  type: ContentType;
  /** The format where it is known, such as "png" or "docx"; "" for text and for unknown bytes. */
  format: string;
  mime: string;
}

/** How many bytes from the start of a file are enough to tell what it holds. */
export const HEAD_BYTES = 8192;

/** Bytes at fixed offsets, written as Latin-1. */
type Signature = readonly (readonly [offset: number, bytes: string])[];

const SIGNATURES: readonly (readonly [ContentType, string, string, Signature])[] = [
  ["pdf", "pdf", "application/pdf", [[0, "%PDF-"]]],
  ["image", "png", "image/png", [[0, "\x89PNG\r\n\x1a\n"]]],
  ["image", "jpeg", "image/jpeg", [[0, "\xff\xd8\xff"]]],
  ["image", "gif", "image/gif", [[0, "GIF87a"]]],
  ["image", "gif", "image/gif", [[0, "GIF89a"]]],
  // "BM" may start a sentence; the size of the header that follows does not.
  ["image", "bmp", "image/bmp", [[0, "BM"], [15, "\0\0\0"]]],
  ["image", "webp", "image/webp", [[0, "RIFF"], [8, "WEBP"]]],
  ["image", "tiff", "image/tiff", [[0, "II*\0"]]],
  ["image", "tiff", "image/tiff", [[0, "MM\0*"]]],
  ["image", "ico", "image/x-icon", [[0, "\0\0\x01\0"], [9, "\0"]]],
  ["image", "avif", "image/avif", [[4, "ftypavif"]]],
  ["image", "heic", "image/heic", [[4, "ftypheic"]]],
  ["image", "heic", "image/heic", [[4, "ftypmif1"]]],
  ["audio", "wav", "audio/wav", [[0, "RIFF"], [8, "WAVE"]]],
  ["audio", "mp3", "audio/mpeg", [[0, "ID3\x02"]]],
  ["audio", "mp3", "audio/mpeg", [[0, "ID3\x03"]]],
  ["audio", "mp3", "audio/mpeg", [[0, "ID3\x04"]]],
  ["audio", "mp3", "audio/mpeg", [[0, "\xff\xfb"]]],
  ["audio", "mp3", "audio/mpeg", [[0, "\xff\xfa"]]],
  ["audio", "mp3", "audio/mpeg", [[0, "\xff\xf3"]]],
  ["audio", "mp3", "audio/mpeg", [[0, "\xff\xf2"]]],
  ["audio", "m4a", "audio/mp4", [[4, "ftypM4A "]]],
  ["audio", "m4a", "audio/mp4", [[4, "ftypM4B "]]],
  ["audio", "flac", "audio/flac", [[0, "fLaC"]]],
  ["audio", "ogg", "audio/ogg", [[0, "OggS\0"]]],
  ["video", "mp4", "video/mp4", [[4, "ftyp"]]],
  ["video", "webm", "video/webm", [[0, "\x1aE\xdf\xa3"]]],
  ["video", "avi", "video/x-msvideo", [[0, "RIFF"], [8, "AVI "]]],
  ["archive", "zip", "application/zip", [[0, "PK\x03\x04"]]],
  ["archive", "zip", "application/zip", [[0, "PK\x05\x06"]]],
  ["archive", "gzip", "application/gzip", [[0, "\x1f\x8b\x08"]]],
  ["archive", "bzip2", "application/x-bzip2", [[0, "BZh"], [4, "1AY&SY"]]],
  ["archive", "xz", "application/x-xz", [[0, "\xfd7zXZ\0"]]],
  ["archive", "zstd", "application/zstd", [[0, "\x28\xb5\x2f\xfd"]]],
  ["archive", "7z", "application/x-7z-compressed", [[0, "7z\xbc\xaf\x27\x1c"]]],
  ["archive", "rar", "application/vnd.rar", [[0, "Rar!\x1a\x07"]]],
  ["archive", "tar", "application/x-tar", [[257, "ustar"]]],
  ["binary", "ole", "application/x-ole-storage", [[0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]]],
  ["binary", "sqlite", "application/vnd.sqlite3", [[0, "SQLite format 3\0"]]],
  ["binary", "elf", "application/x-elf", [[0, "\x7fELF"]]],
  ["binary", "wasm", "application/wasm", [[0, "\0asm"]]],
  // Text, but not in UTF-8: each of its ASCII characters has a NUL beside it.
  ["binary", "utf-16", "text/plain; charset=utf-16le", [[0, "\xff\xfe"]]],
  ["binary", "utf-16", "text/plain; charset=utf-16be", [[0, "\xfe\xff"]]],
];

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

const SIGNATURE_BYTES = 272;
const ZIP_NAME_OFFSET = 30;

/**
 * Tells what a file holds from its first bytes; its name counts only where they cannot tell.
 *
 * @param bytes Up to {@linkcode HEAD_BYTES} bytes from the start of the file
 */
export function sniff(bytes: Uint8Array, path: string): ContentKind {
  const head = bytes.subarray(0, HEAD_BYTES);
  const start = latin1(head.subarray(0, SIGNATURE_BYTES));
  const known = SIGNATURES.find(([, , , parts]) => parts.every(([at, bytes]) => start.startsWith(bytes, at)));
  if (known) {
    const [type, format, mime] = known;
    if (format === "zip") return sniffZip(head, path);
    if (format === "mp4" && path.toLowerCase().endsWith(".m4a")) {
      return { type: "audio", format: "m4a", mime: "audio/mp4" };
    }
    return { type, format, mime };
  }
  if (head.includes(0)) {
    return { type: "binary", format: "", mime: "application/octet-stream" };
  }
  return { type: "text", format: "", mime: "text/plain" };
}

/** Reads the start of an open file, tells what it holds, and goes back to the start. */
export async function sniffFile(file: Deno.FsFile, path: string): Promise<ContentKind> {
  const head = new Uint8Array(HEAD_BYTES);
  let size = 0;
  while (size < head.length) {
    const read = await file.read(head.subarray(size));
    if (read === null) break;
    size += read;
  }
  await file.seek(0, Deno.SeekMode.Start);
  return sniff(head.subarray(0, size), path);
}

function sniffZip(head: Uint8Array, path: string): ContentKind {
  const names = zipNames(latin1(head));
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

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
