/**
 * Reads an open file to its end, unless it is too large.
 *
 * @returns Its bytes, `null` if there are more than `maxBytes`
 */
export async function readBounded(file: Deno.FsFile, maxBytes: number): Promise<Uint8Array | null> {
  const bytes = await readStart(file, maxBytes + 1);
  return bytes.length > maxBytes ? null : bytes;
}

/** Reads at most so many bytes from the start of an open file. */
export async function readStart(file: Deno.FsFile, maxBytes: number): Promise<Uint8Array> {
  // A file's stated size may be wrong: the file may grow, or the kernel makes it.
  let buffer = new Uint8Array(Math.min(maxBytes, 64 * 1024));
  let length = 0;
  while (length < maxBytes) {
    if (length === buffer.length) {
      const larger = new Uint8Array(Math.min(maxBytes, buffer.length * 2));
      larger.set(buffer);
      buffer = larger;
    }
    const read = await file.read(buffer.subarray(length));
    if (read === null) break;
    length += read;
  }
  return buffer.subarray(0, length);
}
