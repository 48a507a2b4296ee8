const LF = 10;

/**
 * Splits a stream of UTF-8 bytes into lines at LF, in bounded memory: a line that is too long comes as `null`.
 *
 * @param maxBytes Longest line
 */
export async function* readBoundedLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | null> {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (bytes: Uint8Array) => {
    length += bytes.length;
    if (length <= maxBytes) parts.push(bytes);
    else parts = [];
  };
  const line = () => {
    const text = length > maxBytes
      ? null
      : parts.map((part) => decoder.decode(part, { stream: true })).join("") +
        decoder.decode();
    parts = [];
    length = 0;
    return text;
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      take(chunk.subarray(start, end));
      yield line();
      start = end + 1;
    }
    // A copy: whoever fills the buffer may use it again.
    if (start < chunk.length) take(chunk.slice(start));
  }
  if (length > 0) yield line();
}
