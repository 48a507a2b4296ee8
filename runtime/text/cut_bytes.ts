/**
 * Cuts a stream of bytes into messages at one byte, without that byte; empty messages are left out. What is too long is
 * never put together: the messages end there.
 *
 * @param options `at` is the byte; `onTooLong` is called when a message is longer than `maxBytes`
 */
export async function* cutBytes(
  chunks: AsyncIterable<Uint8Array>,
  { at, maxBytes, onTooLong }: { at: number; maxBytes: number; onTooLong: () => void },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(at, from);
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
  const message = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    message.set(part, at);
    at += part.length;
  }
  return message;
}
