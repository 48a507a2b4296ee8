// Our own decoder. Of 88 files that ImageMagick wrote, utif2 draws 23 wrong or not at all, and never ends on
// one of them; tiff refuses 49 (all faxes and JPEGs), photon 34. This decoder refuses two, with a reason.
import { TiffCompression } from "./header.ts";
import type { Raster } from "../pixels/raster.ts";
import { unpackedChunks } from "./chunk.ts";
import { tiffColours } from "./colours.ts";
import { tiffDirectory } from "./directory.ts";
import { decodeOldJpeg, decodeTiffJpeg } from "./jpeg.ts";
import { chunkPlaces, type TiffLayout, tiffLayout, tiffRowBytes } from "./layout.ts";
import { levelRange, tiffLevels } from "./levels.ts";

const BAND_ROWS = 64;

/** A decoded picture, `complaint` if parts of it could not be read. */
export interface DecodedTiff {
  raster: Raster;
  complaint: boolean;
}

/**
 * Decodes the first picture of a TIFF file strip by strip or tile by tile. Throws `RangeError` where it ends too early.
 *
 * @throws {ToolError} `invalid_input` if it is damaged or of a kind that cannot be decoded
 */
export function decodeTiff(bytes: Uint8Array): DecodedTiff {
  const directory = tiffDirectory(bytes);
  if (directory.number(259, 1) === TiffCompression.OLD_JPEG) return decodeOldJpeg(bytes, directory);
  const layout = tiffLayout(bytes);
  const { width, height } = layout;
  const raster = { width, height, pixels: new Uint8Array(width * height * 4) };
  const draw = layout.compression === TiffCompression.JPEG ? drawJpeg : drawPlain;
  return { raster, complaint: !draw(raster, bytes, layout) };
}

/** Returns whether all of it could be decoded. */
function drawJpeg(raster: Raster, bytes: Uint8Array, layout: TiffLayout): boolean {
  let complete = true;
  for (const [index, { x, y }] of chunkPlaces(layout).entries()) {
    const { at, length } = layout.chunks[index]!;
    const decoded = decodeTiffJpeg(bytes.subarray(at, at + length), layout);
    complete &&= !decoded.complaint;
    place(raster, decoded.raster, { x, y });
  }
  return complete;
}

/** Returns whether all of it could be unpacked. */
function drawPlain(raster: Raster, bytes: Uint8Array, layout: TiffLayout): boolean {
  const range = levelRange(bytes, layout);
  const rowBytes = tiffRowBytes(layout);
  let complete = true;
  for (const { planes, complete: whole, place: { x, y, rows } } of unpackedChunks(bytes, layout)) {
    complete &&= whole;
    // A few rows at a time, as one strip may be the whole picture.
    for (let top = 0; top < rows; top += BAND_ROWS) {
      const height = Math.min(BAND_ROWS, rows - top);
      const band = planes.map((plane) => plane.subarray(top * rowBytes, (top + height) * rowBytes));
      const levels = tiffLevels(band, layout, { rows: height, range });
      place(raster, { width: layout.chunkWidth, height, pixels: tiffColours(levels, layout) }, {
        x,
        y: y + top,
      });
    }
  }
  return complete;
}

function place(raster: Raster, chunk: Raster, { x, y }: { x: number; y: number }): void {
  const rowBytes = Math.min(chunk.width, raster.width - x) * 4;
  for (let row = 0; row < Math.min(chunk.height, raster.height - y); row++) {
    const from = row * chunk.width * 4;
    raster.pixels.set(chunk.pixels.subarray(from, from + rowBytes), ((y + row) * raster.width + x) * 4);
  }
}
