import type { ByteSource } from "./read_lines.ts";

/**
 * Reads the first bytes of a file. Needs `read`.
 *
 * @param maxBytes Most bytes to read
 * @throws Deno's errors
 */
export function readStart(path: string, maxBytes: number): Uint8Array {
  using file = Deno.openSync(path);
  const bytes = new Uint8Array(Math.min(maxBytes, file.statSync().size));
  return bytes.subarray(0, fill(file, bytes, 0));
}

/**
 * Reads into `bytes` from `from` on until they are full or the file ends; returns where it stopped.
 *
 * @param end Where to stop before. @default the end of `bytes`
 */
export function fill(
  file: Pick<ByteSource, "readSync">,
  bytes: Uint8Array,
  from: number,
  end: number = bytes.length,
): number {
  let at = from;
  while (at < end) {
    const got = file.readSync(bytes.subarray(at));
    if (got === null) break;
    at += got;
  }
  return at;
}
