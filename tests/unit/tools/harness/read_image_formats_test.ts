import { assertEquals } from "@std/assert";

import readImage from "../../../../tools/harness/read_image.ts";
import { colourAt, decodePicture, fixture, QUADRANTS, quarters } from "../../../support/documents/picture.ts";
import { png } from "../../../support/documents/png.ts";
import { workspace } from "../../../support/run_tool.ts";

/** Puts Exif's orientation into a JPEG file. */
function turned(jpeg: Uint8Array, orientation: number): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const body = [...new TextEncoder().encode("Exif\0\0"), ...tiff, 0, 0, 0, 0];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe1, 0, body.length + 2, ...body, ...jpeg.subarray(2)]);
}

Deno.test("ReadImage() draws every format, whatever the name says", async () => {
  const cases = [
    ["quad.jpg", "JPEG", "image/jpeg", "RGB"],
    ["progressive.jpg", "JPEG", "image/jpeg", "RGB"],
    ["cmyk.jpg", "JPEG", "image/jpeg", "CMYK"],
    ["quad.gif", "GIF", "image/gif", "P"],
    ["quad.bmp", "BMP", "image/bmp", "RGB"],
    ["palette.bmp", "BMP", "image/bmp", "P"],
    ["quad.webp", "WEBP", "image/webp", "RGB"],
    ["lossy.webp", "WEBP", "image/webp", "RGB"],
    ["lzw.tif", "TIFF", "image/tiff", "RGB"],
    ["deflate.tif", "TIFF", "image/tiff", "RGB"],
    ["jpeg.tif", "TIFF", "image/tiff", "RGB"],
    ["raw.tif", "TIFF", "image/tiff", "P"],
    ["quad.ico", "ICO", "image/x-icon", "RGBA"],
    ["two.ico", "ICO", "image/x-icon", "RGBA"],
  ] as const;
  for (const [name, format, mime, mode] of cases) {
    using ws = workspace({ "notes.txt": fixture(name) });
    const { result, images, text } = await ws.run(readImage, { path: "notes.txt" });
    assertEquals([result?.format, result?.mime_type, result?.mode], [format, mime, mode], `${name}: ${text}`);
    assertEquals([result.width, result.height], [64, 32], name);
    assertEquals(await quarters(images[0]!.bytes), QUADRANTS, name);
  }
});

Deno.test("ReadImage() draws what a fax machine sent", async () => {
  for (const name of ["group4.tif", "fax.tif"]) {
    using ws = workspace({ "a.tif": fixture(name) });
    const { result, images, text } = await ws.run(readImage, { path: "a.tif" });
    assertEquals(result?.mode, "1", text);
    assertEquals(await quarters(images[0]!.bytes), ["black", "white", "black", "white"]);
  }
});

Deno.test("ReadImage() draws all kinds of PNG", async () => {
  const palette = ["PLTE", [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]] as const;
  const rgb16 = [[255, 255, 0, 0, 0, 0], [0, 0, 255, 255, 0, 0], [0, 0, 0, 0, 255, 255], [
    255,
    255,
    255,
    255,
    0,
    0,
  ]];
  const size = { width: 2, height: 2 };
  const cases = [
    [{ colour: 0, depth: 1, rows: [[0b01000000], [0b10000000]] }, ["black", "white", "white", "black"]],
    [{ colour: 0, depth: 2, rows: [[0b00110000], [0b11000000]] }, ["black", "white", "white", "black"]],
    [{ colour: 0, depth: 4, rows: [[0x0f], [0xf0]] }, ["black", "white", "white", "black"]],
    [{ colour: 0, depth: 16, rows: [[0, 0, 255, 255], [255, 255, 0, 0]] }, [
      "black",
      "white",
      "white",
      "black",
    ]],
    [{ colour: 3, depth: 1, rows: [[0b01000000], [0b10000000]], chunks: [palette] }, [
      "red",
      "lime",
      "lime",
      "red",
    ]],
    [{ colour: 3, depth: 2, rows: [[0b00010000], [0b10110000]], chunks: [palette] }, QUADRANTS],
    [{ colour: 3, depth: 8, rows: [[0, 1], [2, 3]], chunks: [palette] }, QUADRANTS],
    [{ colour: 3, depth: 8, rows: [[0, 1], [2, 3]], chunks: [palette, ["tRNS", [255, 0]]] }, [
      ...["red", "white", "blue", "yellow"],
    ]],
    [{ colour: 2, depth: 16, rows: [rgb16.slice(0, 2).flat(), rgb16.slice(2).flat()] }, QUADRANTS],
    [{ colour: 2, depth: 8, rows: [[255, 0, 0, 0, 255, 0], [0, 0, 255, 255, 255, 0]] }, QUADRANTS],
    [{ colour: 4, depth: 8, rows: [[0, 255, 0, 0], [255, 255, 0, 255]] }, [
      "black",
      "white",
      "white",
      "black",
    ]],
    [{ colour: 6, depth: 8, rows: [[255, 0, 0, 255, 9, 9, 9, 0], [0, 0, 255, 255, 255, 255, 0, 255]] }, [
      ...["red", "white", "blue", "yellow"],
    ]],
  ] as const;
  for (const [spec, expected] of cases) {
    using ws = workspace({ "a.png": png({ ...size, ...spec }) });
    const { images, text } = await ws.run(readImage, { path: "a.png" });
    assertEquals(images.length, 1, text);
    const raster = await decodePicture(images[0]!.bytes);
    const found = [[0, 0], [1, 0], [0, 1], [1, 1]].map(([x, y]) => colourAt(raster, x!, y!));
    assertEquals(found, [...expected], JSON.stringify(spec));
  }
});

Deno.test("ReadImage() shows pictures upright and reports them as stored", async () => {
  const corners: readonly (readonly string[])[] = [
    ["red", "lime", "blue", "yellow"],
    ["lime", "red", "yellow", "blue"],
    ["yellow", "blue", "lime", "red"],
    ["blue", "yellow", "red", "lime"],
    ["red", "blue", "lime", "yellow"],
    ["blue", "red", "yellow", "lime"],
    ["yellow", "lime", "blue", "red"],
    ["lime", "yellow", "red", "blue"],
  ];
  for (const [index, expected] of corners.entries()) {
    using ws = workspace({ "a.jpg": turned(fixture("quad.jpg"), index + 1) });
    const { result, images } = await ws.run(readImage, { path: "a.jpg" });
    assertEquals([result.width, result.height], [64, 32]);
    const shown = index < 4 ? [64, 32] : [32, 64];
    assertEquals(
      [result.llm_attachment_width, result.llm_attachment_height],
      shown,
      `orientation ${index + 1}`,
    );
    assertEquals(await quarters(images[0]!.bytes), [...expected], `orientation ${index + 1}`);
  }
});

Deno.test("ReadImage() draws an SVG picture on white, with its text and without linked files", async () => {
  const rect =
    '<rect width="20" height="20" fill="red"/><text y="15" x="22" font-size="18">M</text><image href="file:///etc/passwd" width="9" height="9"/>';
  using ws = workspace({
    "a.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">${rect}</svg>`,
  });
  const { result, images, warnings } = await ws.run(readImage, { path: "a.svg" });
  assertEquals([result.format, result.mime_type, result.width, result.height], [
    "SVG",
    "image/svg+xml",
    40,
    20,
  ]);
  assertEquals(await quarters(images[0]!.bytes), ["red", "white", "red", "white"]);
  const raster = await decodePicture(images[0]!.bytes);
  const dark = raster.pixels.filter((level, at) => at % 4 === 0 && level < 64).length;
  assertEquals(dark > 20, true);
  assertEquals(warnings, ["Linked images of the SVG image are not drawn"]);
});
