/** How much is compared at once, in bytes. */
const PIECE = 1024 * 1024;

/** Says whether two files have the same bytes; `false` if one cannot be read. Needs `read`. */
export function sameContent(one: string, other: string): boolean {
  try {
    using first = Deno.openSync(one);
    using second = Deno.openSync(other);
    const size = first.statSync().size;
    if (size !== second.statSync().size) return false;
    const [a, b] = [new Uint8Array(PIECE), new Uint8Array(PIECE)];
    for (let at = 0; at < size;) {
      const length = fill(first, a);
      if (length === 0 || fill(second, b) !== length) return false;
      for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false;
      at += length;
    }
    return true;
  } catch {
    return false;
  }
}

function fill(file: Deno.FsFile, buffer: Uint8Array): number {
  let length = 0;
  while (length < buffer.length) {
    const read = file.readSync(buffer.subarray(length));
    if (read === null || read === 0) break;
    length += read;
  }
  return length;
}
