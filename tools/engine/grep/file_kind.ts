import type { ScanMemory } from "./scan_memory.ts";

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

/** Last letters of those endings: most names are told from one letter. */
const LAST_LETTERS = new Set(
  [...KINDS.keys()].flatMap((ending) => [ending.at(-1)!, ending.at(-1)!.toUpperCase()]),
);

/** Tells what a file is from the ending of its name; `text` if that says nothing. */
export function kindOfName(path: string): FileKind {
  if (!LAST_LETTERS.has(path[path.length - 1]!)) return "text";
  return KINDS.get(path.slice(path.lastIndexOf(".") + 1).toLowerCase()) ?? "text";
}

/**
 * Tells what a file is from its first bytes: signatures, and a NUL in the first 8 KiB.
 *
 * @param memory Holds the file from its start
 * @param held How many of the bytes are the file's
 */
export function kindOfBytes(memory: ScanMemory, held: number): FileKind {
  const { bytes } = memory;
  if (SIGNATURE_STARTS.has(bytes[0]!)) {
    const known = SIGNATURES.find(([, signature]) => startsWith(bytes, held, signature));
    if (known) return known[0];
    if (held > 12 && String.fromCharCode(...bytes.subarray(8, 12)) === "WEBP") return "image";
  }
  return memory.hasNul(Math.min(held, NUL_BYTES)) ? "binary" : "text";
}

function startsWith(bytes: Uint8Array, held: number, signature: readonly number[]): boolean {
  return signature.length <= held && signature.every((byte, at) => byte === bytes[at]);
}
