import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";

import type { ScreenPicture } from "../../../schemas/desktop/desktop.ts";

/** Pixels of a screen: blue, green, red and one byte without a meaning. */
export interface Pixels {
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** Longest edge of a picture, in pixels: models see no more of a larger one. */
const MAX_EDGE = 1568;
/** Most bytes of a picture. */
const MAX_BYTES = 3_500_000;
const SMALLER = 0.7;

/** Makes a PNG of a screen, smaller than the screen if that is too large. */
export function pictureOf(pixels: Pixels): ScreenPicture {
  let scale = Math.min(1, MAX_EDGE / Math.max(pixels.width, pixels.height));
  for (;; scale *= SMALLER) {
    const width = Math.max(1, Math.round(pixels.width * scale));
    const height = Math.max(1, Math.round(pixels.height * scale));
    const png = encodePng(rowsOf(pixels, { width, height }), { width, height });
    if (png.length > MAX_BYTES && width * height > 1) continue;
    return { base64: Buffer.from(png).toString("base64"), mimeType: "image/png", width, height };
  }
}

/** Says whether two pictures of a screen are the same. */
export function isSame(one: Pixels, other: Pixels): boolean {
  if (one.width !== other.width || one.height !== other.height) return false;
  const [a, b] = [words(one.bytes), words(other.bytes)];
  return a.every((word, index) => word === b[index]);
}

function words({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  if (byteOffset % 4 === 0) return new Uint32Array(buffer, byteOffset, byteLength / 4);
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

/** Returns rows as PNG filters them: each begins with the number of its filter, and each pixel is a mean of what it covers. */
function rowsOf(pixels: Pixels, { width, height }: { width: number; height: number }): Uint8Array {
  const { bytes } = pixels;
  const rows = new Uint8Array(height * (1 + 3 * width));
  let to = 0;
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = covered(y, height, pixels.height);
    rows[to++] = 0;
    for (let x = 0; x < width; x += 1) {
      const [left, right] = covered(x, width, pixels.width);
      let [red, green, blue] = [0, 0, 0];
      for (let row = top; row < bottom; row += 1) {
        for (let column = left; column < right; column += 1) {
          const from = 4 * (row * pixels.width + column);
          blue += bytes[from]!;
          green += bytes[from + 1]!;
          red += bytes[from + 2]!;
        }
      }
      const count = (bottom - top) * (right - left);
      rows[to++] = red / count;
      rows[to++] = green / count;
      rows[to++] = blue / count;
    }
  }
  return rows;
}

/** Returns which pixels of a long edge one of a short edge covers: from, and up to. */
function covered(at: number, short: number, long: number): [number, number] {
  const from = Math.floor(at * long / short);
  return [from, Math.max(from + 1, Math.floor((at + 1) * long / short))];
}

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
/** Eight bits a colour, three colours a pixel. */
const BIT_DEPTH = 8;
const COLOURS = 2;

function encodePng(rows: Uint8Array, { width, height }: { width: number; height: number }): Uint8Array {
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  head[8] = BIT_DEPTH;
  head[9] = COLOURS;
  const parts = [
    new Uint8Array(SIGNATURE),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows, { level: 6 })),
    chunk("IEND", new Uint8Array()),
  ];
  const png = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    png.set(part, at);
    at += part.length;
  }
  return png;
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC_TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
