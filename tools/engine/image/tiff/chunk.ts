import { viewOf } from "../pixels/bytes.ts";
import { Photometric } from "./header.ts";
import { type ChunkPlace, chunkPlaces, type TiffLayout, tiffRowBytes } from "./layout.ts";
import { unpack } from "./unpack.ts";

/** The numbers of a strip or tile, row by row; rows begin at whole bytes. */
export interface TiffChunkData {
  /** One for each colour where they are stored apart. */
  planes: Uint8Array[];
  complete: boolean;
  place: ChunkPlace;
}

/** Unpacks strips and tiles one after the other and undoes the predictor that made their numbers smaller. */
export function* unpackedChunks(bytes: Uint8Array, layout: TiffLayout): Generator<TiffChunkData> {
  const places = chunkPlaces(layout);
  for (const [index, place] of places.entries()) {
    const planes: Uint8Array[] = [];
    let complete = true;
    for (let at = index; at < layout.chunks.length; at += places.length) {
      const chunk = layout.chunks[at]!;
      const packed = bytes.subarray(chunk.at, chunk.at + chunk.length);
      const unpacked = unpackPlane(packed, layout, place.rows);
      planes.push(unpacked.plane);
      complete &&= unpacked.complete;
    }
    yield { planes, complete, place };
  }
}

function unpackPlane(
  packed: Uint8Array,
  layout: TiffLayout,
  rows: number,
): { plane: Uint8Array; complete: boolean } {
  const { chunkWidth: width, subsampling: [across, down], predictor } = layout;
  const shared = layout.photometric === Photometric.YCBCR && !layout.planar && across * down > 1;
  const rowBytes = tiffRowBytes(layout);
  const blocks = Math.ceil(width / across) * Math.ceil(rows / down);
  const plane = new Uint8Array(shared ? blocks * (across * down + 2) : rowBytes * rows);
  const { complete } = unpack(packed, plane, { ...layout, width, height: rows });
  if (shared) return { plane: spread(plane, layout, rows), complete };
  for (let at = 0; at < plane.length && predictor > 1; at += rowBytes) {
    undoPredictor(plane.subarray(at, at + rowBytes), layout);
  }
  return { plane, complete };
}

/** Gives each pixel its own colour again. */
function spread(
  blocks: Uint8Array,
  { chunkWidth: width, subsampling: [across, down] }: TiffLayout,
  rows: number,
) {
  const plane = new Uint8Array(width * rows * 3);
  const size = across * down + 2;
  const perRow = Math.ceil(width / across);
  let at = 0;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const block = (Math.floor(y / down) * perRow + Math.floor(x / across)) * size;
      plane[at] = blocks[block + y % down * across + x % across]!;
      plane[at + 1] = blocks[block + size - 2]!;
      plane[at + 2] = blocks[block + size - 1]!;
    }
  }
  return plane;
}

function undoPredictor(row: Uint8Array, layout: TiffLayout): void {
  const { predictor, bits, little, planar, samples } = layout;
  const channels = planar ? 1 : samples;
  if (predictor === 3) return undoFloatPredictor(row, layout);
  const view = viewOf(row);
  const bytes = bits >> 3;
  for (let at = channels * bytes; at + bytes <= row.length && bytes > 0; at += bytes) {
    const before = at - channels * bytes;
    if (bytes === 1) row[at]! += row[before]!;
    else if (bytes === 2) {
      view.setUint16(at, view.getUint16(at, little) + view.getUint16(before, little), little);
    } else if (bytes === 4) {
      view.setUint32(at, view.getUint32(at, little) + view.getUint32(before, little), little);
    } else view.setBigUint64(at, view.getBigUint64(at, little) + view.getBigUint64(before, little), little);
  }
}

/** The highest bytes of all numbers come first, then the next ones …, each as its distance from the one before. */
function undoFloatPredictor(row: Uint8Array, { bits, little, planar, samples }: TiffLayout): void {
  const channels = planar ? 1 : samples;
  for (let at = channels; at < row.length; at++) row[at]! += row[at - channels]!;
  const apart = row.slice();
  const bytes = bits >> 3;
  const count = row.length / bytes;
  for (let index = 0; index < count; index++) {
    for (let byte = 0; byte < bytes; byte++) {
      row[index * bytes + (little ? bytes - 1 - byte : byte)] = apart[byte * count + index]!;
    }
  }
}
