import type { Raster } from "./raster.ts";

/** How far the filter reaches, in pixels of the smaller picture. */
const REACH = 2;
/** Above this ratio whole blocks of pixels are averaged first, which hardly changes the result. */
const BLOCK_RATIO = 4;

/**
 * Resizes an opaque raster with a cubic filter (Catmull and Rom's).
 *
 * @param size New size in pixels; the caller must keep the aspect
 */
export function resample(raster: Raster, size: { width: number; height: number }): Raster {
  if (raster.width === size.width && raster.height === size.height) return raster;
  const blocks = Math.floor(Math.min(raster.width / size.width, raster.height / size.height) / 2);
  const source = blocks * 2 >= BLOCK_RATIO ? averageBlocks(raster, blocks) : raster;
  return resampleRows(resampleRows(source, size.width), size.height);
}

/** Averages blocks of so many pixels square; those at the right and bottom edges may be cut. */
function averageBlocks({ width, height, pixels }: Raster, block: number): Raster {
  const [newWidth, newHeight] = [Math.ceil(width / block), Math.ceil(height / block)];
  const averaged = new Uint8Array(newWidth * newHeight * 4);
  let at = 0;
  for (let y = 0; y < newHeight; y++) {
    const bottom = Math.min(height, (y + 1) * block);
    for (let x = 0; x < newWidth; x++, at += 4) {
      const right = Math.min(width, (x + 1) * block);
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let row = y * block; row < bottom; row++) {
        for (let from = (row * width + x * block) * 4; from < (row * width + right) * 4; from += 4) {
          red += pixels[from]!;
          green += pixels[from + 1]!;
          blue += pixels[from + 2]!;
        }
      }
      const count = (bottom - y * block) * (right - x * block);
      averaged[at] = Math.round(red / count);
      averaged[at + 1] = Math.round(green / count);
      averaged[at + 2] = Math.round(blue / count);
      averaged[at + 3] = 255;
    }
  }
  return { width: newWidth, height: newHeight, pixels: averaged };
}

/** Resizes each row to a new width and returns the picture mirrored along its diagonal: its rows are columns. */
function resampleRows({ width, height, pixels }: Raster, newWidth: number): Raster {
  const { taps, starts, weights } = filterOf(width, newWidth);
  const turned = new Uint8ClampedArray(newWidth * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < newWidth; x++) {
      let red = 0;
      let green = 0;
      let blue = 0;
      let from = (y * width + starts[x]!) * 4;
      for (let tap = x * taps; tap < (x + 1) * taps; tap++, from += 4) {
        const weight = weights[tap]!;
        red += pixels[from]! * weight;
        green += pixels[from + 1]! * weight;
        blue += pixels[from + 2]! * weight;
      }
      const at = (x * height + y) * 4;
      turned[at] = red;
      turned[at + 1] = green;
      turned[at + 2] = blue;
    }
  }
  return { width: height, height: newWidth, pixels: new Uint8Array(turned.buffer) };
}

interface Filter {
  /** Source pixels that each new one is made of. */
  taps: number;
  /** The first of them, for each new pixel. */
  starts: Int32Array;
  /** Weights of the taps of each new pixel; they add up to 1. */
  weights: Float32Array;
}

function filterOf(oldLength: number, newLength: number): Filter {
  const ratio = oldLength / newLength;
  const stretch = Math.max(1, ratio);
  const taps = Math.min(oldLength, Math.ceil(stretch * REACH * 2) + 1);
  const starts = new Int32Array(newLength);
  const weights = new Float32Array(newLength * taps);
  for (let to = 0; to < newLength; to++) {
    const centre = (to + 0.5) * ratio;
    const start = Math.max(0, Math.min(oldLength - taps, Math.floor(centre - stretch * REACH)));
    const own = weights.subarray(to * taps, (to + 1) * taps);
    for (let tap = 0; tap < taps; tap++) own[tap] = cubic((start + tap + 0.5 - centre) / stretch);
    const sum = own.reduce((sum, weight) => sum + weight, 0);
    for (let tap = 0; tap < taps; tap++) own[tap]! /= sum;
    starts[to] = start;
  }
  return { taps, starts, weights };
}

function cubic(x: number): number {
  const at = Math.abs(x);
  if (at >= REACH) return 0;
  return at < 1 ? (1.5 * at - 2.5) * at * at + 1 : ((-0.5 * at + 2.5) * at - 4) * at + 2;
}
