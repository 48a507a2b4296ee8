import { textAt, viewOf } from "../pixels/bytes.ts";
import { damagedImage } from "../pixels/error.ts";
import type { ImageHeader } from "../pixels/format.ts";
import { pngHeader } from "../png/header.ts";
import { exifOrientation } from "../pixels/orientation.ts";

/** Reads the header of a GIF file and counts its pictures. */
export function gifHeader(bytes: Uint8Array): ImageHeader {
  const view = viewOf(bytes);
  const width = view.getUint16(6, true);
  const height = view.getUint16(8, true);
  let palette = gifPalette(bytes, 10, 13);
  let frames = 0;
  // A GIF file that was cut short may still have its first picture: the decoder will tell.
  for (let at = 13 + palette.length; at < bytes.length;) {
    if (bytes[at] === 0x2c) {
      const own = gifPalette(bytes, at + 9, at + 10);
      if (frames++ === 0 && own.length > 0) palette = own;
      at = afterBlocks(bytes, at + 11 + own.length);
    } else if (bytes[at] === 0x21) {
      at = afterBlocks(bytes, at + 2);
    } else break;
  }
  const grey = isGreyRamp(palette, 3);
  return { format: "GIF", mode: grey ? "L" : "P", width, height, frames, transparent: true };
}

function gifPalette(bytes: Uint8Array, flagsAt: number, at: number): Uint8Array {
  const flags = bytes[flagsAt] ?? 0;
  return bytes.subarray(at, (flags & 0x80) === 0 ? at : at + 3 * 2 ** ((flags & 7) + 1));
}

function afterBlocks(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
  return at + 1;
}

/** Every colour is grey and as bright as its place: Pillow drops such palettes. */
function isGreyRamp(palette: Uint8Array, stride: number): boolean {
  for (let at = 0; at < palette.length; at += stride) {
    const level = at / stride;
    if (palette[at] !== level || palette[at + 1] !== level || palette[at + 2] !== level) return false;
  }
  return true;
}

/** Reads the headers of a BMP file. */
export function bmpHeader(bytes: Uint8Array): ImageHeader {
  const view = viewOf(bytes);
  const size = view.getUint32(14, true);
  if (size === 12) {
    const bits = view.getUint16(24, true);
    const [width, height] = [view.getUint16(18, true), view.getUint16(20, true)];
    return { format: "BMP", mode: bits > 8 ? "RGB" : "P", width, height };
  }
  const bits = view.getUint16(28, true);
  const compression = size < 20 ? 0 : view.getUint32(30, true);
  const transparent = (bits === 16 || bits === 32) &&
    ((compression === 3 && size >= 56) || compression === 6) && view.getUint32(66, true) !== 0;
  return {
    format: "BMP",
    mode: transparent && bits === 32 ? "RGBA" : bits > 8 ? "RGB" : indexedMode(bytes, size, bits),
    width: view.getInt32(18, true),
    height: Math.abs(view.getInt32(22, true)),
    transparent,
  };
}

/** Pillow's name for a BMP file with a palette. */
function indexedMode(bytes: Uint8Array, headerBytes: number, bits: number): string {
  const colours = viewOf(bytes).getUint32(46, true) || 2 ** bits;
  const palette = bytes.subarray(14 + headerBytes, 14 + headerBytes + 4 * Math.min(colours, 256));
  if (colours === 2) {
    const ends = [...palette.subarray(0, 3), ...palette.subarray(4, 7)];
    return ends.join() === "0,0,0,255,255,255" ? "1" : "P";
  }
  return isGreyRamp(palette, 4) ? "L" : "P";
}

/** Reads the first chunks of a WebP file. */
export function webpHeader(bytes: Uint8Array): ImageHeader {
  const view = viewOf(bytes);
  // The decoder would show the rest of a file that was cut short, without a warning.
  if (view.getUint32(4, true) + 8 > bytes.length + 1) {
    throw damagedImage("WEBP", "it ends too early, get the whole file");
  }
  const kind = textAt(bytes, 12, 4);
  if (kind === "VP8X") return extendedWebp(bytes, view);
  if (kind === "VP8L") {
    const packed = view.getUint32(21, true);
    const transparent = (packed >>> 28 & 1) === 1;
    const [width, height] = [(packed & 0x3fff) + 1, (packed >>> 14 & 0x3fff) + 1];
    return { format: "WEBP", mode: transparent ? "RGBA" : "RGB", width, height, transparent };
  }
  if (kind !== "VP8 ") throw damagedImage("WEBP", `unknown first chunk ${JSON.stringify(kind)}`);
  const [width, height] = [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  return { format: "WEBP", mode: "RGB", width, height };
}

function extendedWebp(bytes: Uint8Array, view: DataView): ImageHeader {
  const transparent = (view.getUint8(20) & 0x10) !== 0;
  const size = (at: number) => 1 + view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;
  let frames = 0;
  let orientation = 1;
  for (let at = 30; at + 8 <= bytes.length;) {
    const type = textAt(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    if (type === "ANMF") frames++;
    if (type === "EXIF") {
      const body = bytes.subarray(at + 8, at + 8 + length);
      orientation = exifOrientation(textAt(body, 0, 6) === "Exif\0\0" ? body.subarray(6) : body);
    }
    at += 8 + length + (length & 1);
  }
  const mode = transparent ? "RGBA" : "RGB";
  return { format: "WEBP", mode, width: size(24), height: size(27), orientation, frames, transparent };
}

/** One picture of an ICO file. */
export interface IcoEntry {
  width: number;
  height: number;
  bits: number;
  bytes: Uint8Array;
}

/** Finds the largest picture of an ICO file; among equals, the one with the most colours. */
export function largestIcon(bytes: Uint8Array): IcoEntry {
  const view = viewOf(bytes);
  const entries: IcoEntry[] = [];
  for (let at = 6; at < 6 + view.getUint16(4, true) * 16; at += 16) {
    const [length, start] = [view.getUint32(at + 8, true), view.getUint32(at + 12, true)];
    entries.push({
      width: view.getUint8(at) || 256,
      height: view.getUint8(at + 1) || 256,
      bits: view.getUint16(at + 6, true),
      bytes: bytes.subarray(start, start + length),
    });
  }
  const largest = entries.sort((a, b) => b.width * b.height - a.width * a.height || b.bits - a.bits)[0];
  if (largest === undefined) throw damagedImage("ICO", "it holds no picture");
  return largest;
}

/** Reads the header of an ICO file: that of its largest picture. */
export function icoHeader(bytes: Uint8Array): ImageHeader {
  const { width, height, bytes: picture } = largestIcon(bytes);
  if (textAt(picture, 1, 3) === "PNG") return { ...pngHeader(picture), format: "ICO" };
  const stored = viewOf(picture);
  const size = stored.getUint32(0, true) >= 40
    ? { width: stored.getInt32(4, true), height: Math.abs(stored.getInt32(8, true)) >> 1 }
    : { width, height };
  return { format: "ICO", mode: "RGBA", ...size, transparent: true };
}
