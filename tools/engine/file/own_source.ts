import { detectEncoding } from "./encoding/detect.ts";
import type { ByteSource } from "./read_lines.ts";
import { fill } from "./read_start.ts";
import { MAX_TEXT_BYTES } from "./text_file.ts";

/** Reads a file in its own encoding as UTF-8; `null` if that is not sure. The file is at its start afterwards. */
export function readOwn(file: Deno.FsFile, size: number): { source: ByteSource; encoding: string } | null {
  file.seekSync(0, Deno.SeekMode.Start);
  if (size > MAX_TEXT_BYTES) return null;
  const bytes = new Uint8Array(size);
  const found = detectEncoding(bytes.subarray(0, fill(file, bytes, 0)));
  file.seekSync(0, Deno.SeekMode.Start);
  return found?.sure ? { source: sourceOf(found.text), encoding: found.codec.name } : null;
}

/** Returns a text as bytes that are read. */
export function sourceOf(text: string): ByteSource {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const readSync = (into: Uint8Array) => {
    if (at === bytes.length) return null;
    const piece = bytes.subarray(at, at + into.length);
    into.set(piece);
    at += piece.length;
    return piece.length;
  };
  return {
    statSync: () => ({ size: bytes.length }),
    readSync,
    read: (into) => Promise.resolve(readSync(into)),
  };
}
