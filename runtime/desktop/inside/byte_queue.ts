/** Bytes that came, until they are taken. */
export class ByteQueue {
  #chunks: Uint8Array[] = [];
  #length = 0;

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }

  /** Returns the next bytes without taking them, `null` if not so many came yet. */
  peek(count: number): Uint8Array | null {
    if (this.#length < count) return null;
    if ((this.#chunks[0]?.length ?? 0) < count) this.#join();
    return (this.#chunks[0] ?? new Uint8Array()).subarray(0, count);
  }

  /** Takes the next bytes, `null` if not so many came yet. */
  take(count: number): Uint8Array | null {
    const bytes = this.peek(count);
    if (bytes === null) return null;
    const [first] = this.#chunks;
    if (first !== undefined && first.length > count) this.#chunks[0] = first.subarray(count);
    else this.#chunks.shift();
    this.#length -= count;
    return bytes;
  }

  #join(): void {
    const all = new Uint8Array(this.#length);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [all];
  }
}
