import type { ImageHeader } from "./pixels/format.ts";
import type { JpegHeader } from "./formats/header_jpeg.ts";
import { type PngHeader, pngHeader } from "./png/header.ts";
import { largestAppleIcon } from "./formats/header_more.ts";
import { largestIcon } from "./formats/header_small.ts";
import { damagedImage, untilEnd } from "./pixels/error.ts";
import { textAt } from "./pixels/bytes.ts";
import type { Raster } from "./pixels/raster.ts";

/** A decoded picture, `damaged` if parts of it may look wrong. */
export interface Decoded {
  raster: Raster;
  damaged: boolean;
}

/**
 * Decodes the first picture of a file, as it is stored.
 *
 * @param wanted The size that it will be shrunk to: the raster may be smaller than the stored picture, but
 * not smaller than this
 * @throws {ToolError} `invalid_input` if it is damaged or of a rare kind, `limit_exceeded` if it is too large
 */
export async function decodeImage(
  bytes: Uint8Array,
  header: ImageHeader,
  wanted: { width: number; height: number },
): Promise<Decoded> {
  let damaged = header.damaged ?? false;
  let raster: Raster;
  if (header.format === "JPEG") {
    const { decodeJpeg } = await import("./formats/jpeg.ts");
    ({ raster, complaint: damaged } = decodeJpeg(bytes, header as JpegHeader, wanted));
  } else if (header.format === "TIFF") {
    const { decodeTiff } = await import("./tiff/tiff.ts");
    ({ raster, complaint: damaged } = untilEnd("TIFF", () => decodeTiff(bytes)));
  } else if (header.format === "BMP") {
    const { decodeBmp } = await import("./formats/bmp.ts");
    ({ raster, complaint: damaged } = untilEnd("BMP", () => decodeBmp(bytes)));
  } else raster = await decodeExact(bytes, header);
  return { raster, damaged };
}

async function decodeExact(bytes: Uint8Array, header: ImageHeader): Promise<Raster> {
  if (header.format === "ICO") return await decodeIcon(bytes);
  if (header.format === "ICNS") {
    const icon = largestAppleIcon(bytes);
    return await decodeExact(icon.bytes, icon.header);
  }
  if (header.format === "JPEG2000") {
    return await (await import("../pdf/jpeg2000.ts")).decodeJpeg2000(bytes, header);
  }
  if (header.format === "PNG") return await (await import("./png/png.ts")).decodePng(header as PngHeader);
  if (header.format === "WEBP") return (await import("./formats/webp.ts")).decodeWebp(bytes, header);
  const raster = await (await import("./formats/photon.ts")).decodeWithPhoton(bytes, header);
  if (raster.width !== header.width || raster.height !== header.height) {
    throw damagedImage(header.format, "its parts disagree about its size");
  }
  return raster;
}

async function decodeIcon(bytes: Uint8Array): Promise<Raster> {
  const { bytes: picture } = largestIcon(bytes);
  if (textAt(picture, 1, 3) === "PNG") {
    const { decodePng } = await import("./png/png.ts");
    return await decodePng(pngHeader(picture));
  }
  const { decodeIconBitmap } = await import("./formats/bmp.ts");
  return untilEnd("ICO", () => decodeIconBitmap(picture));
}
