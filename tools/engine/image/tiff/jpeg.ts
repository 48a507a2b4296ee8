import { damagedImage, unsupportedImage } from "../pixels/error.ts";
import { jpegHeader } from "../formats/header_jpeg.ts";
import { Photometric } from "./header.ts";
import { type DecodedJpeg, decodeJpeg } from "../formats/jpeg.ts";
import type { TiffDirectory } from "./directory.ts";
import type { TiffLayout } from "./layout.ts";

const START = [0xff, 0xd8];
const END = [0xff, 0xd9];

/** Decodes a strip or tile that is a JPEG picture whose tables may stand elsewhere. */
export function decodeTiffJpeg(bytes: Uint8Array, { jpegTables, photometric }: TiffLayout): DecodedJpeg {
  const tables = jpegTables.subarray(START.length, Math.max(START.length, jpegTables.length - END.length));
  const whole = joined(START, adobeMark(photometric), tables, bytes.subarray(START.length));
  const header = jpegHeader(whole);
  const decoded = decodeJpeg(whole, { ...header, adobe: false }, header);
  if (photometric === Photometric.WHITE_IS_ZERO) invert(decoded.raster.pixels);
  return decoded;
}

/** Without this mark a decoder would guess the kind of colours from their number. */
function adobeMark(photometric: number): number[] {
  const transform = photometric === Photometric.YCBCR ? 1 : 0;
  const colour = photometric === Photometric.YCBCR || photometric === Photometric.RGB;
  return colour ? [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, transform] : [];
}

function invert(pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    for (let channel = at; channel < at + 3; channel++) pixels[channel] = 255 - pixels[channel]!;
  }
}

/**
 * Decodes a picture of TIFF's old JPEG compression, if it is a whole JPEG file or one that lacks only its
 * end.
 */
export function decodeOldJpeg(bytes: Uint8Array, { numbers, number }: TiffDirectory): DecodedJpeg {
  const start = number(513, 0);
  const file = bytes.subarray(start, start + number(514, bytes.length));
  const strips = numbers(273);
  const rest = bytes.subarray(strips[0] ?? 0, (strips[0] ?? 0) + number(279, bytes.length));
  const candidates = strips.length === 1 ? [file, joined(file, rest, END)] : [file];
  const whole = candidates.find((candidate) => start > 0 && hasPixels(candidate));
  if (!whole) throw unsupportedImage("TIFF images with compression 6 in several parts");
  const header = jpegHeader(whole);
  if (header.width !== number(256, 0) || header.height !== number(257, 0)) {
    throw damagedImage("TIFF", "its parts disagree about its size");
  }
  return decodeJpeg(whole, header, header);
}

function hasPixels(jpeg: Uint8Array): boolean {
  try {
    return jpegHeader(jpeg).scanAt + 100 < jpeg.length;
  } catch {
    return false;
  }
}

function joined(...parts: readonly (Uint8Array | readonly number[])[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
