import { ToolError } from "../../../schemas/error.ts";
import { type Encoder, encoderOf } from "./formats/photon.ts";
import type { ImageLimits } from "./reading.ts";
import type { Raster } from "./pixels/raster.ts";
import { resample } from "./pixels/resample.ts";

const QUALITY_STEP = 10;
const LOWEST_QUALITY = 45;
const SHRINK = 0.85;
/** A picture whose longest edge has this many pixels is not shrunk further. */
const SMALLEST_EDGE = 256;

/** A picture as it is sent to a model. */
export interface Attachment {
  format: "JPEG" | "PNG";
  width: number;
  height: number;
  bytes: Uint8Array;
}

/** Returns the size that a picture is shrunk to so that no edge is longer than the limit; no edge is below 1. */
export function fitted(
  size: { width: number; height: number },
  maxEdge: number,
): { width: number; height: number } {
  return scaledBy(size, Math.min(1, maxEdge / Math.max(size.width, size.height)));
}

/**
 * Makes the attachment of an opaque, upright raster: a JPEG whose quality, then size is lowered until it fits, or a PNG
 * where that is smaller.
 *
 * @param options `lossless` if a PNG may be smaller, as for drawings; `original` is a PNG file that shows the same
 * @throws {ToolError} `limit_exceeded` if nothing fits
 */
export async function makeAttachment(
  raster: Raster,
  limits: ImageLimits,
  options: { lossless: boolean; original: Uint8Array | null },
): Promise<Attachment> {
  const full = resample(raster, fitted(raster, limits.maxEdge));
  for (let size = { width: full.width, height: full.height };;) {
    const picture = resample(full, size);
    using encoder = await encoderOf(picture);
    const found = smallest(encoder, limits, {
      ...options,
      original: picture === full ? options.original : null,
    });
    if (found !== null) return { ...found, ...size };
    const smaller = scaledBy(size, SHRINK);
    const stuck = smaller.width === size.width && smaller.height === size.height;
    if (Math.max(size.width, size.height) <= SMALLEST_EDGE || stuck) throw doesNotFit(limits);
    size = smaller;
  }
}

function smallest(
  encoder: Encoder,
  { maxBytes, quality }: ImageLimits,
  { lossless, original }: { lossless: boolean; original: Uint8Array | null },
): Pick<Attachment, "format" | "bytes"> | null {
  const first = encoder.jpeg(quality);
  if (lossless) {
    const png = shorter(encoder.png(), original);
    if (png.length <= maxBytes && png.length < first.length) return { format: "PNG", bytes: png };
  }
  let bytes = first;
  for (let lower = quality; bytes.length > maxBytes; bytes = encoder.jpeg(lower)) {
    if (lower <= LOWEST_QUALITY) return null;
    lower = Math.max(LOWEST_QUALITY, lower - QUALITY_STEP);
  }
  return { format: "JPEG", bytes };
}

function shorter(one: Uint8Array, other: Uint8Array | null): Uint8Array {
  return other !== null && other.length <= one.length ? other : one;
}

function scaledBy({ width, height }: { width: number; height: number }, factor: number) {
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

function doesNotFit({ maxBytes }: ImageLimits): ToolError {
  return new ToolError(
    "limit_exceeded",
    `compressed image attachment still exceeds LLM_IMAGE_MAX_BYTES=${maxBytes}. Raise the variable or shrink the image`,
    { details: { max_bytes: maxBytes } },
  );
}
