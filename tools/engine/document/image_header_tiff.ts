import { viewOf } from "./image_bytes.ts";
import { damagedImage } from "./image_error.ts";
import type { ImageHeader } from "./image_format.ts";
import { exifOrientation } from "./image_orientation.ts";

/** What else the first directory of a TIFF file says. */
export interface TiffHeader extends ImageHeader {
  /** The number of its method: 1 none, 2 to 4 those of fax machines, 7 JPEG … */
  compression: number;
  tiled: boolean;
}

const MOST_ENTRIES = 4096;
const MOST_PAGES = 10_000;
/** Bytes of one value, by the number of its type. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];

/** Reads the first directory of a TIFF file and counts the others. */
export function tiffHeader(bytes: Uint8Array): TiffHeader {
  const view = viewOf(bytes);
  const little = view.getUint16(0) === 0x4949;
  const first = view.getUint32(4, little);
  const tags = directory(view, first, little);
  const number = (tag: number, absent: number) => tags.get(tag)?.[0] ?? absent;
  const [width, height] = [number(256, 0), number(257, 0)];
  if (!tags.has(256) || !tags.has(257)) throw damagedImage("TIFF", "it does not give its size");
  const samples = number(277, 1);
  const shape = {
    photometric: photometric(number(262, 1), number(259, 1)),
    bits: number(258, 1),
    samples,
    kind: number(339, 1),
    little,
  };
  return {
    format: "TIFF",
    mode: modeOf(shape),
    width,
    height,
    orientation: exifOrientation(bytes),
    compression: number(259, 1),
    tiled: tags.has(322),
    frames: countPages(view, first, little),
    transparent: tags.has(338) || samples === 2 || (samples === 4 && shape.photometric === 2),
  };
}

function directory(view: DataView, at: number, little: boolean): Map<number, number[]> {
  const tags = new Map<number, number[]>();
  const count = Math.min(view.getUint16(at, little), MOST_ENTRIES);
  for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
    const type = view.getUint16(entry + 2, little);
    const inPlace = (TYPE_BYTES[type] ?? 0) * view.getUint32(entry + 4, little) <= 4;
    const from = inPlace ? entry + 8 : view.getUint32(entry + 8, little);
    // Only the first value of each counts here; it may lie anywhere.
    if (type === 3) tags.set(view.getUint16(entry, little), [view.getUint16(from, little)]);
    else if (type === 4) tags.set(view.getUint16(entry, little), [view.getUint32(from, little)]);
    else tags.set(view.getUint16(entry, little), []);
  }
  return tags;
}

function countPages(view: DataView, first: number, little: boolean): number {
  const seen = new Set<number>();
  try {
    for (let at = first; at !== 0 && !seen.has(at) && seen.size < MOST_PAGES;) {
      seen.add(at);
      at = view.getUint32(at + 2 + view.getUint16(at, little) * 12, little);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return seen.size;
}

/** Colours that JPEG compression changed come back as RGB. */
function photometric(stored: number, compression: number): number {
  return stored === 6 && compression === 7 ? 2 : stored;
}

interface Shape {
  photometric: number;
  bits: number;
  samples: number;
  /** 1 unsigned, 2 signed, 3 floating point. */
  kind: number;
  little: boolean;
}

/** Pillow's name. */
function modeOf({ photometric, bits, samples, kind, little }: Shape): string {
  if (photometric === 3) return "P";
  if (photometric === 5) return "CMYK";
  if (photometric === 6) return "YCbCr";
  if (photometric === 8) return "LAB";
  if (photometric === 2) return samples >= 4 ? "RGBA" : "RGB";
  if (samples === 2) return "LA";
  if (bits === 32) return kind === 3 ? "F" : "I";
  if (bits === 16) return little ? "I;16" : "I;16B";
  return bits === 1 ? "1" : "L";
}
