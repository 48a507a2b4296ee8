import { textAt, viewOf } from "../pixels/bytes.ts";
import { damagedImage, unsupportedImage } from "../pixels/error.ts";
import type { ImageHeader } from "../pixels/format.ts";
import { exifOrientation } from "../pixels/orientation.ts";

/** What else the start of a JPEG file says. */
export interface JpegHeader extends ImageHeader {
  /** Adobe's programs store CMYK upside down and leave their mark. */
  adobe: boolean;
  /** Where the compressed pixels begin. */
  scanAt: number;
}

const SOS = 0xda;
const EXIF = "Exif\0\0";
const MODES: Readonly<Record<number, string>> = { 1: "L", 3: "RGB", 4: "CMYK" };

/** Reads a JPEG file's segments up to the pixels. Throws `RangeError` where they end too early. */
export function jpegHeader(bytes: Uint8Array): JpegHeader {
  const view = viewOf(bytes);
  let frame: { width: number; height: number; mode: string } | null = null;
  let adobe = false;
  let orientation = 1;
  for (let at = 2;;) {
    // Decoders ignore the bytes between the segments.
    if (view.getUint8(at) !== 0xff) {
      at++;
      continue;
    }
    const marker = view.getUint8(at + 1);
    // Fill bytes, and markers without a length.
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (marker === SOS) {
      if (frame === null) throw damagedImage("JPEG", "pixels come before their size");
      return { format: "JPEG", ...frame, orientation, adobe, scanAt: at };
    }
    if (isFrame(marker)) frame = frameAt(view, at);
    const body = bytes.subarray(at + 4, at + 2 + length);
    if (marker === 0xe1 && orientation === 1 && textAt(body, 0, 6) === EXIF) {
      orientation = exifOrientation(body.subarray(6));
    }
    if (marker === 0xee && textAt(body, 0, 5) === "Adobe") adobe = true;
    if (marker === 0xd9 || length < 2) throw damagedImage("JPEG", "it holds no pixels");
    at += 2 + length;
  }
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function frameAt(view: DataView, at: number): { width: number; height: number; mode: string } {
  const precision = view.getUint8(at + 4);
  if (precision !== 8) throw unsupportedImage(`JPEG images with ${precision} bits a sample`);
  const mode = MODES[view.getUint8(at + 9)];
  if (mode === undefined) throw unsupportedImage(`JPEG images with ${view.getUint8(at + 9)} colours a pixel`);
  return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), mode };
}
