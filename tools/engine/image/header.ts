import { ToolError } from "../../../schemas/error.ts";
import { formatOf } from "../../../schemas/first_bytes.ts";
import { unsupportedImage, untilEnd } from "./pixels/error.ts";
import { bmpHeader, gifHeader, icoHeader, webpHeader } from "./formats/header_small.ts";
import { icnsHeader, isNetpbm, jpeg2000Header, netpbmHeader } from "./formats/header_more.ts";
import type { ImageFormat, ImageHeader } from "./pixels/format.ts";
import { jpegHeader } from "./formats/header_jpeg.ts";
import { pngHeader } from "./png/header.ts";
import { tiffHeader } from "./tiff/header.ts";

/** Most pixels that are decoded: 200 MB of them. */
const MAX_PIXELS = 50_000_000;
const MAX_EDGE = 65_535;

/** The header reader of each format that can be drawn, by the format's name. */
const READERS: Readonly<Record<string, readonly [ImageFormat, (bytes: Uint8Array) => ImageHeader]>> = {
  png: ["PNG", pngHeader],
  jpeg: ["JPEG", jpegHeader],
  gif: ["GIF", gifHeader],
  bmp: ["BMP", bmpHeader],
  webp: ["WEBP", webpHeader],
  tiff: ["TIFF", tiffHeader],
  ico: ["ICO", icoHeader],
  icns: ["ICNS", icnsHeader],
  jp2: ["JPEG2000", jpeg2000Header],
  netpbm: ["PPM", netpbmHeader],
};

/** Known formats that cannot be drawn here. */
const REFUSED: Readonly<Record<string, string>> = {
  avif: "AVIF images",
  heic: "HEIC images",
  jxl: "JPEG XL images",
  psd: "Photoshop files",
  dds: "DDS textures",
  sgi: "SGI images",
  pcx: "PCX images",
};

/** Comments, declarations and a document type may stand before the root of an SVG picture. */
const SVG =
  /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*|<!DOCTYPE\s+svg[^[>]*(?:\[[^\]]*\]\s*)?>\s*)*<svg[\s>]/;

/**
 * Tells a picture's format by its content and reads its size; `null` for an SVG picture, whose size is known
 * only once it is drawn.
 *
 * @throws {ToolError} `invalid_input` for a file that is not a picture, cannot be drawn or is damaged;
 * `limit_exceeded` for more than 50 million pixels or an edge above 65,535
 */
export function imageHeader(bytes: Uint8Array): ImageHeader | null {
  const name = isNetpbm(bytes) ? "netpbm" : formatOf(bytes)?.format ?? "";
  const reader = READERS[name];
  if (reader) {
    const [format, read] = reader;
    const header = untilEnd(format, () => read(bytes));
    checkSize(header);
    return header;
  }
  const refused = REFUSED[name];
  if (refused) throw unsupportedImage(refused);
  if (SVG.test(String.fromCharCode(...bytes.subarray(0, 8192)))) return null;
  throw new ToolError(
    "invalid_input",
    bytes.length === 0
      ? "The file is empty: there is no image in it"
      : "The file is not an image in a known format (PNG, JPEG, JPEG 2000, GIF, BMP, WebP, TIFF, ICO, " +
        "ICNS, PBM, PGM, PPM, SVG; not TGA, PAM, DDS, SGI, PCX, AVIF, HEIC). Convert it first, with a program in Bash",
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
