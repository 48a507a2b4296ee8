import type { FromRoom, ToRoom } from "./protocol.ts";

// How messages cross the pipes of a room process: one line of JSON each. The bytes of a document follow the
// line as they are, and the line begins with `@` and their number. So they are never written as text or
// parsed.

/** Longest message of a room without its bytes, and most bytes of one, each in bytes. */
const MAX_BYTES = 256 * 1024 * 1024;
const LF = 10;
const encoder = new TextEncoder();

/** Returns what goes through a pipe for a message, in pieces that follow each other. */
export function toFrame(message: ToRoom | FromRoom): Uint8Array[] {
  const bytes = bytesOf(message);
  if (bytes === null) return [encoder.encode(`${JSON.stringify(message)}\n`)];
  return [encoder.encode(`@${bytes.length} ${JSON.stringify(withBytes(message, null))}\n`), bytes];
}

/** Reads messages from a pipe, in bounded memory. */
export class FrameReader {
  readonly #decoder = new TextDecoder();
  #line: Uint8Array[] = [];
  #lineBytes = 0;
  /** The message whose bytes are still coming. */
  #open: { message: ToRoom | FromRoom; bytes: Uint8Array; filled: number } | null = null;

  /**
   * Takes the next bytes; returns the messages that they complete. What they say is not checked.
   *
   * @throws {Error} For bytes that are not a message, and for a message without an end
   */
  push(chunk: Uint8Array): (ToRoom | FromRoom)[] {
    const messages: (ToRoom | FromRoom)[] = [];
    for (let at = 0; at < chunk.length;) {
      if (this.#open) at += this.#fill(chunk.subarray(at));
      else at += this.#readLine(chunk.subarray(at), messages);
      if (this.#open?.filled === this.#open?.bytes.length && this.#open) {
        messages.push(withBytes(this.#open.message, this.#open.bytes));
        this.#open = null;
      }
    }
    return messages;
  }

  /** Returns how much of the chunk belongs to the line. */
  #readLine(chunk: Uint8Array, messages: (ToRoom | FromRoom)[]): number {
    const end = chunk.indexOf(LF);
    const part = end < 0 ? chunk : chunk.subarray(0, end);
    this.#lineBytes += part.length;
    if (this.#lineBytes > MAX_BYTES) throw new RangeError("a message without an end");
    // A copy: the buffer of a pipe is used again.
    this.#line.push(end < 0 ? part.slice() : part);
    if (end < 0) return chunk.length;
    const line = this.#decode(this.#line);
    this.#line = [];
    this.#lineBytes = 0;
    const [head, length] = /^@(\d{1,9}) /.exec(line) ?? [];
    const message = JSON.parse(head === undefined ? line : line.slice(head.length)) as ToRoom | FromRoom;
    if (head === undefined) messages.push(message);
    else this.#open = { message, bytes: new Uint8Array(bounded(Number(length))), filled: 0 };
    return end + 1;
  }

  /** What came in one piece is decoded at once: that takes a fraction of the time. */
  #decode(parts: readonly Uint8Array[]): string {
    if (parts.length === 1) return this.#decoder.decode(parts[0]);
    return parts.map((one) => this.#decoder.decode(one, { stream: true })).join("") + this.#decoder.decode();
  }

  #fill(chunk: Uint8Array): number {
    const { bytes, filled } = this.#open!;
    const part = chunk.subarray(0, bytes.length - filled);
    bytes.set(part, filled);
    this.#open!.filled += part.length;
    return part.length;
  }
}

function bounded(length: number): number {
  if (length <= MAX_BYTES) return length;
  throw new RangeError("a message with too many bytes");
}

/** The bytes of a document within a message; only calls of readers and some questions have any. */
function bytesOf(message: ToRoom | FromRoom): Uint8Array | null {
  const holder = message.t === "ask" ? message.ask : message.t === "call" ? message : {};
  return "bytes" in holder && holder.bytes instanceof Uint8Array ? holder.bytes : null;
}

/** A room may send anything. If the message has no place for the bytes, they are left out. */
function withBytes<Message extends ToRoom | FromRoom>(message: Message, bytes: Uint8Array | null): Message {
  if (message?.t === "call") return { ...message, bytes };
  return message?.t === "ask" ? { ...message, ask: { ...message.ask, bytes } } : message;
}
