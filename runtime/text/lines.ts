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

  /** Returns what stands after the last LF, `""` if nothing does. */
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
