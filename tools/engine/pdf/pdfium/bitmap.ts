import type { Pdfium } from "./library.ts";
import type { Pixels } from "../../encode_png.ts";

/** PDFium's names for how a pixel lies in a bitmap: bytes a pixel, and which of them go into the picture. */
const FORMATS: Readonly<Record<number, { size: number; channels: 1 | 3 | 4 }>> = {
  1: { size: 1, channels: 1 },
  2: { size: 3, channels: 3 },
  3: { size: 4, channels: 3 },
  4: { size: 4, channels: 4 },
  // Its colours are multiplied by its transparency; the pictures that are read here use it only for opaque
  // pixels.
  5: { size: 4, channels: 4 },
};

/** Copies the pixels of a bitmap out of PDFium, its blue-green-red as red-green-blue; `null` for unknown formats. */
export function readBitmap(pdfium: Pdfium, bitmap: number): Pixels | null {
  const { call } = pdfium;
  const format = FORMATS[call.FPDFBitmap_GetFormat(bitmap)];
  const width = call.FPDFBitmap_GetWidth(bitmap);
  const height = call.FPDFBitmap_GetHeight(bitmap);
  if (format === undefined || width <= 0 || height <= 0) return null;
  const start = call.FPDFBitmap_GetBuffer(bitmap);
  const stride = call.FPDFBitmap_GetStride(bitmap);
  const source = pdfium.bytes;
  const { size, channels } = format;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const row = source.subarray(start + y * stride, start + y * stride + width * size);
    const target = data.subarray(y * width * channels);
    if (channels === 1) target.set(row);
    else copyRow(row, target, { size, channels });
  }
  return { width, height, channels, data };
}

function copyRow(row: Uint8Array, target: Uint8Array, pixel: { size: number; channels: number }): void {
  const { size, channels } = pixel;
  let to = 0;
  for (let from = 0; from < row.length; from += size) {
    target[to] = row[from + 2]!;
    target[to + 1] = row[from + 1]!;
    target[to + 2] = row[from]!;
    if (channels === 4) target[to + 3] = row[from + 3]!;
    to += channels;
  }
}
