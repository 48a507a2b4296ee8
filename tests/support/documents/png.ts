import { crc32, deflateSync } from "node:zlib";

export interface PngSpec {
  width: number;
  height: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  colour: number;
  depth: number;
  /** Bytes of the rows, without their filters. @default zeros */
  rows?: readonly (readonly number[])[];
  /** The rows are those of the seven passes. @default false */
  interlaced?: boolean;
  /** Further chunks before the pixels. @default none */
  chunks?: readonly (readonly [type: string, body: readonly number[]])[];
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

export function png(spec: PngSpec): Uint8Array {
  const { width, height, colour, depth, rows, interlaced = false, chunks = [] } = spec;
  const rowBytes = Math.ceil(width * CHANNELS[colour]! * depth / 8);
  const pixels = rows?.flatMap((row) => [0, ...row]) ?? new Array((rowBytes + 1) * height).fill(0);
  const size = [width, height].flatMap(word);
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk("IHDR", [...size, depth, colour, 0, 0, interlaced ? 1 : 0]),
    ...chunks.flatMap(([type, body]) => chunk(type, body)),
    ...chunk("IDAT", [...deflateSync(Uint8Array.from(pixels))]),
    ...chunk("IEND", []),
  ]);
}

function chunk(type: string, body: readonly number[]): number[] {
  const content = [...new TextEncoder().encode(type), ...body];
  return [...word(body.length), ...content, ...word(crc32(Uint8Array.from(content)))];
}

function word(number: number): number[] {
  return [number >>> 24, number >>> 16, number >>> 8, number].map((byte) => byte & 255);
}
