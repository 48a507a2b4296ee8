import { viewOf } from "../pixels/bytes.ts";
import { unsupportedImage } from "../pixels/error.ts";

/** The header that BMP files and the pictures of ICO files share, and its colours. */
export interface Dib {
  width: number;
  /** For ICO pictures, twice the shown height. */
  height: number;
  /** The first row comes first, not last. */
  topDown: boolean;
  bits: number;
  /** 0 is no compression, 1 and 2 are runs of pixels with 8 and 4 bits. */
  compression: number;
  /** Bits of red, green, blue and alpha of pixels without a palette. */
  masks: readonly [number, number, number, number];
  /** In RGB. */
  palette: Uint8Array;
  paletteAt: number;
  /** Where the palette ends. */
  end: number;
}

const SHORT_HEADER = 12;
const COMMON_HEADER = 40;
const OS2_HEADER = 64;
const MASKS = 3;
const MASKS_WITH_ALPHA = 6;

/** Reads a header and its palette. Throws `RangeError` where they end too early. */
export function readDib(bytes: Uint8Array, at: number): Dib {
  const view = viewOf(bytes);
  const headerBytes = view.getUint32(at, true);
  const short = headerBytes === SHORT_HEADER;
  const height = short ? view.getUint16(at + 6, true) : view.getInt32(at + 8, true);
  const bits = view.getUint16(at + (short ? 10 : 14), true);
  const stored = headerBytes < 20 ? 0 : view.getUint32(at + 16, true);
  const masked = headerBytes !== OS2_HEADER && (stored === MASKS || stored === MASKS_WITH_ALPHA);
  const compression = masked ? 0 : stored;
  checkKind(bits, compression);
  const after = masked && headerBytes === COMMON_HEADER ? (stored === MASKS ? 12 : 16) : 0;
  const entryBytes = short ? 3 : 4;
  const given = headerBytes < 36 ? 0 : view.getUint32(at + 32, true);
  const count = bits > 8 ? 0 : Math.min(given || 2 ** bits, 256);
  const paletteAt = at + headerBytes + after;
  return {
    width: short ? view.getUint16(at + 4, true) : view.getInt32(at + 4, true),
    height: Math.abs(height),
    topDown: height < 0,
    bits,
    compression,
    masks: masked ? masksAt(view, at, headerBytes + after) : bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [
      0xff0000,
      0xff00,
      0xff,
      0,
    ],
    paletteAt,
    palette: paletteOf(bytes.subarray(paletteAt, paletteAt + count * entryBytes), entryBytes),
    end: paletteAt + (bits > 8 ? 0 : (given || 2 ** bits) * entryBytes),
  };
}

function checkKind(bits: number, compression: number): void {
  const runs = (compression === 1 && bits === 8) || (compression === 2 && bits === 4);
  if (!runs && (compression !== 0 || ![1, 2, 4, 8, 16, 24, 32].includes(bits))) {
    throw unsupportedImage(`BMP images with ${bits} bits a pixel and compression ${compression}`);
  }
}

function masksAt(view: DataView, at: number, headerBytes: number): Dib["masks"] {
  const mask = (index: number) => view.getUint32(at + COMMON_HEADER + index * 4, true);
  return [mask(0), mask(1), mask(2), headerBytes >= COMMON_HEADER + 16 ? mask(3) : 0];
}

function paletteOf(entries: Uint8Array, entryBytes: number): Uint8Array {
  const palette = new Uint8Array(256 * 3);
  for (let index = 0; (index + 1) * entryBytes <= entries.length; index++) {
    const [blue, green, red] = entries.subarray(index * entryBytes);
    palette.set([red!, green!, blue!], index * 3);
  }
  return palette;
}
