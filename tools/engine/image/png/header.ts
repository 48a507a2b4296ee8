import { crc32 } from "node:zlib";

import { textAt, viewOf } from "../pixels/bytes.ts";
import { damagedImage } from "../pixels/error.ts";
import type { ImageHeader } from "../pixels/format.ts";
import { exifOrientation } from "../pixels/orientation.ts";

/** What the chunks of a PNG file say. */
export interface PngHeader extends ImageHeader {
  depth: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  colour: number;
  interlaced: boolean;
  palette: Uint8Array;
  /** Alpha of the palette's colours, or the one colour that is transparent. */
  transparency: Uint8Array;
  /** The compressed pixels of the first picture. */
  data: Uint8Array<ArrayBuffer>[];
}

const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Reads all chunks of a PNG file except its pixels. Throws `RangeError` where the file ends too early. */
export function pngHeader(bytes: Uint8Array): PngHeader {
  const view = viewOf(bytes);
  if (textAt(bytes, 12, 4) !== "IHDR") throw damagedImage("PNG", "it does not start with its size");
  const depth = view.getUint8(24);
  const colour = view.getUint8(25);
  if (!DEPTHS[colour]?.includes(depth)) {
    throw damagedImage("PNG", `there is no colour type ${colour} with ${depth} bits`);
  }
  const header: PngHeader = {
    format: "PNG",
    mode: modeOf(colour, depth),
    width: view.getUint32(16),
    height: view.getUint32(20),
    depth,
    colour,
    interlaced: view.getUint8(28) === 1,
    palette: new Uint8Array(),
    transparency: new Uint8Array(),
    data: [],
    transparent: colour >= 4,
  };
  header.damaged = crc32(bytes.subarray(12, 29)) !== view.getUint32(29);
  for (let at = 33; at + 8 <= bytes.length;) {
    const type = textAt(bytes, at + 4, 4);
    const length = view.getUint32(at);
    if (type === "IEND") return header;
    const end = at + 8 + length;
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) {
      header.damaged = true;
    }
    takeChunk(header, type, bytes.subarray(at + 8, at + 8 + length) as Uint8Array<ArrayBuffer>);
    at += 12 + length;
  }
  return header;
}

function takeChunk(header: PngHeader, type: string, body: Uint8Array<ArrayBuffer>): void {
  if (type === "IDAT") header.data.push(body);
  else if (type === "PLTE") header.palette = body;
  else if (type === "tRNS") {
    header.transparency = body;
    header.transparent = true;
  } else if (type === "acTL") header.frames = viewOf(body).getUint32(0);
  else if (type === "eXIf") header.orientation = exifOrientation(body);
}

/** Pillow's name. */
function modeOf(colour: number, depth: number): string {
  if (colour === 0) return depth === 1 ? "1" : depth === 16 ? "I;16" : "L";
  // Pillow opens grey with alpha of 16 bits as RGBA.
  if (colour === 4) return depth === 16 ? "RGBA" : "LA";
  return colour === 2 ? "RGB" : colour === 3 ? "P" : "RGBA";
}
