import { MAX_SERVER_MESSAGE } from "./mcp_wire.ts";

const NEWLINE = 0x0a;

/**
 * Cuts a stream of bytes into lines, without their ends. What is too long is never put together: the lines end there.
 *
 * @param onTooLong Called when a line is longer than the bound
 */
export async function* cutLines(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes = MAX_SERVER_MESSAGE, onTooLong }: { maxBytes?: number; onTooLong: () => void },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, end < 0 ? chunk.length : end);
      if (length + part.length > maxBytes) return onTooLong();
      if (part.length > 0) parts.push(part);
      length += part.length;
      if (end < 0) break;
      from = end + 1;
      if (length > 0) yield joined(parts, length);
      parts = [];
      length = 0;
    }
  }
}

/** Always a copy: it goes to another thread, with its memory. */
function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const line = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    line.set(part, at);
    at += part.length;
  }
  return line;
}
