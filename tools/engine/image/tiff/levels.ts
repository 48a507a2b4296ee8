import { viewOf } from "../pixels/bytes.ts";
import { Photometric } from "./header.ts";
import { unpackedChunks } from "./chunk.ts";
import { type TiffLayout, tiffRowBytes } from "./layout.ts";

/** The smallest and the largest number of a picture. */
export interface LevelRange {
  least: number;
  most: number;
}

/** Finds the range of numbers without a fixed range, such as floating point; `null` for others. */
export function levelRange(bytes: Uint8Array, layout: TiffLayout): LevelRange | null {
  if (layout.kind === 1 && layout.bits <= 16) return null;
  let [least, most] = [Infinity, -Infinity];
  for (const { planes, place: { rows } } of unpackedChunks(bytes, layout)) {
    for (const plane of planes) {
      eachNumber(plane, layout, rows, (number) => {
        if (number < least) least = number;
        if (number > most) most = number;
      });
    }
  }
  return { least, most: most > least ? most : least + 1 };
}

/** Returns the numbers of a strip or tile pixel by pixel: from 0 to 255, those of a palette as they are. */
export function tiffLevels(
  planes: readonly Uint8Array[],
  layout: TiffLayout,
  { rows, range }: { rows: number; range: LevelRange | null },
): Uint8Array {
  if (planes.length === 1 && layout.bits === 8 && range === null) return planes[0]!;
  const levelOf = leveller(layout, range);
  const levels = new Uint8Array(layout.chunkWidth * rows * layout.samples);
  for (const [channel, plane] of planes.entries()) {
    let at = channel;
    eachNumber(plane, layout, rows, (number) => {
      levels[at] = levelOf(number);
      at += planes.length;
    });
  }
  return levels;
}

function leveller({ photometric, bits }: TiffLayout, range: LevelRange | null): (number: number) => number {
  if (range !== null) {
    return (number) => Math.round((number - range.least) / (range.most - range.least) * 255);
  }
  if (photometric === Photometric.PALETTE) return (number) => number;
  if (bits >= 8) return (number) => number >> (bits - 8);
  const most = 2 ** bits - 1;
  return (number) => Math.round(number / most * 255);
}

function eachNumber(
  plane: Uint8Array,
  layout: TiffLayout,
  rows: number,
  visit: (number: number) => void,
): void {
  const { chunkWidth, planar, samples, bits } = layout;
  const count = chunkWidth * (planar ? 1 : samples);
  const rowBytes = tiffRowBytes(layout);
  const read = numberReader(plane, layout);
  for (let row = 0; row < rows; row++) {
    const start = row * rowBytes * 8;
    for (let index = 0; index < count; index++) visit(read(start + index * bits));
  }
}

/** Returns a function that reads the number at a bit. */
function numberReader(plane: Uint8Array, { bits, kind, little }: TiffLayout): (bit: number) => number {
  const view = viewOf(plane);
  if (kind === 3) {
    const finite = (number: number) => Number.isFinite(number) ? number : 0;
    return bits === 64
      ? (bit) => finite(view.getFloat64(bit / 8, little))
      : (bit) => finite(view.getFloat32(bit / 8, little));
  }
  if (bits === 32) {
    return kind === 2 ? (bit) => view.getInt32(bit / 8, little) : (bit) => view.getUint32(bit / 8, little);
  }
  if (bits === 16) {
    return kind === 2 ? (bit) => view.getInt16(bit / 8, little) : (bit) => view.getUint16(bit / 8, little);
  }
  if (bits === 8) return kind === 2 ? (bit) => view.getInt8(bit / 8) : (bit) => plane[bit / 8]!;
  return (bit) => {
    const at = Math.floor(bit / 8);
    const pair = plane[at]! << 8 | (plane[at + 1] ?? 0);
    return pair >> (16 - bits - bit % 8) & (2 ** bits - 1);
  };
}
