import type { ClippedOutput } from "../../../schemas/program.ts";
import { LineSettler } from "./line_settler.ts";

/** Bounds of what is kept of one stream, half of each for its start and half for its end. */
export interface ClipLimits {
  maxBytes: number;
  maxLines: number;
  /** Bytes kept if something must be left out. @default maxBytes */
  cutBytes?: number;
  /** It is data: frames of progress bars stay, and so do NUL bytes. @default false */
  verbatim?: boolean;
}

/** The bounds if a program's caller sets no others. */
export const CLIP_LIMITS: ClipLimits = { maxBytes: 51_200, maxLines: 2_000 };

/** What stands for a NUL byte in a text. */
const NUL_SIGN = "\u2400";

const LF = 10;
const SAMPLE_BYTES = 4_096;
const MAX_CONTROL_SHARE = 0.05;
/** BEL BS TAB LF FF CR ESC: terminals and texts use these. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([7, 8, 9, LF, 12, 13, 27]);
/** A cut moves to a line end if one is at most so many bytes away. */
const NEAR_BYTES = 1_024;

/** Keeps the start and the end of a stream of any length in constant memory. */
export class OutputClipper {
  readonly #limits: ClipLimits;
  readonly #headMax: number;
  readonly #tailMax: number;
  /** The first bytes, up to `maxBytes`. */
  #start = new Uint8Array(0);
  #startLength = 0;
  /** The last bytes, once there are more than that. Spare room after them saves most copying. */
  #end: Uint8Array | null = null;
  #endLength = 0;
  #bytes = 0;
  /** Those that are there once all lines are as a terminal shows them. */
  #shownBytes = 0;
  #lineEnds = 0;
  readonly #settler: LineSettler | null;

  constructor(limits: Partial<ClipLimits> = {}) {
    this.#limits = { ...CLIP_LIMITS, ...limits };
    const { maxBytes, cutBytes = maxBytes } = this.#limits;
    this.#headMax = Math.ceil(cutBytes / 2);
    this.#tailMax = Math.floor(cutBytes / 2);
    this.#settler = this.#limits.verbatim ? null : new LineSettler();
  }

  /** Bytes that came so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the next bytes; copies what it keeps. */
  push(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#settler === null) this.#keep(bytes);
    else this.#settler.push(bytes, this.#keep);
  }

  readonly #keep = (bytes: Uint8Array): void => {
    this.#shownBytes += bytes.length;
    this.#lineEnds += countLineEnds(bytes);
    const room = this.#limits.maxBytes - this.#startLength;
    if (room > 0) this.#pushStart(bytes.subarray(0, room));
    if (bytes.length <= room) return;
    if (this.#end === null) {
      this.#end = new Uint8Array(2 * this.#tailBytes);
      this.#pushEnd(this.#start.subarray(0, this.#startLength));
    }
    this.#pushEnd(bytes.subarray(Math.max(0, room)));
  };

  /** Returns what is kept. Nothing may come after it. */
  result(): ClippedOutput {
    if (this.#settler !== null) this.#keep(this.#settler.end());
    const start = this.#start.subarray(0, this.#startLength);
    const isWhole = this.#end === null && countLines(start) <= this.#limits.maxLines;
    const { maxLines, verbatim = false } = this.#limits;
    const end = this.#end === null ? start : this.#end.subarray(0, this.#endLength);
    const head = isWhole
      ? start
      : start.subarray(0, headLength(start, this.#headMax, Math.ceil(maxLines / 2)));
    const tail = isWhole
      ? new Uint8Array(0)
      : end.subarray(tailStart(end, this.#tailMax, Math.floor(maxLines / 2)));
    const [first, last] = [decode(head, verbatim), decode(tail, verbatim)];
    return {
      head: first.text,
      tail: last.text,
      bytes: this.#bytes,
      omittedBytes: this.#shownBytes - head.length - tail.length,
      omittedLines: this.#lineEnds - countLineEnds(head) - countLineEnds(tail),
      binary: looksBinary(start.subarray(0, SAMPLE_BYTES)),
      replaced: first.replaced + last.replaced,
      nuls: first.nuls + last.nuls,
      overwritten: this.#settler?.overwritten ?? 0,
    };
  }

  /** One more byte than is returned: it shows whether the tail starts at a line. */
  get #tailBytes(): number {
    return this.#tailMax + 1;
  }

  #pushStart(bytes: Uint8Array): void {
    const length = this.#startLength + bytes.length;
    if (length > this.#start.length) {
      const grown = new Uint8Array(Math.min(this.#limits.maxBytes, Math.max(length, 2 * this.#start.length)));
      grown.set(this.#start.subarray(0, this.#startLength));
      this.#start = grown;
    }
    this.#start.set(bytes, this.#startLength);
    this.#startLength = length;
  }

  #pushEnd(bytes: Uint8Array): void {
    const end = this.#end!;
    const added = bytes.subarray(Math.max(0, bytes.length - this.#tailBytes));
    if (this.#endLength + added.length > end.length) {
      const kept = this.#tailBytes - added.length;
      end.copyWithin(0, this.#endLength - kept, this.#endLength);
      this.#endLength = kept;
    }
    end.set(added, this.#endLength);
    this.#endLength += added.length;
  }
}

/** Counts four bytes at once: all output of a program passes here. */
function countLineEnds(bytes: Uint8Array): number {
  if (bytes.length < 8) return countOneByOne(bytes);
  const before = (4 - bytes.byteOffset % 4) % 4;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + before, (bytes.length - before) >>> 2);
  let count = countOneByOne(bytes.subarray(0, before)) +
    countOneByOne(bytes.subarray(before + 4 * words.length));
  for (let at = 0; at < words.length;) {
    // Each of the four bytes counts to 255.
    const end = Math.min(words.length, at + 255);
    let sums = 0;
    for (; at < end; at++) {
      const differs = words[at]! ^ 0x0a0a0a0a;
      const isSame = ~(((differs & 0x7f7f7f7f) + 0x7f7f7f7f) | differs | 0x7f7f7f7f);
      sums = (sums + (isSame >>> 7)) | 0;
    }
    count += (sums & 0xff) + (sums >>> 8 & 0xff) + (sums >>> 16 & 0xff) + (sums >>> 24);
  }
  return count;
}

function countOneByOne(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === LF) count++;
  return count;
}

/** A last line without an end counts. */
function countLines(bytes: Uint8Array): number {
  return countLineEnds(bytes) + (bytes.length > 0 && bytes.at(-1) !== LF ? 1 : 0);
}

/** Single NULs stand between names or words; several of them fill up what is no text. */
function looksBinary(sample: Uint8Array): boolean {
  let controls = 0;
  for (let i = 0; i < sample.length; i++) {
    const byte = sample[i]!;
    if (byte < 32 && (byte === 0 ? sample[i - 1] === 0 : !TEXT_CONTROLS.has(byte))) controls++;
  }
  return controls > sample.length * MAX_CONTROL_SHARE;
}

function headLength(bytes: Uint8Array, maxBytes: number, maxLines: number): number {
  const end = Math.min(maxBytes, bytes.length);
  let lines = 0;
  for (let i = 0; i < end; i++) if (bytes[i] === LF && ++lines === maxLines) return i + 1;
  if (end === bytes.length) return end;
  const lineEnd = bytes.lastIndexOf(LF, end - 1) + 1;
  if (end > 0 && lineEnd > 0 && end - lineEnd <= nearness(maxBytes)) return lineEnd;
  const first = [0, 1, 2, 3].find((back) => end >= back && !isContinuation(bytes[end - back]));
  return end - (first ?? 0);
}

function tailStart(bytes: Uint8Array, maxBytes: number, maxLines: number): number {
  const start = Math.max(0, bytes.length - maxBytes);
  if (maxLines === 0) return bytes.length;
  let lines = 0;
  // The last byte may end the last line. It does not end a line before it.
  for (let i = bytes.length - 2; i >= start; i--) if (bytes[i] === LF && ++lines === maxLines) return i + 1;
  if (start === 0 || start === bytes.length || bytes[start - 1] === LF) return start;
  const lineStart = bytes.indexOf(LF, start) + 1;
  if (lineStart > 0 && lineStart < bytes.length && lineStart - start <= nearness(maxBytes)) return lineStart;
  const first = [0, 1, 2, 3].find((ahead) => !isContinuation(bytes[start + ahead]));
  return start + (first ?? 0);
}

function nearness(maxBytes: number): number {
  return Math.min(NEAR_BYTES, maxBytes / 2);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

interface Decoded {
  text: string;
  /** Characters that stand for bytes that are not UTF-8. */
  replaced: number;
  nuls: number;
}

function decode(bytes: Uint8Array, verbatim: boolean): Decoded {
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const replaced = count(decoded, "\ufffd") - countReplacements(bytes);
  if (verbatim) return { text: decoded, replaced, nuls: 0 };
  return { text: decoded.replaceAll("\0", NUL_SIGN), replaced, nuls: count(decoded, "\0") };
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Counts what a program itself wrote as U+FFFD: EF BF BD. */
function countReplacements(bytes: Uint8Array): number {
  let found = 0;
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) found++;
  }
  return found;
}
