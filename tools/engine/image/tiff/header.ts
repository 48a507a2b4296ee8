import { damagedImage } from "../pixels/error.ts";
import type { ImageHeader } from "../pixels/format.ts";
import { countTiffPages, tiffDirectory } from "./directory.ts";

/** The kinds of pixels, as TIFF numbers them. */
export const Photometric = {
  WHITE_IS_ZERO: 0,
  RGB: 2,
  PALETTE: 3,
  CMYK: 5,
  YCBCR: 6,
  LAB: 8,
  ICC_LAB: 9,
} as const;

/** Kinds of compression that this program treats differently. */
export const TiffCompression = { OLD_JPEG: 6, JPEG: 7 } as const;

/** Reads the first directory of a TIFF file and counts the others. Throws `RangeError` where it ends too early. */
export function tiffHeader(bytes: Uint8Array): ImageHeader {
  const { little, numbers, number } = tiffDirectory(bytes);
  const [width, height] = [number(256, 0), number(257, 0)];
  if (numbers(256).length === 0 || numbers(257).length === 0) {
    throw damagedImage("TIFF", "it does not give its size");
  }
  const photometric = shownAs(number(262, 1), number(259, 1));
  const samples = number(277, 1);
  const alpha = samples > (photometric === Photometric.RGB ? 3 : 1) && photometric !== Photometric.CMYK;
  return {
    format: "TIFF",
    mode: modeOf({ photometric, bits: number(258, 1), samples, kind: number(339, 1), little }),
    width,
    height,
    orientation: orientationOf(number(274, 1)),
    frames: countTiffPages(bytes),
    transparent: alpha,
  };
}

function orientationOf(value: number): number {
  return value >= 1 && value <= 8 ? value : 1;
}

/** Colours that JPEG compression changed come back as RGB. */
function shownAs(photometric: number, compression: number): number {
  const jpeg = compression === TiffCompression.JPEG || compression === TiffCompression.OLD_JPEG;
  return photometric === Photometric.YCBCR && jpeg ? Photometric.RGB : photometric;
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
  if (photometric === Photometric.PALETTE) return samples > 1 ? "PA" : "P";
  if (photometric === Photometric.CMYK) return "CMYK";
  if (photometric === Photometric.YCBCR) return "YCbCr";
  if (photometric === Photometric.LAB) return "LAB";
  if (photometric === Photometric.RGB) return samples >= 4 ? "RGBA" : "RGB";
  if (samples === 2) return "LA";
  if (kind === 3) return "F";
  if (bits === 32 || (bits === 16 && kind === 2)) return "I";
  if (bits === 16 || bits === 12) return little ? "I;16" : "I;16B";
  return bits === 1 ? "1" : "L";
}
