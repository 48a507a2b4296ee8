import type { PngHeader } from "./header.ts";

/** Where a row's pixels go: how many, the offset of the first in the raster, and the distance of the others. */
export interface PngRow {
  count: number;
  at: number;
  step: number;
}

/** Draws a row of unfiltered bytes; the first byte is not a pixel. */
export type PngPainter = (row: Uint8Array, place: PngRow) => void;

/** Returns a function that draws PNG rows into a raster of RGBA. Of 16 bits the upper eight count. */
export function pngPainter(header: PngHeader, pixels: Uint8Array): PngPainter {
  if (header.colour === 3) return palettePainter(header, pixels);
  if (header.colour === 0) return greyPainter(header, pixels);
  return channelPainter(header, pixels);
}

function palettePainter({ depth, palette, transparency }: PngHeader, pixels: Uint8Array): PngPainter {
  return (row, { count, at, step }) => {
    for (let x = 0; x < count; x++, at += step) {
      const colour = sample(row, x, depth);
      pixels[at] = palette[colour * 3] ?? 0;
      pixels[at + 1] = palette[colour * 3 + 1] ?? 0;
      pixels[at + 2] = palette[colour * 3 + 2] ?? 0;
      pixels[at + 3] = transparency[colour] ?? 255;
    }
  };
}

function greyPainter({ depth, transparency }: PngHeader, pixels: Uint8Array): PngPainter {
  const scale = depth === 16 ? 1 / 257 : 255 / (2 ** depth - 1);
  const clear = transparency.length < 2 ? -1 : transparency[0]! * 256 + transparency[1]!;
  return (row, { count, at, step }) => {
    for (let x = 0; x < count; x++, at += step) {
      const value = sample(row, x, depth);
      pixels[at] = pixels[at + 1] = pixels[at + 2] = Math.round(value * scale);
      pixels[at + 3] = value === clear ? 0 : 255;
    }
  };
}

/** RGB, grey with alpha, RGBA. */
function channelPainter({ depth, colour, transparency }: PngHeader, pixels: Uint8Array): PngPainter {
  const bytes = depth >> 3;
  const [green, blue, alpha] = colour === 4 ? [0, 0, bytes] : [bytes, 2 * bytes, 3 * bytes];
  const stride = colour === 4 ? 2 * bytes : (colour === 2 ? 3 : 4) * bytes;
  const isClear = colour === 2 && transparency.length >= 6 ? clearColour(transparency, bytes) : null;
  return (row, { count, at, step }) => {
    let from = 1;
    for (let x = 0; x < count; x++, at += step, from += stride) {
      pixels[at] = row[from]!;
      pixels[at + 1] = row[from + green]!;
      pixels[at + 2] = row[from + blue]!;
      pixels[at + 3] = colour !== 2 ? row[from + alpha]! : isClear?.(row, from) ? 0 : 255;
    }
  };
}

function clearColour(transparency: Uint8Array, bytes: number): (row: Uint8Array, from: number) => boolean {
  // Stored in two bytes each; of pictures with 8 bits only the lower one counts.
  const wanted = [0, 1, 2].flatMap((
    channel,
  ) => [...transparency.subarray(channel * 2 + 2 - bytes, channel * 2 + 2)]);
  return (row, from) => wanted.every((byte, offset) => row[from + offset] === byte);
}

/** The sample number x of a row with one channel. */
function sample(row: Uint8Array, x: number, depth: number): number {
  if (depth === 8) return row[1 + x]!;
  if (depth === 16) return row[1 + 2 * x]! * 256 + row[2 + 2 * x]!;
  const bit = x * depth;
  return row[1 + (bit >> 3)]! >> (8 - depth - (bit & 7)) & (2 ** depth - 1);
}
