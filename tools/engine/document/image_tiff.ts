import UTIF from "utif2";

import { damagedImage, unsupportedImage } from "./image_error.ts";
import type { TiffHeader } from "./image_header_tiff.ts";
import type { Raster } from "./image_raster.ts";

/** Methods whose decoders are sound here: none, fax, LZW, deflate in two numbers, and runs of bytes. */
const COMPRESSIONS: readonly number[] = [1, 2, 3, 4, 5, 8, 32_773, 32_946];

/**
 * Decodes the first page of a TIFF file with a palette or from a fax machine.
 *
 * @throws {ToolError} `invalid_input` if it is damaged or of a kind that cannot be decoded
 */
export function decodeTiff(bytes: Uint8Array, { width, height, compression, tiled }: TiffHeader): Raster {
  if (tiled || !COMPRESSIONS.includes(compression)) {
    throw unsupportedImage(
      `TIFF images of this kind (compression ${compression}${tiled ? ", in tiles" : ""})`,
    );
  }
  const buffer = new Uint8Array(bytes).buffer;
  try {
    const page = UTIF.decode(buffer)[0]!;
    UTIF.decodeImage(buffer, page);
    const pixels = UTIF.toRGBA8(page);
    if (pixels.length === width * height * 4) return { width, height, pixels };
  } catch (error) {
    // The library throws numbers and plain text, too.
    throw damagedImage("TIFF", "its pixels cannot be decoded", { cause: error });
  }
  throw damagedImage("TIFF", "its parts disagree about its size");
}
