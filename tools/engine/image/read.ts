import { Buffer } from "node:buffer";

import { type Attachment, fitted, makeAttachment } from "./attachment.ts";
import { decodeImage } from "./decode.ts";
import { type ImageHeader, MIME_TYPES } from "./pixels/format.ts";
import { imageHeader } from "./header.ts";
import { flatten, upright } from "./pixels/raster.ts";
import type { ImageLimits, ImageReading } from "./reading.ts";
import { resample } from "./pixels/resample.ts";

/** Formats that keep every pixel: if such a file is small, a PNG of it is small too. */
const LOSSLESS: ReadonlySet<string> = new Set(["PNG", "GIF", "BMP", "TIFF", "ICO", "ICNS", "PPM"]);

/**
 * Reads a picture: its facts as stored, and the picture for a model: upright, on white, within the limits.
 *
 * @throws {ToolError} `invalid_input` for a file that is not a picture, is damaged or cannot be drawn;
 * `limit_exceeded` for pictures that are too large, or cannot be made small enough
 */
export async function readImage(bytes: Uint8Array, limits: ImageLimits): Promise<ImageReading> {
  const header = imageHeader(bytes);
  if (header === null) return await readSvg(bytes, limits);
  const wanted = fitted(header, limits.maxEdge);
  const { raster, damaged } = await decodeImage(bytes, header, wanted);
  if (header.transparent) flatten(raster);
  const shown = upright(resample(raster, wanted), header.orientation ?? 1);
  const attachment = (damaged ? null : keptJpeg(bytes, header, limits)) ??
    await makeAttachment(shown, limits, {
      lossless: LOSSLESS.has(header.format),
      original: damaged ? null : keptPng(bytes, header, limits),
    });
  const warnings = damaged ? [`The ${header.format} image is damaged: parts of it may look wrong`] : [];
  if ((header.frames ?? 1) > 1) {
    const what = header.format === "TIFF" ? "pages" : "frames";
    warnings.push(`The ${header.format} image has ${header.frames} ${what}: only the first is shown`);
  }
  return readingOf(header, attachment, warnings);
}

/** A JPEG file that needs no change is sent as it is; decoding has shown that it is sound. */
function keptJpeg(
  bytes: Uint8Array,
  header: ImageHeader,
  { maxEdge, maxBytes }: ImageLimits,
): Attachment | null {
  const { format, mode, width, height, orientation = 1 } = header;
  if (format !== "JPEG" || mode === "CMYK" || orientation !== 1) return null;
  if (Math.max(width, height) > maxEdge || bytes.length > maxBytes) return null;
  return { format, width, height, bytes };
}

/** A PNG file that shows just what its attachment would. */
function keptPng(bytes: Uint8Array, header: ImageHeader, { maxEdge }: ImageLimits): Uint8Array | null {
  const { format, transparent, width, height, frames = 1, orientation = 1 } = header;
  if (format !== "PNG" || transparent || frames > 1 || orientation !== 1) return null;
  return Math.max(width, height) > maxEdge ? null : bytes;
}

async function readSvg(bytes: Uint8Array, limits: ImageLimits): Promise<ImageReading> {
  const { drawSvg } = await import("./svg/svg.ts");
  const { width, height, raster, warnings } = await drawSvg(bytes, limits);
  const header = { format: "SVG", mode: "RGBA", width, height } as const;
  const attachment = await makeAttachment(raster, limits, { lossless: true, original: null });
  return readingOf(header, attachment, warnings);
}

function readingOf(header: ImageHeader, attachment: Attachment, warnings: string[]): ImageReading {
  const { format, mode, width, height } = header;
  const base64 = Buffer.from(attachment.bytes).toString("base64");
  return {
    format,
    mimeType: MIME_TYPES[format],
    mode,
    width,
    height,
    attachment: { ...attachment, bytes: base64 },
    warnings,
  };
}
