import { settleLine } from "../../../schemas/terminal/settle_line.ts";

const [BS, LF, CR] = [8, 10, 13];
/** Longest part of a line that waits for what may be written over it, in bytes. */
const MAX_HELD = 16_384;

/**
 * Takes a stream in pieces, and gives its lines on as a terminal shows them in the end: without the frames of progress
 * bars. The last line waits for its end, as long as it is not too long.
 */
export class LineSettler {
  #held: Uint8Array = new Uint8Array(0);
  #overwritten = 0;

  /** Parts of lines so far that others were written over. */
  get overwritten(): number {
    return this.#overwritten;
  }

  /** Takes the next bytes; returns the lines that have ended. */
  push(bytes: Uint8Array): Uint8Array {
    const all = this.#held.length === 0 ? bytes : joined([this.#held, bytes]);
    const end = all.lastIndexOf(LF) + 1;
    const lines = this.#settle(all.subarray(0, end));
    let rest = all.subarray(end);
    if (rest.length > MAX_HELD) {
      // What stands there by the last return can still be written over; a long part without a return goes on.
      const back = Math.max(0, rest.lastIndexOf(CR, rest.length - 2));
      rest = joined([this.#settle(rest.subarray(0, back)), rest.subarray(back)]);
    }
    const isLong = rest.length > MAX_HELD;
    this.#held = isLong ? new Uint8Array(0) : rest.slice();
    return isLong ? joined([lines, rest]) : lines;
  }

  /** Says that the stream has ended; returns its last line. */
  end(): Uint8Array {
    const last = this.#settle(this.#held);
    this.#held = new Uint8Array(0);
    return last;
  }

  #settle(bytes: Uint8Array): Uint8Array {
    if (!bytes.includes(CR) && !bytes.includes(BS)) return bytes;
    const lines: Uint8Array[] = [];
    for (let start = 0; start < bytes.length;) {
      const found = bytes.indexOf(LF, start);
      const end = found === -1 ? bytes.length : found;
      const line = bytes.subarray(start, end);
      const parts = countParts(line);
      this.#overwritten += Math.max(0, parts - 1);
      const isMoved = parts > 1 || line[0] === CR || line.includes(BS) ||
        (found === -1 && line.at(-1) === CR);
      lines.push(isMoved ? settled(line) : line, bytes.subarray(end, end + 1));
      start = end + 1;
    }
    return joined(lines);
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
