import { initPhoton, PhotonImage } from "@cf-wasm/photon/others";
import wasm from "@cf-wasm/photon/photon.wasm" with { type: "bytes" };

import { ToolError } from "../../../../schemas/error.ts";
import { damagedImage } from "../pixels/error.ts";
import type { ImageHeader } from "../pixels/format.ts";
import type { Raster } from "../pixels/raster.ts";

/** Decoding takes over 20 bytes a pixel at its peak. */
const MAX_PIXELS = 20_000_000;

const ready = initPhoton({ module_or_path: new WebAssembly.Module(wasm) });

/**
 * Decodes a picture of one of many formats.
 *
 * @throws {ToolError} `limit_exceeded` above 20 million pixels, `invalid_input` if it cannot be decoded
 */
export async function decodeWithPhoton(
  bytes: Uint8Array,
  { format, width, height }: ImageHeader,
): Promise<Raster> {
  checkPixels({ format, width, height });
  await ready;
  try {
    using image = PhotonImage.new_from_byteslice(bytes);
    return { width: image.get_width(), height: image.get_height(), pixels: image.get_raw_pixels() };
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
    throw damagedImage(
      format,
      "it cannot be decoded, or is of a rare kind. Convert it with a program in Bash",
      {
        cause: error,
      },
    );
  }
}

/**
 * @throws {ToolError} `limit_exceeded` for a picture that is too large for a format that needs much memory
 */
function checkPixels({ format, width, height }: Pick<ImageHeader, "format" | "width" | "height">): void {
  if (width * height <= MAX_PIXELS) return;
  throw new ToolError(
    "limit_exceeded",
    `The ${format} image is too large: ${width} × ${height} pixels, at most ${MAX_PIXELS} in all can be read in this ` +
      "format. Shrink it first, with a program in Bash",
    { details: { width, height, max_pixels: MAX_PIXELS } },
  );
}

/** A raster that is encoded in several ways. Free it with `using`. */
export interface Encoder extends Disposable {
  /** @param quality 1 to 100 */
  jpeg(quality: number): Uint8Array;
  png(): Uint8Array;
}

/** Makes the encoder of a raster. */
export async function encoderOf({ width, height, pixels }: Raster): Promise<Encoder> {
  await ready;
  const image = new PhotonImage(pixels, width, height);
  return {
    jpeg: (quality) => image.get_bytes_jpeg(quality),
    png: () => image.get_bytes(),
    [Symbol.dispose]: () => image.free(),
  };
}
