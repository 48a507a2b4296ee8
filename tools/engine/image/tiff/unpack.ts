import { Unzlib } from "fflate";

import { decodeFax } from "./fax.ts";

/** How the bytes of a strip or tile are stored. */
export interface TiffPacking {
  /** The number of the method. */
  compression: number;
  /** The lowest bit of a byte comes first. */
  reversed: boolean;
  /** Options of fax machines' compression. */
  faxOptions: number;
  width: number;
  height: number;
}

/**
 * Methods that {@linkcode unpack} knows: no compression, three of fax machines, LZW, deflate in two numbers,
 * runs of bytes.
 */
export const UNPACKABLE: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 8, 32_773, 32_946]);

const STEP_BYTES = 4096;
const CLEAR = 256;
const END = 257;
const MOST_CODES = 4096;

/** Unpacks into a buffer, which stays 0 where the bytes end too early; `complete` is false then. */
export function unpack(bytes: Uint8Array, into: Uint8Array, packing: TiffPacking): { complete: boolean } {
  const packed = packing.reversed ? reversedBits(bytes) : bytes;
  switch (packing.compression) {
    case 1:
      into.set(packed.subarray(0, into.length));
      return { complete: packed.length >= into.length };
    case 5:
      return { complete: unpackLzw(packed, into) };
    case 32_773:
      return { complete: unpackRuns(packed, into) };
    case 8:
    case 32_946:
      return { complete: inflate(packed, into) };
    default:
      return unpackFax(packed, into, packing);
  }
}

function reversedBits(bytes: Uint8Array): Uint8Array {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => {
    let reversed = 0;
    for (let bit = 0; bit < 8; bit++) reversed |= (byte >> bit & 1) << (7 - bit);
    return reversed;
  });
  return bytes.map((byte) => table[byte]!);
}

/** Decodes codes of 9 to 12 bits, each of which stands for an earlier string of bytes. */
function unpackLzw(packed: Uint8Array, into: Uint8Array): boolean {
  // The first programs wrote the lowest bit first and made codes longer one step later.
  const old = packed[0] === 0 && ((packed[1] ?? 0) & 1) === 1;
  const nextCode = codeReader(old ? reversedBits(packed) : packed, { reversed: old });
  // Where the string of each code stands among what is unpacked already.
  const [starts, lengths] = [new Uint32Array(MOST_CODES), new Uint32Array(MOST_CODES)];
  let [at, count, previousAt] = [0, END + 1, -1];
  while (at < into.length) {
    const code = nextCode(Math.min(12, 32 - Math.clz32(old ? count : count + 1)));
    if (code === -1 || code === END) return false;
    if (code === CLEAR) {
      [count, previousAt] = [END + 1, -1];
      continue;
    }
    if (previousAt !== -1 && count < MOST_CODES) {
      // The string before, and the first byte of the one that follows it.
      starts[count] = previousAt;
      lengths[count++] = at - previousAt + 1;
    }
    if (code >= count) return false;
    previousAt = at;
    if (code < CLEAR) into[at++] = code;
    else at = repeat(into, at, { from: starts[code]!, length: lengths[code]! });
  }
  return true;
}

/** Copies byte by byte, as the copy may be part of what is copied. */
function repeat(into: Uint8Array, at: number, { from, length }: { from: number; length: number }): number {
  for (let index = 0; index < length; index++) into[at + index] = into[from + index]!;
  return at + length;
}

/** Returns a function that reads the next bits as a number, -1 at the end. */
function codeReader(packed: Uint8Array, { reversed }: { reversed: boolean }): (bits: number) => number {
  let [at, buffer, held] = [0, 0, 0];
  return (bits) => {
    while (held < bits) {
      if (at === packed.length) return -1;
      buffer = (buffer << 8 | packed[at++]!) & 0xffffff;
      held += 8;
    }
    held -= bits;
    const code = buffer >> held & (2 ** bits - 1);
    return reversed ? reversedCode(code, bits) : code;
  };
}

function reversedCode(code: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= (code >> bit & 1) << (bits - 1 - bit);
  return reversed;
}

/** A byte says how many follow, or how often the next one is repeated. */
function unpackRuns(packed: Uint8Array, into: Uint8Array): boolean {
  let at = 0;
  for (let from = 0; at < into.length && from + 1 < packed.length;) {
    const head = packed[from++]!;
    if (head === 128) continue;
    if (head < 128) {
      into.set(packed.subarray(from, from + Math.min(head + 1, into.length - at)), at);
      [at, from] = [at + head + 1, from + head + 1];
    } else {
      into.fill(packed[from++]!, at, at + 257 - head);
      at += 257 - head;
    }
  }
  return at >= into.length;
}

/** Inflates no more than fits. */
function inflate(packed: Uint8Array, into: Uint8Array): boolean {
  let at = 0;
  const inflater = new Unzlib((piece) => {
    into.set(piece.subarray(0, into.length - at), at);
    at = Math.min(into.length, at + piece.length);
  });
  for (let from = 0; from < packed.length && at < into.length; from += STEP_BYTES) {
    inflater.push(packed.subarray(from, from + STEP_BYTES), from + STEP_BYTES >= packed.length);
  }
  return at === into.length;
}

function unpackFax(packed: Uint8Array, into: Uint8Array, packing: TiffPacking): { complete: boolean } {
  const { compression, faxOptions, width, height } = packing;
  const marked = compression === 3 && (faxOptions & 1) === 1;
  const { bits, complete } = decodeFax(packed, {
    width,
    height,
    twoDimensional: compression === 4 ? "all" : marked ? "marked" : "none",
    aligned: compression === 2,
  });
  into.set(bits);
  return { complete };
}
