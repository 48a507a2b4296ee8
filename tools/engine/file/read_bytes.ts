const CHUNK_BYTES = 64 * 1024;

/** Options of {@linkcode readBytes}. */
export interface ReadBytesOptions {
  /** Stops after this many bytes: the file may grow while it is read. */
  maxBytes: number;
  /** Expected size of the file, in bytes. @default 0 */
  size?: number;
  signal?: AbortSignal;
}

/** Reads an open file from its position to its end and leaves it open. */
export async function readBytes(
  file: Deno.FsFile,
  options: ReadBytesOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes, size = 0, signal } = options;
  // One byte more than expected, so that the end shows without a second buffer.
  let buffer = new Uint8Array(Math.min(maxBytes, Math.max(size + 1, CHUNK_BYTES)));
  let used = 0;
  while (used < maxBytes) {
    signal?.throwIfAborted();
    if (used === buffer.length) {
      const larger = new Uint8Array(Math.min(maxBytes, buffer.length * 2));
      larger.set(buffer);
      buffer = larger;
    }
    const read = await file.read(buffer.subarray(used));
    if (read === null) break;
    used += read;
  }
  return buffer.subarray(0, used);
}
