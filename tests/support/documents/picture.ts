import { decodeImage } from "../../../tools/engine/image/decode.ts";
import type { Raster } from "../../../tools/engine/image/pixels/raster.ts";
import { imageHeader } from "../../../tools/engine/image/header.ts";

/** Colours of the quarters of most fixtures, 64 × 32 pixels: red and lime above blue and yellow. */
export const QUADRANTS = ["red", "lime", "blue", "yellow"];

const COLOURS: readonly (readonly [string, readonly number[]])[] = [
  ["red", [255, 0, 0]],
  ["lime", [0, 255, 0]],
  ["blue", [0, 0, 255]],
  ["yellow", [255, 255, 0]],
  ["black", [0, 0, 0]],
  ["white", [255, 255, 255]],
];

export function fixture(name: string): Uint8Array {
  return Deno.readFileSync(new URL(`../../fixtures/documents/images/${name}`, import.meta.url));
}

export async function decodePicture(bytes: Uint8Array): Promise<Raster> {
  const header = imageHeader(bytes)!;
  return (await decodeImage(bytes, header, header)).raster;
}

/** The name of the colour of a pixel, or its numbers. */
export function colourAt({ width, pixels }: Raster, x: number, y: number): string {
  const rgb = [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)];
  const near = COLOURS.find(([, colour]) => colour.every((level, at) => Math.abs(level - rgb[at]!) <= 12));
  return near?.[0] ?? rgb.join();
}

export async function quarters(bytes: Uint8Array): Promise<string[]> {
  const raster = await decodePicture(bytes);
  const [left, right] = [raster.width >> 2, raster.width * 3 >> 2];
  const [top, bottom] = [raster.height >> 2, raster.height * 3 >> 2];
  return [[left, top], [right, top], [left, bottom], [right, bottom]].map(([x, y]) =>
    colourAt(raster, x!, y!)
  );
}
