import { ToolError } from "../../../schemas/error.ts";
import { LongWork } from "../../wait/long_work.ts";
import { type OpenPlain, openPlain } from "../../walls/files/open_plain.ts";

/** How much is compared at once, in bytes. */
const PIECE = 1024 * 1024;

/**
 * Says whether two files have the same bytes; `false` if one cannot be read. Needs `read`.
 *
 * @param one Absolute, real path; so is `other`
 */
export async function sameContent(one: string, other: string): Promise<boolean> {
  try {
    using first = openPlain(one, { mayHaveNames: true });
    using second = openPlain(other, { mayHaveNames: true });
    if (first === null || second === null || first.size !== second.size) return false;
    const [a, b] = [new Uint8Array(PIECE), new Uint8Array(PIECE)];
    const work = new LongWork();
    for (let at = 0; at < first.size;) {
      const length = fill(first, a, at);
      if (length === 0 || fill(second, b, at) !== length) return false;
      for (let i = 0; i < length; i++) if (a[i] !== b[i]) return false;
      at += length;
      if (work.isDue) await work.pause();
    }
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

function fill(file: OpenPlain, buffer: Uint8Array, from: number): number {
  let length = 0;
  while (length < buffer.length) {
    const read = file.readAt(buffer.subarray(length), from + length);
    if (read === 0) break;
    length += read;
  }
  return length;
}
