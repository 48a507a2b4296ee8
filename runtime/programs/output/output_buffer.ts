import type { UnreadOutput } from "../../../schemas/program.ts";

/** Bounds of what is kept of a stream until it is read, in bytes. */
export interface BufferLimits {
  /** Bytes of the start, which are always kept. */
  headBytes: number;
  /** Bytes in all. */
  bufferBytes: number;
}

interface Piece {
  text: string;
  bytes: number;
}

/** Pieces up to this many characters are joined. */
const JOINED_CHARS = 4_096;

/** Holds a stream's text until it is read, in bounded memory; positions count characters from the stream's beginning. */
export class OutputBuffer {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #headMax: number;
  readonly #tailMax: number;
  #head = "";
  #headBytes = 0;
  #tail: Piece[] = [];
  #tailBytes = 0;
  #dropped = { chars: 0, bytes: 0 };
  /** Position of the first unread character. */
  #start = 0;
  /** Position after the last character. */
  #end = 0;

  constructor({ headBytes, bufferBytes }: BufferLimits) {
    this.#headMax = Math.min(headBytes, bufferBytes);
    this.#tailMax = bufferBytes - this.#headMax;
  }

  /** Position of the first unread character. */
  get start(): number {
    return this.#start;
  }

  /** Position after the last character. */
  get end(): number {
    return this.#end;
  }

  /** All unread text, without what was dropped. */
  get unread(): string {
    return this.#head + this.#tailText();
  }

  /** Something between the kept start and the newest text was dropped. */
  get hasDropped(): boolean {
    return this.#dropped.chars > 0;
  }

  /** Takes the next bytes; a character may be split between two calls. */
  push(bytes: Uint8Array): void {
    this.#add(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Says that nothing more comes. */
  close(): void {
    this.#add(this.#decoder.decode());
  }

  /** Returns the position after the first occurrence of a text, searched from `from` on, or `null`. */
  findEnd(text: string, from: number): number | null {
    const tailStart = this.#start + this.#head.length + this.#dropped.chars;
    if (this.#dropped.chars > 0 && from < tailStart) {
      const inHead = this.#head.indexOf(text, Math.max(0, from - this.#start));
      if (inHead !== -1) return this.#start + inHead + text.length;
    }
    const whole = this.#dropped.chars > 0 ? this.#lastFrom(from) : this.#allFrom(from);
    const found = whole.text.indexOf(text, Math.max(0, from - whole.start));
    return found === -1 ? null : whole.start + found + text.length;
  }

  /** Takes unread text, up to a number of characters and a position. */
  take({ maxChars = Infinity, endAt = Infinity }: { maxChars?: number; endAt?: number } = {}): UnreadOutput {
    const { chars: droppedChars, bytes: droppedBytes } = this.#dropped;
    const isFromHead = droppedChars > 0 && Math.min(maxChars, endAt - this.#start) < this.#head.length;
    if (isFromHead || droppedChars === 0) {
      const all = isFromHead ? this.#head : this.#head + this.#tailText();
      const text = all.slice(0, wholeChars(all, Math.min(maxChars, endAt - this.#start)));
      const remaining = this.#end - this.#start - text.length - droppedChars;
      if (isFromHead) this.#setHead(all.slice(text.length), this.#start + text.length);
      else this.#restart(all.slice(text.length), this.#start + text.length);
      return { head: "", text, droppedBytes: 0, remainingChars: remaining };
    }
    const head = this.#head;
    const tail = this.#tailText();
    const tailStart = this.#start + head.length + droppedChars;
    const text = tail.slice(0, wholeChars(tail, Math.min(maxChars - head.length, endAt - tailStart)));
    this.#restart(tail.slice(text.length), tailStart + text.length);
    return { head, text, droppedBytes, remainingChars: tail.length - text.length };
  }

  #add(text: string): void {
    if (text === "") return;
    this.#end += text.length;
    let rest = text;
    if (this.#tail.length === 0 && this.#dropped.chars === 0 && this.#headBytes < this.#headMax) {
      const first = text.slice(0, charsWithin(text, this.#headMax - this.#headBytes));
      this.#setHead(this.#head + first, this.#start);
      rest = text.slice(first.length);
    }
    if (rest === "") return;
    this.#addTail(rest);
    if (this.#tailBytes > this.#tailMax) this.#dropOldest();
  }

  #addTail(text: string): void {
    const bytes = byteLength(text);
    this.#tailBytes += bytes;
    const last = this.#tail.at(-1);
    if (last && last.text.length + text.length <= JOINED_CHARS) {
      last.text += text;
      last.bytes += bytes;
    } else this.#tail.push({ text, bytes });
  }

  #dropOldest(): void {
    while (this.#tailBytes > this.#tailMax) {
      const piece = this.#tail.shift()!;
      const excess = this.#tailBytes - this.#tailMax;
      const chars = piece.bytes <= excess ? piece.text.length : charsCovering(piece.text, excess);
      const bytes = chars === piece.text.length ? piece.bytes : byteLength(piece.text.slice(0, chars));
      if (chars < piece.text.length) {
        this.#tail.unshift({ text: piece.text.slice(chars), bytes: piece.bytes - bytes });
      }
      this.#tailBytes -= bytes;
      this.#dropped.chars += chars;
      this.#dropped.bytes += bytes;
    }
  }

  #setHead(head: string, start: number): void {
    this.#head = head;
    this.#headBytes = byteLength(head);
    this.#start = start;
  }

  /** The rest is now the start of the unread text. */
  #restart(text: string, start: number): void {
    this.#setHead("", start);
    this.#tail = [];
    this.#tailBytes = 0;
    this.#dropped = { chars: 0, bytes: 0 };
    this.#end = start;
    this.#add(text);
  }

  #tailText(): string {
    return this.#tail.map((piece) => piece.text).join("");
  }

  #allFrom(from: number): { text: string; start: number } {
    if (from >= this.#start + this.#head.length) return this.#lastFrom(from);
    return { text: this.#head + this.#tailText(), start: this.#start };
  }

  /** Returns the last pieces, as many as reach back to a position. */
  #lastFrom(from: number): { text: string; start: number } {
    let start = this.#end;
    let first = this.#tail.length;
    while (first > 0 && start > from) start -= this.#tail[--first]!.text.length;
    return { text: this.#tail.slice(first).map((piece) => piece.text).join(""), start };
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Returns how many characters fit into so many bytes. */
function charsWithin(text: string, bytes: number): number {
  return new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read;
}

/** Returns how many characters make up at least so many bytes. */
function charsCovering(text: string, bytes: number): number {
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return written >= bytes ? read : read + (text.codePointAt(read)! > 0xffff ? 2 : 1);
}

/** Returns a length at which no character of two units is cut in half. */
function wholeChars(text: string, length: number): number {
  const end = Math.max(0, Math.min(length, text.length));
  const isCut = end > 0 && end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff;
  if (!isCut) return end;
  // A limit of one unit must not stop the reading.
  return end === 1 ? 2 : end - 1;
}
