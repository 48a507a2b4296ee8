/**
 * Memory for the bytes of files, with two tests that a search makes for every byte. WebAssembly makes both,
 * 16 bytes at a time. With `indexOf` instead, a literal takes 2.0 times as long in the bench's tree, a
 * pattern 3.4 times, and a literal of frequent letters 9.4 times.
 */
export interface ScanMemory {
  /** The window for a file's bytes, and behind it a margin. */
  bytes: Uint8Array<ArrayBuffer>;
  /**
   * Returns the first place from `from` on at which both bytes of the pair lie, or -1 if no place is below
   * `end`.
   */
  findPair(from: number, end: number, pair: BytePair): number;
  /** Says whether one of the first `end` bytes is NUL. */
  hasNul(end: number): boolean;
}

/**
 * Two bytes at fixed distances from a place; each may have one of two values, so that case can be ignored.
 */
export interface BytePair {
  /** How far behind the place the bytes lie; below {@linkcode MARGIN_BYTES} less 16. */
  offsets: readonly [number, number];
  /** The values of the first byte, and of the second. */
  values: readonly [readonly [number, number], readonly [number, number]];
}

/** How many bytes after its end a search may read; they must exist, with any content. */
export const MARGIN_BYTES = 1024;

const PAGE_BYTES = 64 * 1024;

/**
 * Makes a memory.
 *
 * @param windowBytes Size of the window; the margin comes on top
 */
export function createScanMemory(windowBytes: number): ScanMemory {
  const memory = new WebAssembly.Memory({ initial: Math.ceil((windowBytes + MARGIN_BYTES) / PAGE_BYTES) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assemble()), { m: { m: memory } });
  const { pair, nul } = exports as unknown as Kernel;
  const bytes = new Uint8Array(memory.buffer as ArrayBuffer);
  return {
    bytes,
    findPair(from, end, { offsets: [first, second], values: [[a, b], [c, d]] }) {
      if (from >= end) return -1;
      const at = pair(from, end, first, a, b, second, c, d);
      return at < end ? at : -1;
    },
    hasNul(end) {
      const whole = end & ~15;
      return nul(whole) === 1 || bytes.subarray(whole, end).includes(0);
    },
  };
}

interface Kernel {
  pair(
    at: number,
    end: number,
    first: number,
    a: number,
    b: number,
    second: number,
    c: number,
    d: number,
  ): number;
  nul(end: number): number;
}

// The few instructions that the kernel consists of, as the WebAssembly specification encodes them.
const I32 = 0x7f;
const V128 = 0x7b;
const BLOCK = [0x02, 0x40];
const LOOP = [0x03, 0x40];
const IF = [0x04, 0x40];
const END = 0x0b;
const RETURN = 0x0f;
const I32_ADD = 0x6a;
const I32_GE_U = 0x4f;
const I32_CTZ = 0x68;
const SPLAT = [0xfd, 0x0f];
const EQUAL_BYTES = [0xfd, 0x23];
const AND = [0xfd, 0x4e];
const OR = [0xfd, 0x50];
const ANY_TRUE = [0xfd, 0x53];
const BITMASK = [0xfd, 0x64];
/** A load that need not be aligned, without an offset. */
const LOAD = [0xfd, 0x00, 0x00, 0x00];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const number = (value: number) => [0x41, value];
const branch = (depth: number) => [0x0c, depth];
const branchIf = (depth: number) => [0x0d, depth];

function assemble(): Uint8Array<ArrayBuffer> {
  const types = [[0x60, 8, ...Array(8).fill(I32), 1, I32], [0x60, 1, I32, 1, I32]];
  const memory = [...text("m"), ...text("m"), 0x02, 0x00, 1];
  const exports = [[...text("pair"), 0x00, 0], [...text("nul"), 0x00, 1]];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, types),
    ...section(2, [memory]),
    ...section(3, [[0], [1]]),
    ...section(7, exports),
    ...section(10, [sized(pairCode()), sized(nulCode())]),
  ]);
}

/** `at, end, first, a, b, second, c, d` are locals 0 to 7, 8 to 11 the wanted bytes in all lanes, 12 and 13 loaded. */
function pairCode(): number[] {
  const wanted = [3, 4, 6, 7].flatMap((value, index) => [...get(value), ...SPLAT, ...set(8 + index)]);
  const isEither = (offset: number, lanes: number, [one, other]: [number, number]) => [
    ...[...get(0), ...get(offset), I32_ADD, ...LOAD, ...tee(lanes), ...get(one), ...EQUAL_BYTES],
    ...[...get(lanes), ...get(other), ...EQUAL_BYTES, ...OR],
  ];
  return [
    ...[2, 6, V128, 1, I32, ...wanted, ...BLOCK, ...LOOP],
    ...[...get(0), ...get(1), I32_GE_U, ...branchIf(1)],
    ...[...isEither(2, 12, [8, 9]), ...isEither(5, 13, [10, 11]), ...AND, ...BITMASK, ...tee(14)],
    ...[...IF, ...get(0), ...get(14), I32_CTZ, I32_ADD, RETURN, END],
    ...[...get(0), ...number(16), I32_ADD, ...set(0), ...branch(0), END, END],
    ...[...get(1), END],
  ];
}

/** `end` is local 0, a multiple of 16; local 1 counts, 2 is zero in all lanes as every local begins. */
function nulCode(): number[] {
  return [
    ...[2, 1, I32, 1, V128, ...BLOCK, ...LOOP],
    ...[...get(1), ...get(0), I32_GE_U, ...branchIf(1)],
    ...[...get(1), ...LOAD, ...get(2), ...EQUAL_BYTES, ...ANY_TRUE, ...IF, ...number(1), RETURN, END],
    ...[...get(1), ...number(16), I32_ADD, ...set(1), ...branch(0), END, END],
    ...[...number(0), END],
  ];
}

function section(id: number, items: readonly number[][]): number[] {
  return [id, ...sized([items.length, ...items.flat()])];
}

function sized(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes];
}

function text(name: string): number[] {
  return sized([...new TextEncoder().encode(name)]);
}

/** LEB128, seven bits a byte. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [value & 0x7f | 0x80, ...unsigned(value >>> 7)];
}
