import wasm from "@cwasm/jpeg-turbo/jpeg-turbo.wasm" with { type: "bytes" };

import { ToolError } from "../../../../schemas/error.ts";
import { damagedImage } from "../pixels/error.ts";
import type { JpegHeader } from "./header_jpeg.ts";
import type { Raster } from "../pixels/raster.ts";

/**
 * The used part of libjpeg-turbo's interface. Pointers are numbers, 0 is a null pointer, and status 0 is
 * success.
 */
interface Turbo {
  memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  tjInitDecompress(): number;
  /** Without flags; scales down while it decodes if the size asked for is smaller. */
  tjDecompress2(
    decoder: number,
    source: number,
    sourceBytes: number,
    target: number,
    width: number,
    rowBytes: number,
    height: number,
    pixelFormat: number,
    flags: number,
  ): number;
}

/** The decoder gave up. */
class GivenUp extends Error {}

/** Most pixels of all scans together: a progressive picture can have any number of scans. */
const MAX_SCANNED_PIXELS = 1_000_000_000;
const RGBA = 7;
const CMYK = 11;
/** Second byte of the marker that a scan starts with. */
const SOS = 0xda;
const module = new WebAssembly.Module(wasm);

/** A decoded picture, `complaint` if the decoder had to guess parts of it. */
export interface DecodedJpeg {
  raster: Raster;
  complaint: boolean;
}

/**
 * Decodes a JPEG picture, at an eighth, a quarter … of its size if that is enough.
 *
 * @param wanted The size that the picture will be shrunk to: the raster is no smaller
 * @throws {ToolError} `invalid_input` if it is damaged, cut short, or of a kind that cannot be decoded;
 * `limit_exceeded` if it has so many scans that it would take too long
 */
export function decodeJpeg(
  bytes: Uint8Array,
  header: JpegHeader,
  wanted: { width: number; height: number },
): DecodedJpeg {
  boundScans(bytes, header);
  const [width, height] = scaled(header, wanted);
  const turbo = instance();
  try {
    const source = place(turbo, bytes);
    const target = allocate(turbo, width * height * 4);
    const format = header.mode === "CMYK" ? CMYK : RGBA;
    const decoder = turbo.tjInitDecompress();
    const status = turbo.tjDecompress2(
      ...[decoder, source, bytes.length, target, width, width * 4, height, format, 0] as const,
    );
    const complaint = status !== 0;
    if (complaint && !hasEnd(bytes, header.scanAt)) {
      throw damagedImage("JPEG", "it ends too early, get the whole file");
    }
    const pixels = new Uint8Array(turbo.memory.buffer, target, width * height * 4);
    if (format === CMYK) toRgb(pixels, { inverted: header.adobe });
    return { raster: { width, height, pixels }, complaint };
  } catch (error) {
    if (error instanceof GivenUp || error instanceof WebAssembly.RuntimeError) {
      throw damagedImage("JPEG", "its pixels cannot be decoded", { cause: error });
    }
    throw error;
  }
}

function boundScans(bytes: Uint8Array, { width, height, scanAt }: JpegHeader): void {
  let scans = 0;
  // Compressed pixels never hold this pair of bytes.
  for (let at = bytes.indexOf(0xff, scanAt); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    if (bytes[at + 1] === SOS) scans++;
  }
  if (scans * width * height <= MAX_SCANNED_PIXELS) return;
  throw new ToolError(
    "limit_exceeded",
    `The JPEG image goes over its ${width} × ${height} pixels ${scans} times: convert it first, with a program in Bash`,
    { details: { format: "JPEG", width, height, scans } },
  );
}

/** The decoder scales by eighths. */
function scaled(
  { width, height }: JpegHeader,
  wanted: { width: number; height: number },
): [width: number, height: number] {
  const ratio = Math.max(wanted.width / width, wanted.height / height);
  const eighths = Math.min(8, Math.max(1, Math.ceil(ratio * 8)));
  return [Math.ceil(width * eighths / 8), Math.ceil(height * eighths / 8)];
}

/** Makes a new one for each picture: after a failure the state of its memory is unknown. */
function instance(): Turbo {
  const giveUp = (): never => {
    throw new GivenUp();
  };
  const imports = {
    env: { setjmp: () => 0, longjmp: giveUp },
    wasi_snapshot_preview1: {
      environ_sizes_get: () => 0,
      environ_get: () => 0,
      fd_close: () => 0,
      fd_seek: () => 0,
      fd_write: () => 0,
      proc_exit: giveUp,
    },
  };
  return new WebAssembly.Instance(module, imports).exports as unknown as Turbo;
}

function allocate(turbo: Turbo, bytes: number): number {
  const at = turbo.malloc(bytes);
  if (at === 0) throw new GivenUp();
  return at;
}

function place(turbo: Turbo, bytes: Uint8Array): number {
  const at = allocate(turbo, bytes.length);
  new Uint8Array(turbo.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

/** An end marker after the start of the pixels: the preview in a header may have one of its own. */
function hasEnd(bytes: Uint8Array, scanAt: number): boolean {
  for (let at = bytes.length - 2; at > scanAt; at--) {
    if (bytes[at] === 0xff && bytes[at + 1] === 0xd9) return true;
  }
  return false;
}

function toRgb(pixels: Uint8Array, { inverted }: { inverted: boolean }): void {
  const flip = inverted ? 0 : 255;
  for (let at = 0; at < pixels.length; at += 4) {
    const black = pixels[at + 3]! ^ flip;
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = Math.round((pixels[channel]! ^ flip) * black / 255);
    }
    pixels[at + 3] = 255;
  }
}
