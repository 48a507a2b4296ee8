import { assertEquals } from "@std/assert";

import { flatten, type Raster } from "../../../../../../tools/engine/image/pixels/raster.ts";
import { resample } from "../../../../../../tools/engine/image/pixels/resample.ts";

function filled(width: number, height: number, colour: (x: number, y: number) => readonly number[]): Raster {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set([...colour(x, y), 255], (y * width + x) * 4);
  }
  return { width, height, pixels };
}

Deno.test("resample() keeps a plain colour at every size", () => {
  const plain = filled(97, 61, () => [10, 200, 255]);
  for (const [width, height] of [[96, 60], [50, 31], [13, 8], [1, 1], [200, 130]] as const) {
    const { pixels, ...size } = resample(plain, { width, height });
    assertEquals(size, { width, height });
    assertEquals(
      pixels.every((level, at) => level === [10, 200, 255, 255][at % 4]),
      true,
      `${width} × ${height}`,
    );
  }
});

Deno.test("resample() averages what lies under a new pixel and keeps left, right, top and bottom", () => {
  const stripes = resample(filled(800, 800, (x) => [x % 2 * 255, 0, 0]), { width: 40, height: 40 });
  const inner = stripes.pixels[(20 * 40 + 20) * 4]!;
  assertEquals(Math.abs(inner - 128) <= 2, true, `${inner}`);
  const halves = resample(filled(64, 64, (x, y) => [x < 32 ? 0 : 255, y < 32 ? 0 : 255, 0]), {
    width: 8,
    height: 8,
  });
  const corners = [0, 7, 56, 63].map((at) => [...halves.pixels.subarray(at * 4, at * 4 + 2)]);
  assertEquals(corners, [[0, 0], [255, 0], [0, 255], [255, 255]]);
});

Deno.test("flatten() lays what is clear on white", () => {
  const raster = { width: 3, height: 1, pixels: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 51, 1, 2, 3, 255) };
  flatten(raster);
  assertEquals([...raster.pixels], [255, 255, 255, 255, 204, 204, 204, 255, 1, 2, 3, 255]);
});
