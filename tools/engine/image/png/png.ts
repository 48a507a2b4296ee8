// Our own decoder: fast-png refuses interlaced pictures with less than a byte a pixel. It takes three times
// as long and twice the memory for 12 megapixels, and unpacks a bomb of 512 MB to its end.
import { damagedImage } from "../pixels/error.ts";
import type { PngHeader } from "./header.ts";
import { pngPainter } from "./rows.ts";
import type { Raster } from "../pixels/raster.ts";

/** Where the pixels of a pass lie: the first one, and how far the others are apart. */
interface Pass {
  x: number;
  y: number;
  stepX: number;
  stepY: number;
}

const WHOLE: readonly Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
const ADAM7: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];
/** Deflate makes at most a thousand bytes from one: a bomb gets at most 32 MB beyond the last row. */
const FAST_STEP_BYTES = 32_768;
const STEP_BYTES = 4096;
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * Decodes the first picture of a PNG file row by row, so that only the raster needs much memory.
 *
 * @throws {ToolError} `invalid_input` if it is damaged or cut short
 */
export async function decodePng(header: PngHeader): Promise<Raster> {
  try {
    return await draw(header, inflatedFast(header.data));
  } catch (error) {
    // Only the decompressor throws this: everything else here is plain arithmetic.
    if (error instanceof TypeError) return await draw(header, inflatedPatiently(header.data));
    throw error;
  }
}

async function draw(header: PngHeader, chunks: AsyncIterable<Uint8Array>): Promise<Raster> {
  const { width, height } = header;
  const pixels = new Uint8Array(width * height * 4);
  const rows = rowsOf(header, pixels);
  let row = rows.next().value;
  let used = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length && row !== undefined;) {
      const taken = Math.min(chunk.length - at, row.length - used);
      row.set(chunk.subarray(at, at + taken), used);
      at += taken;
      used += taken;
      if (used < row.length) break;
      used = 0;
      row = rows.next().value;
    }
    // Bytes after the last row are not pixels.
    if (row === undefined) break;
  }
  if (row !== undefined) throw damagedImage("PNG", "it ends too early, get the whole file");
  return { width, height, pixels };
}

function inflatedFast(data: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(steps(data)).pipeThrough(new DecompressionStream("deflate"));
}

function* steps(data: readonly Uint8Array<ArrayBuffer>[]): Generator<Uint8Array<ArrayBuffer>> {
  for (const chunk of data) {
    for (let at = 0; at < chunk.length; at += FAST_STEP_BYTES) yield chunk.subarray(at, at + FAST_STEP_BYTES);
  }
}

/** Yields the bytes before an error or before bytes that do not belong there. */
async function* inflatedPatiently(data: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const { Unzlib } = await import("fflate");
  const pieces: Uint8Array[] = [];
  const inflater = new Unzlib((piece) => void pieces.push(piece));
  for (const chunk of data) {
    for (let at = 0; at < chunk.length; at += STEP_BYTES) {
      try {
        inflater.push(chunk.subarray(at, at + STEP_BYTES));
      } catch (error) {
        throw damagedImage("PNG", "its pixels cannot be unpacked, get the whole file", { cause: error });
      }
      yield* pieces.splice(0);
    }
  }
}

/** Yields a buffer for each row's filter and bytes; draws its content when the caller continues. */
function* rowsOf(header: PngHeader, pixels: Uint8Array): Generator<Uint8Array, undefined> {
  const { width, height, depth, colour } = header;
  const pixelBits = CHANNELS[colour]! * depth;
  const paint = pngPainter(header, pixels);
  for (const { x, y, stepX, stepY } of header.interlaced ? ADAM7 : WHOLE) {
    const count = Math.ceil((width - x) / stepX);
    if (count <= 0) continue;
    let [row, above] = [0, 0].map(() => new Uint8Array(1 + Math.ceil(count * pixelBits / 8))) as Rows;
    for (let line = y; line < height; line += stepY) {
      yield row;
      unfilter(row, above, Math.max(1, pixelBits >> 3));
      paint(row, { count, at: (line * width + x) * 4, step: stepX * 4 });
      [row, above] = [above, row];
    }
  }
}

type Rows = [Uint8Array, Uint8Array];

/** Turns differences into values; both rows have their filter as first byte. */
function unfilter(row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  const filter = row[0]!;
  // The byte before the first is the row's filter, which must count as 0.
  row[0] = above[0] = 0;
  if (filter === 0) return;
  if (filter > 4) throw damagedImage("PNG", `there is no filter ${filter}`);
  for (let at = 1; at < row.length; at++) {
    const before = at > pixelBytes;
    const left = before ? row[at - pixelBytes]! : 0;
    const up = above[at]!;
    if (filter === 1) row[at]! += left;
    else if (filter === 2) row[at]! += up;
    else if (filter === 3) row[at]! += (left + up) >> 1;
    else row[at]! += paeth(left, up, before ? above[at - pixelBytes]! : 0);
  }
}

function paeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
