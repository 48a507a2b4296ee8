import { ToolError } from "../../../schemas/error.ts";
import { unsupportedImage, untilEnd } from "./pixels/error.ts";
import { bmpHeader, gifHeader, icoHeader, webpHeader } from "./formats/header_small.ts";
import type { ImageFormat, ImageHeader } from "./pixels/format.ts";
import { jpegHeader } from "./formats/header_jpeg.ts";
import { pngHeader } from "./png/header.ts";
import { tiffHeader } from "./tiff/header.ts";

/** Most pixels that are decoded: 200 MB of them. */
const MAX_PIXELS = 50_000_000;
const MAX_EDGE = 65_535;

/** Bytes at fixed offsets, written as Latin-1. */
type Signature = readonly (readonly [offset: number, bytes: string])[];

const READERS: readonly (readonly [Signature, ImageFormat, (bytes: Uint8Array) => ImageHeader])[] = [
  [[[0, "\x89PNG\r\n\x1a\n"]], "PNG", pngHeader],
  [[[0, "\xff\xd8\xff"]], "JPEG", jpegHeader],
  [[[0, "GIF87a"]], "GIF", gifHeader],
  [[[0, "GIF89a"]], "GIF", gifHeader],
  // "BM" may start a sentence; the size of the header that follows does not.
  [[[0, "BM"], [15, "\0\0\0"]], "BMP", bmpHeader],
  [[[0, "RIFF"], [8, "WEBP"]], "WEBP", webpHeader],
  [[[0, "II*\0"]], "TIFF", tiffHeader],
  [[[0, "MM\0*"]], "TIFF", tiffHeader],
  [[[0, "II+\0"]], "TIFF", tiffHeader],
  [[[0, "MM\0+"]], "TIFF", tiffHeader],
  [[[0, "\0\0\x01\0"], [9, "\0"]], "ICO", icoHeader],
];

/** Known formats that nothing here can draw. */
const REFUSED: readonly (readonly [Signature, string])[] = [
  [[[4, "ftypavif"]], "AVIF images"],
  [[[4, "ftypavis"]], "AVIF images"],
  [[[4, "ftyphe"]], "HEIC images"],
  [[[4, "ftypmif1"]], "HEIC images"],
  [[[4, "ftypmsf1"]], "HEIC images"],
  [[[0, "\xff\x0a"]], "JPEG XL images"],
  [[[4, "JXL \r\n"]], "JPEG XL images"],
  [[[4, "jP  \r\n"]], "JPEG 2000 images"],
  [[[0, "\xff\x4f\xff\x51"]], "JPEG 2000 images"],
  [[[0, "8BPS"]], "Photoshop files"],
];

/** Comments, declarations and a document type may stand before the root of an SVG picture. */
const SVG =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*|<!DOCTYPE\s+svg[^[>]*(?:\[[^\]]*\]\s*)?>\s*)*<svg[\s>]/;

/**
 * Tells a picture's format by its content and reads its size; `null` for an SVG picture, which only its drawing tells.
 *
 * @throws {ToolError} `invalid_input` for what is no picture, or none that can be drawn, or damaged; `limit_exceeded` for
 * more than 50 million pixels or an edge above 65,535
 */
export function imageHeader(bytes: Uint8Array): ImageHeader | null {
  const start = latin1(bytes.subarray(0, 32));
  const found = READERS.find(([signature]) => matches(signature, start));
  if (found) {
    const [, format, read] = found;
    const header = untilEnd(format, () => read(bytes));
    checkSize(header);
    return header;
  }
  const refused = REFUSED.find(([signature]) => matches(signature, start));
  if (refused) throw unsupportedImage(refused[1]);
  if (SVG.test(latin1(bytes.subarray(0, 8192)))) return null;
  throw new ToolError(
    "invalid_input",
    bytes.length === 0
      ? "The file is empty: there is no image in it"
      : "The file is not an image in a known format (PNG, JPEG, GIF, BMP, WebP, TIFF, ICO, SVG)",
  );
}

/** @throws {ToolError} `limit_exceeded` if a picture is too large to decode, `invalid_input` if it has no area */
export function checkSize({ format, width, height }: Pick<ImageHeader, "format" | "width" | "height">): void {
  if (width < 1 || height < 1) {
    throw new ToolError("invalid_input", `The ${format} image has no pixels: ${width} × ${height}`);
  }
  if (width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_EDGE) return;
  throw new ToolError(
    "limit_exceeded",
    `The ${format} image is too large: ${width} × ${height} pixels, at most ${MAX_PIXELS} in all and ${MAX_EDGE} along ` +
      "an edge can be read. Shrink it first, with a program in Bash",
    { details: { width, height, max_pixels: MAX_PIXELS, max_edge: MAX_EDGE } },
  );
}

function matches(signature: Signature, start: string): boolean {
  return signature.every(([at, bytes]) => start.startsWith(bytes, at));
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
