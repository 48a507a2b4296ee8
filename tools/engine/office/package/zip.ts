// Our own reader: zip.js says "ambiguous" for a part that is too long, too short or changed (zip_test.ts
// tells them apart). It takes 195 MB for a bomb of 99 MB; this reader takes 156. fflate inflates a whole part
// and checks no checksum.
import { crc32 } from "node:zlib";

import { Inflate } from "fflate";

import { ToolError } from "../../../../schemas/error.ts";

/** Most bytes of all parts together, inflated. */
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** Most bytes of one part, inflated. */
const MAX_PART_BYTES = 100 * 1024 * 1024;
const MAX_PARTS = 10_000;
/** Deflate makes at most a thousand bytes from one, so one step stays below a few megabytes. */
const STEP_BYTES = 4096;
const STEPS_BETWEEN_PAUSES = 64;

const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const CENTRAL_BYTES = 46;
const LOCAL_BYTES = 30;
const END_MAGIC = 0x06054b50;
const CENTRAL_MAGIC = 0x02014b50;
const LOCAL_MAGIC = 0x04034b50;
/** Stands for a number that is written elsewhere, as for archives above 4 GB. */
const ZIP64 = 0xffffffff;
const ZIP64_FIELD = 1;
const ENCRYPTED = 1;

interface Part {
  name: string;
  flags: number;
  method: number;
  compressedBytes: number;
  bytes: number;
  checksum: number;
  headerAt: number;
}

/** The parts of an office file. */
export interface OfficeZip {
  /** Names in the order of the archive's directory. */
  names: readonly string[];
  has(name: string): boolean;
  /**
   * Inflates a part piece by piece.
   *
   * @throws {ToolError} `limit_exceeded` for more bytes than the directory claims; `invalid_input` for damaged ones
   */
  read(name: string, options: { signal: AbortSignal }): AsyncGenerator<Uint8Array>;
}

/**
 * Opens a zip archive by its directory; it does not inflate a part yet.
 *
 * @throws {ToolError} `limit_exceeded` if it claims more than 10,000 parts, 100 MB for one or 256 MB in all;
 * `invalid_input` if it is cut off or damaged
 */
export function openOfficeZip(bytes: Uint8Array): OfficeZip {
  const parts = new Map(readDirectory(bytes).map((part) => [part.name.toLowerCase(), part]));
  return {
    names: [...parts.values()].map(({ name }) => name),
    has: (name) => parts.has(name.toLowerCase()),
    read(name, options) {
      const part = parts.get(name.toLowerCase());
      if (part === undefined) throw damaged(`part "${name}" is missing`);
      return inflatePart(bytes, part, options.signal);
    },
  };
}

function readDirectory(bytes: Uint8Array): Part[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (at === ZIP64) throw tooLarge("it is made for archives above 4 GB (zip64)");
  if (count > MAX_PARTS) throw tooLarge(`it has ${count} parts, the limit is ${MAX_PARTS}`);
  const parts: Part[] = [];
  let total = 0;
  for (let index = 0; index < count; index++) {
    if (at + CENTRAL_BYTES > end || view.getUint32(at, true) !== CENTRAL_MAGIC) {
      throw damaged("the directory of its parts is broken");
    }
    const nameEnd = at + CENTRAL_BYTES + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    if (extraEnd > end) throw damaged("the directory of its parts is broken");
    const part = readEntry(view, { at, nameEnd, extraEnd });
    total += part.bytes;
    if (part.bytes > MAX_PART_BYTES) throw tooLarge(claim(`part "${part.name}"`, part.bytes, MAX_PART_BYTES));
    if (total > MAX_TOTAL_BYTES) throw tooLarge(claim("all parts together", total, MAX_TOTAL_BYTES));
    parts.push(part);
    at = extraEnd + view.getUint16(at + 32, true);
  }
  return parts;
}

function readEntry(
  view: DataView,
  { at, nameEnd, extraEnd }: { at: number; nameEnd: number; extraEnd: number },
): Part {
  const large = largeNumbers(view, { from: nameEnd, to: extraEnd });
  // The numbers that stand elsewhere stand there in this order.
  const [bytes, compressedBytes, headerAt] = [24, 20, 42].map((offset) => {
    const number = view.getUint32(at + offset, true);
    return number === ZIP64 ? large.shift() ?? number : number;
  }) as [number, number, number];
  return {
    name: partName(
      new Uint8Array(view.buffer, view.byteOffset + at + CENTRAL_BYTES, nameEnd - at - CENTRAL_BYTES),
    ),
    flags: view.getUint16(at + 8, true),
    method: view.getUint16(at + 10, true),
    bytes,
    compressedBytes,
    checksum: view.getUint32(at + 16, true),
    headerAt,
  };
}

/** Returns the numbers that some writers put beside the entry, as if they were above 4 GB. */
function largeNumbers(view: DataView, { from, to }: { from: number; to: number }): number[] {
  for (let at = from; at + 4 <= to;) {
    const next = at + 4 + view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === ZIP64_FIELD && next <= to) {
      const count = Math.floor((next - at - 4) / 8);
      return Array.from({ length: count }, (_, index) => Number(view.getBigUint64(at + 4 + index * 8, true)));
    }
    at = next;
  }
  return [];
}

function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - LONGEST_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) {
    if (view.getUint32(at, true) === END_MAGIC) return at;
  }
  throw damaged("its end is missing, it seems to be cut off");
}

function partName(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replaceAll("\\", "/").replace(/^\/+/, "");
}

async function* inflatePart(bytes: Uint8Array, part: Part, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const packed = packedBytes(bytes, part);
  if (part.method !== 0 && part.method !== 8) {
    throw damaged(`part "${part.name}" is packed by method ${part.method}, only deflate is known`);
  }
  let size = 0;
  let checksum = 0;
  for await (const piece of part.method === 0 ? [packed] : inflate(packed, { part, signal })) {
    size += piece.length;
    if (size > part.bytes) {
      throw tooLarge(`part "${part.name}" claims ${part.bytes} bytes and holds more`);
    }
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (size < part.bytes) throw damaged(`part "${part.name}" is cut off`);
  if (checksum !== part.checksum) throw damaged(`part "${part.name}" does not match its checksum`);
}

function packedBytes(bytes: Uint8Array, { name, flags, headerAt, compressedBytes }: Part): Uint8Array {
  if (flags & ENCRYPTED) {
    const message = `The file is encrypted (part "${name}"): save it without a password first`;
    throw new ToolError("invalid_input", message, { details: { part: name } });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (headerAt + LOCAL_BYTES > bytes.length || view.getUint32(headerAt, true) !== LOCAL_MAGIC) {
    throw damaged(`part "${name}" is not where the directory says`);
  }
  const start = headerAt + LOCAL_BYTES + view.getUint16(headerAt + 26, true) +
    view.getUint16(headerAt + 28, true);
  if (start + compressedBytes > bytes.length) throw damaged(`part "${name}" is cut off`);
  return bytes.subarray(start, start + compressedBytes);
}

async function* inflate(
  packed: Uint8Array,
  { part, signal }: { part: Part; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const inflater = new Inflate((piece) => void pieces.push(piece));
  for (let step = 0; step * STEP_BYTES < packed.length; step++) {
    const at = step * STEP_BYTES;
    try {
      inflater.push(packed.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= packed.length);
    } catch (error) {
      throw damaged(`part "${part.name}" cannot be inflated`, error);
    }
    yield* pieces.splice(0);
    if (step % STEPS_BETWEEN_PAUSES === STEPS_BETWEEN_PAUSES - 1) await pause(signal);
  }
}

/** Gives the event loop time for messages, such as the one that ends the call. */
async function pause(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
  signal.throwIfAborted();
}

function claim(what: string, bytes: number, limit: number): string {
  return `${what} would take ${bytes} bytes, the limit is ${limit}`;
}

function tooLarge(reason: string): ToolError {
  return new ToolError("limit_exceeded", `The archive is not opened: ${reason}`);
}

function damaged(reason: string, cause?: unknown): ToolError {
  return new ToolError("invalid_input", `The file is damaged: ${reason}`, { cause });
}
