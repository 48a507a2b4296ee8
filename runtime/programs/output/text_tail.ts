/** Keeps the end of a text that comes in pieces of bytes. */
export class TextTail {
  readonly #most: number;
  readonly #decoder = new TextDecoder();
  #text = "";

  /** @param most Characters that are kept */
  constructor(most: number) {
    this.#most = most;
  }

  /** The end of what came so far. */
  get text(): string {
    return this.#text.slice(-this.#most);
  }

  /** Takes the next piece. */
  push(bytes: Uint8Array): void {
    // Of a large piece only the end can stay.
    const last = bytes.subarray(-4 * this.#most);
    this.#text += this.#decoder.decode(last, { stream: true });
    if (this.#text.length > 2 * this.#most) this.#text = this.text;
  }
}
