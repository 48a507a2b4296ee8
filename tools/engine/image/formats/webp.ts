import wasm from "@cwasm/webp/webp.wasm" with { type: "bytes" };

import { textAt, viewOf } from "../pixels/bytes.ts";
import { damagedImage } from "../pixels/error.ts";
import type { ImageHeader } from "../pixels/format.ts";
import type { Raster } from "../pixels/raster.ts";

/** The used part of libwebp's interface. Pointers are numbers, and 0 is a null pointer. */
interface Webp {
  memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  WebPDecodeRGBA(source: number, bytes: number, width: number, height: number): number;
}

const FILE_HEADER = 12;
const CHUNK_HEADER = 8;
/** A frame's place, size and flags stand before its chunks. */
const FRAME_HEADER = 16;
const HAS_ALPHA = 0x10;

const module = new WebAssembly.Module(wasm);

/**
 * Decodes a WebP picture; of an animation, the first frame.
 *
 * @throws {ToolError} `invalid_input` if it is damaged
 */
export function decodeWebp(bytes: Uint8Array, { width, height }: ImageHeader): Raster {
  const frame = firstFrame(bytes);
  const drawn = decodeStill(frame ? stillOf(frame) : bytes);
  if (drawn.width === width && drawn.height === height) return drawn;
  if (!frame) throw damagedImage("WEBP", "its parts disagree about its size");
  const canvas = { width, height, pixels: new Uint8Array(width * height * 4) };
  place(canvas, drawn, { x: 2 * uint24(frame, 0), y: 2 * uint24(frame, 3) });
  return canvas;
}

function firstFrame(bytes: Uint8Array): Uint8Array | null {
  const view = viewOf(bytes);
  for (let at = FILE_HEADER; at + CHUNK_HEADER <= bytes.length;) {
    const start = at + CHUNK_HEADER;
    const length = view.getUint32(at + 4, true);
    if (textAt(bytes, at, 4) === "ANMF") return bytes.subarray(start, start + length);
    at = start + length + (length & 1);
  }
  return null;
}

/** Makes a separate file of a frame: the decoder does not know animations. */
function stillOf(frame: Uint8Array): Uint8Array {
  const chunks = frame.subarray(FRAME_HEADER);
  const extended = new Uint8Array(CHUNK_HEADER + 10);
  extended.set([...latin1("VP8X"), 10, 0, 0, 0, textAt(chunks, 0, 4) === "ALPH" ? HAS_ALPHA : 0]);
  // Both sizes, less one, in three bytes each.
  extended.set(frame.subarray(6, 12), CHUNK_HEADER + 4);
  const file = new Uint8Array(FILE_HEADER + extended.length + chunks.length);
  file.set(latin1("RIFF"));
  viewOf(file).setUint32(4, file.length - CHUNK_HEADER, true);
  file.set(latin1("WEBP"), 8);
  file.set(extended, FILE_HEADER);
  file.set(chunks, FILE_HEADER + extended.length);
  return file;
}

function latin1(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0));
}

/** Uses a new decoder for each picture: after a failure the state of its memory is unknown. */
function decodeStill(bytes: Uint8Array): Raster {
  const giveUp = (): never => {
    throw damagedImage("WEBP", "its pixels cannot be decoded");
  };
  const imports = { wasi_snapshot_preview1: { fd_close: giveUp, fd_seek: giveUp, fd_write: giveUp } };
  const webp = new WebAssembly.Instance(module, imports).exports as unknown as Webp;
  try {
    const size = webp.malloc(8);
    const source = webp.malloc(bytes.length);
    if (size === 0 || source === 0) return giveUp();
    new Uint8Array(webp.memory.buffer, source, bytes.length).set(bytes);
    const target = webp.WebPDecodeRGBA(source, bytes.length, size, size + 4);
    if (target === 0) return giveUp();
    const [width, height] = new Uint32Array(webp.memory.buffer, size, 2) as unknown as [number, number];
    return { width, height, pixels: new Uint8Array(webp.memory.buffer, target, width * height * 4) };
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    throw damagedImage("WEBP", "its pixels cannot be decoded", { cause: error });
  }
}

function place(canvas: Raster, drawn: Raster, { x, y }: { x: number; y: number }): void {
  const rowBytes = Math.min(drawn.width, canvas.width - x) * 4;
  for (let row = 0; row < Math.min(drawn.height, canvas.height - y) && rowBytes > 0; row++) {
    const from = row * drawn.width * 4;
    canvas.pixels.set(drawn.pixels.subarray(from, from + rowBytes), ((y + row) * canvas.width + x) * 4);
  }
}

function uint24(bytes: Uint8Array, at: number): number {
  return bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16;
}
