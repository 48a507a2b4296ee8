import { Photometric } from "./header.ts";
import type { TiffLayout } from "./layout.ts";

/** Writes the colour of the pixel whose numbers start at `from` to `at`. */
type Painter = (from: number, at: number) => void;

/** Returns the pixels, in RGBA, whose numbers from 0 to 255 are given. */
export function tiffColours(levels: Uint8Array, layout: TiffLayout): Uint8Array {
  const { samples } = layout;
  const pixels = new Uint8Array(levels.length / samples * 4);
  const paint = painter(levels, pixels, layout);
  const alpha = alphaChannel(layout);
  for (let at = 0; at < pixels.length; at += 4) {
    const from = at / 4 * samples;
    paint(from, at);
    pixels[at + 3] = alpha === null ? 255 : levels[from + alpha]!;
    if (layout.premultiplied && alpha !== null) divide(pixels, at);
  }
  return pixels;
}

function alphaChannel({ photometric, samples }: TiffLayout): number | null {
  if (photometric === Photometric.CMYK) return null;
  const colours = photometric < Photometric.RGB || photometric === Photometric.PALETTE || photometric === 4
    ? 1
    : 3;
  return samples > colours ? colours : null;
}

function divide(pixels: Uint8Array, at: number): void {
  const alpha = pixels[at + 3]!;
  for (let channel = at; channel < at + 3 && alpha > 0; channel++) {
    pixels[channel] = Math.min(255, Math.round(pixels[channel]! * 255 / alpha));
  }
}

function painter(levels: Uint8Array, pixels: Uint8Array, layout: TiffLayout): Painter {
  switch (layout.photometric) {
    case Photometric.RGB:
      return (from, at) => {
        for (let channel = 0; channel < 3; channel++) pixels[at + channel] = levels[from + channel]!;
      };
    case Photometric.PALETTE:
      return palettePainter(levels, pixels, layout);
    case Photometric.CMYK:
      return (from, at) => {
        const white = 255 - levels[from + 3]!;
        for (let channel = 0; channel < 3; channel++) {
          pixels[at + channel] = Math.round((255 - levels[from + channel]!) * white / 255);
        }
      };
    case Photometric.YCBCR:
      return (from, at) => paintYcbcr(levels.subarray(from, from + 3), pixels, at);
    case Photometric.LAB:
    case Photometric.ICC_LAB:
      return (from, at) =>
        paintLab(levels.subarray(from, from + 3), pixels, { at, signed: layout.photometric === 8 });
    default: {
      const flip = layout.photometric === Photometric.WHITE_IS_ZERO ? 255 : 0;
      return (from, at) => pixels.fill(levels[from]! ^ flip, at, at + 3);
    }
  }
}

function palettePainter(levels: Uint8Array, pixels: Uint8Array, { palette, bits }: TiffLayout): Painter {
  const size = 2 ** bits;
  // Some programs write 8 bits where 16 belong.
  const shift = palette.every((level) => level < 256) ? 0 : 8;
  return (from, at) => {
    for (let channel = 0; channel < 3; channel++) {
      pixels[at + channel] = palette[channel * size + levels[from]!]! >> shift;
    }
  };
}

function paintYcbcr([y, cb, cr]: Uint8Array, pixels: Uint8Array, at: number): void {
  const [blue, red] = [cb! - 128, cr! - 128];
  pixels[at] = clamped(y! + 1.402 * red);
  pixels[at + 1] = clamped(y! - 0.344136 * blue - 0.714136 * red);
  pixels[at + 2] = clamped(y! + 1.772 * blue);
}

/** Converts CIE's Lab with the white of D65 to sRGB. */
function paintLab(
  [l, a, b]: Uint8Array,
  pixels: Uint8Array,
  { at, signed }: { at: number; signed: boolean },
): void {
  const centred = (level: number) => signed ? level << 24 >> 24 : level - 128;
  const fy = (l! / 2.55 + 16) / 116;
  const [x, y, z] = [fy + centred(a!) / 500, fy, fy - centred(b!) / 200].map((f) =>
    f > 6 / 29 ? f ** 3 : (f - 4 / 29) * 108 / 841
  ) as [number, number, number];
  const [red, green, blue] = [x * 0.9505, y, z * 1.089] as const;
  pixels[at] = encoded(3.2406 * red - 1.5372 * green - 0.4986 * blue);
  pixels[at + 1] = encoded(-0.9689 * red + 1.8758 * green + 0.0415 * blue);
  pixels[at + 2] = encoded(0.0557 * red - 0.204 * green + 1.057 * blue);
}

function encoded(light: number): number {
  return clamped(255 * (light > 0.0031308 ? 1.055 * light ** (1 / 2.4) - 0.055 : 12.92 * light));
}

function clamped(level: number): number {
  return Math.max(0, Math.min(255, Math.round(level)));
}
