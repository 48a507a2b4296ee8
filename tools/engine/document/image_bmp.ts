import { viewOf } from "./image_bytes.ts";
import { unsupportedImage } from "./image_error.ts";
import type { Raster } from "./image_raster.ts";

/**
 * Decodes the picture of an ICO file's entry that is no PNG: a BMP picture without its file header, and below it a mask
 * that says which pixels are clear. Throws `RangeError` where it ends too early.
 */
export function decodeIconBitmap(bytes: Uint8Array): Raster {
  const view = viewOf(bytes);
  const headerBytes = view.getUint32(0, true);
  const width = view.getInt32(4, true);
  const height = Math.abs(view.getInt32(8, true)) >> 1;
  const bits = view.getUint16(14, true);
  if (view.getUint32(16, true) !== 0 || ![1, 4, 8, 24, 32].includes(bits)) {
    throw unsupportedImage(`ICO images with ${bits} bits a pixel, compressed`);
  }
  const colours = bits > 8 ? 0 : view.getUint32(32, true) || 2 ** bits;
  const pixelsAt = headerBytes + colours * 4;
  const rowBytes = Math.ceil(width * bits / 32) * 4;
  const pixels = new Uint8Array(width * height * 4);
  let at = 0;
  for (let y = 0; y < height; y++) {
    const row = pixelsAt + (height - 1 - y) * rowBytes;
    for (let x = 0; x < width; x++, at += 4) {
      const from = bits > 8 ? row + x * (bits >> 3) : headerBytes +
        4 * (view.getUint8(row + (x * bits >> 3)) >> (8 - bits - (x * bits & 7)) & (2 ** bits - 1));
      pixels[at] = view.getUint8(from + 2);
      pixels[at + 1] = view.getUint8(from + 1);
      pixels[at + 2] = view.getUint8(from);
      pixels[at + 3] = bits === 32 ? view.getUint8(from + 3) : 255;
    }
  }
  const raster = { width, height, pixels };
  if (bits < 32 || !hasAlpha(pixels)) applyMask(raster, bytes.subarray(pixelsAt + height * rowBytes));
  return raster;
}

function hasAlpha(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 0) return true;
  return false;
}

function applyMask({ width, height, pixels }: Raster, mask: Uint8Array): void {
  const rowBytes = Math.ceil(width / 32) * 4;
  let at = 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 4) {
      const byte = mask[(height - 1 - y) * rowBytes + (x >> 3)] ?? 0;
      pixels[at] = (byte >> (7 - (x & 7)) & 1) === 1 ? 0 : 255;
    }
  }
}
