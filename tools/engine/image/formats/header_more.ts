import { Buffer } from "node:buffer";

import { textAt, viewOf } from "../pixels/bytes.ts";
import { unsupportedImage } from "../pixels/error.ts";
import type { ImageHeader } from "../pixels/format.ts";
import { pngHeader } from "../png/header.ts";

/** A number of the header, after blanks and comments. */
const GAP = "(?:\\s|#[^\\n]*\\n)+";
const NETPBM = new RegExp(`^P([1-6])${GAP}(\\d{1,6})${GAP}(\\d{1,6})(?:${GAP}(\\d{1,5}))?\\s`);
const HEADER_BYTES = 1024;

/** Says whether a file is a picture of Netpbm: PBM, PGM or PPM, as text or packed. */
export function isNetpbm(bytes: Uint8Array): boolean {
  return NETPBM.test(textAt(bytes, 0, HEADER_BYTES));
}

/** Reads the header of a PBM, PGM or PPM file. */
export function netpbmHeader(bytes: Uint8Array): ImageHeader {
  const [, kind = "", width, height, most] = NETPBM.exec(textAt(bytes, 0, HEADER_BYTES)) ?? [];
  const isGrey = kind === "2" || kind === "5";
  const mode = kind === "1" || kind === "4" ? "1" : !isGrey ? "RGB" : Number(most) > 255 ? "I" : "L";
  return { format: "PPM", mode, width: Number(width), height: Number(height) };
}

const CODESTREAM = Buffer.from([0xff, 0x4f, 0xff, 0x51]);
const MODES = ["L", "LA", "RGB", "RGBA"];

/** Reads the header of a JPEG 2000 file: of the first code stream in it. */
export function jpeg2000Header(bytes: Uint8Array): ImageHeader {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(CODESTREAM);
  if (at < 0) throw unsupportedImage("JPEG 2000 images without a code stream");
  const view = viewOf(bytes);
  const size = (offset: number) => view.getUint32(at + 8 + offset) - view.getUint32(at + 16 + offset);
  const mode = MODES[view.getUint16(at + 40) - 1] ?? "CMYK";
  return { format: "JPEG2000", mode, width: size(0), height: size(4) };
}

/** Returns the largest picture of an ICNS file that is one of a known format. */
export function largestAppleIcon(bytes: Uint8Array): { bytes: Uint8Array; header: ImageHeader } {
  const view = viewOf(bytes);
  let best: { bytes: Uint8Array; header: ImageHeader } | null = null;
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = view.getUint32(at + 4);
    if (length < 8) break;
    const picture = bytes.subarray(at + 8, at + length);
    const header = headerOf(picture);
    if (header && header.width > (best?.header.width ?? 0)) best = { bytes: picture, header };
    at += length;
  }
  if (best) return best;
  throw unsupportedImage("ICNS icons that hold neither PNG nor JPEG 2000");
}

function headerOf(picture: Uint8Array): ImageHeader | null {
  if (textAt(picture, 1, 3) === "PNG") return pngHeader(picture);
  const isJpeg2000 = textAt(picture, 4, 4) === "jP  " || textAt(picture, 0, 4) === "\xff\x4f\xff\x51";
  return isJpeg2000 ? jpeg2000Header(picture) : null;
}

/** Reads the header of an ICNS file: that of its largest picture. */
export function icnsHeader(bytes: Uint8Array): ImageHeader {
  return { ...largestAppleIcon(bytes).header, format: "ICNS" };
}
