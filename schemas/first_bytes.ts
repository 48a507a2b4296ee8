/** The kinds of content that are treated differently. */
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

/** How many of a file's first bytes tell its format. */
const SIGNATURE_BYTES = 272;

/** Bytes at fixed offsets, written as Latin-1. */
type Signature = readonly (readonly [offset: number, bytes: string])[];

// Our own table: file-type reads the environment on import, which a reader must not do. It also mistakes 7 of
// the 28 file starts in sniff_test.ts, such as the text "BMW is a word" for a picture.
const SIGNATURES: readonly (readonly [ContentType, format: string, mime: string, ...Signature[]])[] = [
  ["pdf", "pdf", "application/pdf", [[0, "%PDF-"]]],
  ["image", "png", "image/png", [[0, "\x89PNG\r\n\x1a\n"]]],
  ["image", "jpeg", "image/jpeg", [[0, "\xff\xd8\xff"]]],
  ["image", "gif", "image/gif", [[0, "GIF87a"]], [[0, "GIF89a"]]],
  // A sentence may start with "BM" too, so a known header size must follow.
  ["image", "bmp", "image/bmp", [[0, "BM"], [15, "\0\0\0"]]],
  ["image", "webp", "image/webp", [[0, "RIFF"], [8, "WEBP"]]],
  ["image", "tiff", "image/tiff", [[0, "II*\0"]], [[0, "MM\0*"]], [[0, "II+\0"]], [[0, "MM\0+"]]],
  ["image", "ico", "image/x-icon", [[0, "\0\0\x01\0"], [9, "\0"]]],
  ["image", "avif", "image/avif", [[4, "ftypavif"]], [[4, "ftypavis"]]],
  ["image", "heic", "image/heic", [[4, "ftyphe"]], [[4, "ftypmif1"]], [[4, "ftypmsf1"]]],
  ["image", "jxl", "image/jxl", [[0, "\xff\x0a"]], [[4, "JXL \r\n"]]],
  ["image", "jp2", "image/jp2", [[4, "jP  \r\n"]], [[0, "\xff\x4f\xff\x51"]]],
  ["image", "pnm", "image/x-portable-anymap", [[0, "P4\n"]], [[0, "P5\n"]], [[0, "P6\n"]]],
  ["image", "icns", "image/icns", [[0, "icns\0"]]],
  ["image", "dds", "image/vnd.ms-dds", [[0, "DDS |\0\0\0"]]],
  ["image", "sgi", "image/x-sgi", [[0, "\x01\xda\0"]], [[0, "\x01\xda\x01"]]],
  ["image", "pcx", "image/x-pcx", [[0, "\n\x05\x01"]], [[0, "\n\x03\x01"]], [[0, "\n\x02\x01"]]],
  ["image", "psd", "image/vnd.adobe.photoshop", [[0, "8BPS\0"]]],
  ["audio", "wav", "audio/wav", [[0, "RIFF"], [8, "WAVE"]]],
  ["audio", "mp3", "audio/mpeg", [[0, "ID3\x02"]], [[0, "ID3\x03"]], [[0, "ID3\x04"]]],
  ["audio", "mp3", "audio/mpeg", [[0, "\xff\xfb"]], [[0, "\xff\xfa"]], [[0, "\xff\xf3"]], [[0, "\xff\xf2"]]],
  ["audio", "m4a", "audio/mp4", [[4, "ftypM4A "]], [[4, "ftypM4B "]]],
  ["audio", "flac", "audio/flac", [[0, "fLaC"]]],
  ["audio", "ogg", "audio/ogg", [[0, "OggS\0"]]],
  ["video", "mp4", "video/mp4", [[4, "ftyp"]]],
  ["video", "webm", "video/webm", [[0, "\x1aE\xdf\xa3"]]],
  ["video", "avi", "video/x-msvideo", [[0, "RIFF"], [8, "AVI "]]],
  ["archive", "zip", "application/zip", [[0, "PK\x03\x04"]], [[0, "PK\x05\x06"]]],
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

/** Returns the format that the first bytes of a file show; `null` for text and for unknown bytes. */
export function formatOf(bytes: Uint8Array): ContentKind | null {
  const start = String.fromCharCode(...bytes.subarray(0, SIGNATURE_BYTES));
  const fits = (signature: Signature) => signature.every(([at, bytes]) => start.startsWith(bytes, at));
  const known = SIGNATURES.find(([, , , ...signatures]) => signatures.some(fits));
  return known ? { type: known[0], format: known[1], mime: known[2] } : null;
}
