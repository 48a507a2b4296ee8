/** Why a file is not searched as text, or `text`. */
export type FileKind = "text" | "binary" | "image" | "pdf";

const KINDS: ReadonlyMap<string, FileKind> = new Map([
  ["pdf", "pdf"],
  ...["png", "jpg", "jpeg", "gif", "bmp", "webp", "tif", "tiff"].map((ending) => [ending, "image"] as const),
]);

const SIGNATURES: readonly (readonly [FileKind, readonly number[]])[] = [
  ["pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["image", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image", [0xff, 0xd8, 0xff]],
  ["image", [0x47, 0x49, 0x46, 0x38, 0x37, 0x61]],
  ["image", [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]],
  ["image", [0x49, 0x49, 0x2a, 0x00]],
  ["image", [0x4d, 0x4d, 0x00, 0x2a]],
];

/** First bytes of the signatures, and of WebP. */
const SIGNATURE_STARTS: ReadonlySet<number> = new Set([0x25, 0x89, 0xff, 0x47, 0x49, 0x4d, 0x52]);

/** How far a NUL byte is looked for, in bytes. */
const NUL_BYTES = 8192;

/** Tells what a file is from the ending of its name; `text` if that says nothing. */
export function kindOfName(path: string): FileKind {
  return KINDS.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase()) ?? "text";
}

/**
 * Tells what a file is from its first bytes: signatures, and a NUL in the first 8 KiB.
 *
 * @param held How many of the bytes are the file's
 * @param words The same memory as 32-bit words
 */
export function kindOfBytes(bytes: Uint8Array, held: number, words: Int32Array): FileKind {
  if (SIGNATURE_STARTS.has(bytes[0]!)) {
    const known = SIGNATURES.find(([, signature]) => startsWith(bytes, held, signature));
    if (known) return known[0];
    if (held > 12 && String.fromCharCode(...bytes.subarray(8, 12)) === "WEBP") return "image";
  }
  return hasNul(bytes, Math.min(held, NUL_BYTES), words) ? "binary" : "text";
}

function startsWith(bytes: Uint8Array, held: number, signature: readonly number[]): boolean {
  return signature.length <= held && signature.every((byte, at) => byte === bytes[at]);
}

function hasNul(bytes: Uint8Array, end: number, words: Int32Array): boolean {
  const wholeWords = end >> 2;
  let at = 0;
  for (; at + 3 < wholeWords; at += 4) {
    const marks = zeroMark(words[at]!) | zeroMark(words[at + 1]!) | zeroMark(words[at + 2]!) |
      zeroMark(words[at + 3]!);
    if (marks !== 0) return true;
  }
  for (at <<= 2; at < end; at++) {
    if (bytes[at] === 0) return true;
  }
  return false;
}

/** Not zero if one of the four bytes is: the lowest byte that is zero borrows, which sets its highest bit. */
function zeroMark(word: number): number {
  return (word - 0x01010101) & ~word & 0x80808080;
}
