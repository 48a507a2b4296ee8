import { type FaxCodes, faxCodes, FIRST_MAKE_UP, HORIZONTAL, LONGEST_CODE, PASS } from "./fax_codes.ts";

/** How a picture of a fax machine is stored. */
export interface FaxShape {
  width: number;
  height: number;
  /** Which rows are coded by the row above: all rows, those with a mark, or no rows. */
  twoDimensional: "all" | "marked" | "none";
  /** Rows begin at whole bytes, without a mark of their end. */
  aligned: boolean;
}

/** Decodes compressed rows; a set bit is black. Rows that cannot be decoded stay white, `complete` is false then. */
export function decodeFax(bytes: Uint8Array, shape: FaxShape): { bits: Uint8Array; complete: boolean } {
  const { width, height } = shape;
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  const codes = faxCodes();
  const source = new Bits(bytes);
  let above = [width, width];
  for (let y = 0; y < height; y++) {
    const follows = startRow(source, shape);
    const row = follows ? followingRow(source, codes, { above, width }) : plainRow(source, codes, width);
    if (row === null) return { bits, complete: false };
    paint(bits.subarray(y * rowBytes, (y + 1) * rowBytes), row);
    above = row;
  }
  return { bits, complete: true };
}

class Bits {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length * 8;
  }

  /** The next bits, at most 16; those after the end are 0. */
  peek(count: number): number {
    const from = this.#at >> 3;
    const word = (this.#bytes[from] ?? 0) << 16 | (this.#bytes[from + 1] ?? 0) << 8 |
      (this.#bytes[from + 2] ?? 0);
    return word >> (24 - (this.#at & 7) - count) & (2 ** count - 1);
  }

  skip(count: number): void {
    this.#at += count;
  }

  align(): void {
    this.#at = (this.#at + 7) & ~7;
  }
}

/** Steps over the mark between rows and says whether the next one follows the one above. */
function startRow(source: Bits, { twoDimensional, aligned }: FaxShape): boolean {
  if (aligned) source.align();
  if (aligned || twoDimensional === "all") return twoDimensional === "all";
  while (source.peek(11) === 0 && !source.atEnd) {
    while (source.peek(1) === 0 && !source.atEnd) source.skip(1);
    source.skip(1);
  }
  if (twoDimensional === "none") return false;
  const follows = source.peek(1) === 0;
  source.skip(1);
  return follows;
}

/** Returns where the colour of a row changes, from white at its start, and its end twice. */
function plainRow(source: Bits, codes: FaxCodes, width: number): number[] | null {
  const row: number[] = [];
  for (let at = 0; at < width; row.push(at)) {
    const length = run(source, codes.runs[row.length & 1]!);
    if (length === null || at + length > width) return null;
    at += length;
  }
  return closed(row, width);
}

function followingRow(
  source: Bits,
  codes: FaxCodes,
  { above, width }: { above: readonly number[]; width: number },
): number[] | null {
  const row: number[] = [];
  let next = 0;
  // A row starts before its first pixel, so that a change may be there.
  let after = -1;
  for (let at = 0; at < width; after = at) {
    const colour = row.length & 1;
    // The first change above that is right of here, to the other colour.
    while (next > 0 && above[next - 1]! > after) next--;
    while (above[next]! < width && ((next & 1) !== colour || above[next]! <= after)) next++;
    const step = code(source, codes.steps);
    if (step === null) return null;
    if (step === PASS) {
      at = above[next + 1] ?? width;
    } else if (step === HORIZONTAL) {
      for (const runs of [codes.runs[colour]!, codes.runs[1 - colour]!]) {
        const length = run(source, runs);
        if (length === null || at + length > width) return null;
        at += length;
        row.push(at);
      }
    } else {
      const target = above[next]! + step;
      if (target < at || target > width) return null;
      at = target;
      row.push(at);
    }
  }
  return closed(row, width);
}

function closed(row: number[], width: number): number[] {
  row.push(width, width);
  return row;
}

function run(source: Bits, table: Int32Array): number | null {
  for (let length = 0;;) {
    const part = code(source, table);
    if (part === null) return null;
    length += part;
    if (part < FIRST_MAKE_UP) return length;
  }
}

function code(source: Bits, table: Int32Array): number | null {
  const found = table[source.peek(LONGEST_CODE)]!;
  if (found === 0 || source.atEnd) return null;
  source.skip(found & 15);
  return found >> 4;
}

function paint(row: Uint8Array, changes: readonly number[]): void {
  for (let index = 0; index + 1 < changes.length; index += 2) {
    for (let x = changes[index]!; x < changes[index + 1]!;) {
      if ((x & 7) === 0 && x + 8 <= changes[index + 1]!) {
        row[x >> 3] = 255;
        x += 8;
      } else {
        row[x >> 3]! |= 0x80 >> (x & 7);
        x++;
      }
    }
  }
}
