/** Cuts a stream of UTF-8 bytes into lines at LF. */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  #parts: string[] = [];

  /** Takes the next bytes; returns the lines that they complete, without their LF. */
  push(bytes: Uint8Array): string[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    if (!text.includes("\n")) {
      if (text !== "") this.#parts.push(text);
      return [];
    }
    const lines = text.split("\n");
    lines[0] = this.#parts.join("") + lines[0];
    const rest = lines.pop()!;
    this.#parts = rest === "" ? [] : [rest];
    return lines;
  }

  /** Returns the text after the last LF, `""` if there is no text. */
  end(): string {
    return this.#parts.join("") + this.#decoder.decode();
  }
}

/** Splits a byte stream into lines; a last line without LF counts. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const splitter = new LineSplitter();
  for await (const chunk of stream) yield* splitter.push(chunk);
  const rest = splitter.end();
  if (rest !== "") yield rest;
}

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
    // A copy: the owner of the buffer may use it again.
    if (start < chunk.length) take(chunk.slice(start));
  }
  if (length > 0) yield line();
}
