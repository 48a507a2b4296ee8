import { settleLine } from "../../../schemas/terminal/settle_line.ts";

const [BS, LF, CR] = [8, 10, 13];
/** Longest part of a line that waits for what may be written over it, in bytes. */
const MAX_HELD = 16_384;
const NOTHING = new Uint8Array(0);

/**
 * Takes a stream in pieces, and hands its lines on as a terminal shows them in the end: without the frames of progress
 * bars. The last line waits for its end, as long as it is not too long.
 */
export class LineSettler {
  #held: Uint8Array = NOTHING;
  #overwritten = 0;

  /** Parts of lines so far that others were written over. */
  get overwritten(): number {
    return this.#overwritten;
  }

  /** Takes the next bytes. Hands on the lines that have ended, in pieces. */
  push(bytes: Uint8Array, handOn: (piece: Uint8Array) => void): void {
    const end = bytes.lastIndexOf(LF) + 1;
    const first = end > 0 && this.#held.length > 0 ? bytes.indexOf(LF) + 1 : 0;
    if (first > 0) handOn(this.#settle(joined([this.#held, bytes.subarray(0, first)])));
    if (end > first) handOn(this.#settle(bytes.subarray(first, end)));
    let rest = end > 0 || this.#held.length === 0 ? bytes.subarray(end) : joined([this.#held, bytes]);
    if (rest.length > MAX_HELD) {
      // What stands there by the last return can still be written over; a long part without a return goes on.
      const back = Math.max(0, rest.lastIndexOf(CR, rest.length - 2));
      if (back > 0) rest = joined([this.#settle(rest.subarray(0, back)), rest.subarray(back)]);
    }
    const isLong = rest.length > MAX_HELD;
    this.#held = isLong ? NOTHING : rest.slice();
    if (isLong) handOn(rest);
  }

  /** Says that the stream has ended; returns its last line. */
  end(): Uint8Array {
    const last = this.#settle(this.#held);
    this.#held = NOTHING;
    return last;
  }

  /** Looks at those lines only that have a return before their end, or a backspace. */
  #settle(bytes: Uint8Array): Uint8Array {
    const pieces: Uint8Array[] = [];
    let done = 0;
    let [cr, bs] = [bytes.indexOf(CR), bytes.indexOf(BS)];
    while (cr >= 0 || bs >= 0) {
      const at = cr < 0 ? bs : bs < 0 ? cr : Math.min(cr, bs);
      const before = at === done ? LF : bytes[at - 1]!;
      let next = at + 1;
      if (bytes[at] === BS || bytes[at + 1] !== LF || before === LF || before === CR) {
        const start = Math.max(done, bytes.lastIndexOf(LF, at) + 1);
        const found = bytes.indexOf(LF, at);
        next = found < 0 ? bytes.length : found;
        pieces.push(bytes.subarray(done, start), this.#settleLine(bytes.subarray(start, next), found >= 0));
        done = next;
      }
      if (cr >= 0 && cr < next) cr = bytes.indexOf(CR, next);
      if (bs >= 0 && bs < next) bs = bytes.indexOf(BS, next);
    }
    return done === 0 ? bytes : joined([...pieces, bytes.subarray(done)]);
  }

  #settleLine(line: Uint8Array, hasEnded: boolean): Uint8Array {
    const parts = countParts(line);
    this.#overwritten += Math.max(0, parts - 1);
    const isMoved = parts > 1 || line[0] === CR || line.includes(BS) || (!hasEnded && line.at(-1) === CR);
    return isMoved ? settled(line) : line;
  }
}

/** Parts between carriage returns that have something in them. */
function countParts(line: Uint8Array): number {
  let parts = 0;
  for (let i = 0; i < line.length; i++) if (line[i] !== CR && (i === 0 || line[i - 1] === CR)) parts++;
  return parts;
}

/** Bytes that are no UTF-8 stay what they are. */
function settled(line: Uint8Array): Uint8Array {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    return new TextEncoder().encode(settleLine(text));
  } catch {
    const text = Array.from(line, (byte) => String.fromCharCode(byte)).join("");
    return Uint8Array.from(settleLine(text), (char) => char.charCodeAt(0));
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
