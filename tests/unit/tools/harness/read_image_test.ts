import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";

import readImage from "../../../../tools/harness/read_image.ts";
import { colourAt, decodePicture, fixture, QUADRANTS, quarters } from "../../../support/documents/picture.ts";
import { png } from "../../../support/documents/png.ts";
import { assertRefuses, workspace } from "../../../support/run_tool.ts";

/** A picture that no codec makes small. */
function noise(width: number, height: number): Uint8Array {
  let state = 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647) & 255;
  const rows = Array.from({ length: height }, () => Array.from({ length: width * 3 }, next));
  return png({ width, height, colour: 2, depth: 8, rows });
}

Deno.test("ReadImage() returns the documented lines in order and attaches the picture", async () => {
  const bytes = fixture("quad.jpg");
  using ws = workspace({ "quad.jpg": bytes });
  const { text, images, warnings } = await ws.run(readImage, { path: "quad.jpg" });
  assertEquals(
    text,
    `path: ${
      ws.at("quad.jpg")
    }\nsource_type: image\nformat: JPEG\nmime_type: image/jpeg\nmode: RGB\nwidth: 64\n` +
      `height: 32\nbyte_count: ${bytes.length}\nllm_attachment_format: JPEG\nllm_attachment_width: 64\n` +
      `llm_attachment_height: 32\nllm_attachment_byte_count: ${bytes.length}\nllm_image_attached: true`,
  );
  assertEquals(images.map(({ mimeType }) => mimeType), ["image/jpeg"]);
  assertEquals(new Uint8Array(images[0]!.bytes), bytes);
  assertEquals(warnings, []);
});

Deno.test("ReadImage() scales down with the aspect kept", async () => {
  const cases = [
    [{ width: 3136, height: 784 }, {}, [1568, 392]],
    [{ width: 10, height: 4000 }, {}, [4, 1568]],
    [{ width: 60_000, height: 1 }, {}, [1568, 1]],
    [{ width: 1568, height: 20 }, {}, [1568, 20]],
    [{ width: 200, height: 100 }, { LLM_IMAGE_MAX_EDGE: "50" }, [50, 25]],
  ] as const;
  for (const [size, settings, expected] of cases) {
    using ws = workspace({ "a.png": png({ ...size, colour: 0, depth: 1 }) });
    const { result } = await ws.run(readImage, { path: "a.png" }, { settings });
    assertEquals([result.width, result.height], [size.width, size.height]);
    assertEquals([result.llm_attachment_width, result.llm_attachment_height], [...expected]);
  }
});

Deno.test("ReadImage() lowers the quality first, then the size, until the attachment fits", async () => {
  using ws = workspace({ "wide.png": noise(900, 60) });
  const most = (bytes: number) =>
    ws.run(readImage, { path: "wide.png" }, { settings: { LLM_IMAGE_MAX_BYTES: `${bytes}` } });
  const free = (await most(500_000)).result;
  const tighter = (await most(Math.floor(free.llm_attachment_byte_count * 0.8))).result;
  assertEquals([tighter.llm_attachment_width, tighter.llm_attachment_height], [900, 60]);
  const small = (await most(6000)).result;
  assertEquals(small.llm_attachment_byte_count <= 6000, true);
  assertEquals(Math.abs(small.llm_attachment_width / small.llm_attachment_height - 15) < 1, true);
  const { error, text } = await most(300);
  assertEquals(error?.code, "limit_exceeded");
  assertMatch(
    text,
    /^\[ReadImage\] Error reading image: compressed image attachment still exceeds LLM_IMAGE_MAX_BYTES=300\b/,
  );
});

Deno.test("ReadImage() keeps a PNG where it is smaller than the JPEG", async () => {
  const chunks = [["PLTE", [255, 0, 0, 0, 0, 0]]] as const;
  const drawing = png({ width: 300, height: 200, colour: 3, depth: 1, chunks });
  using ws = workspace({ "drawing.png": drawing, "photo.png": noise(64, 64) });
  const kept = await ws.run(readImage, { path: "drawing.png" });
  assertEquals([kept.result.llm_attachment_format, kept.images[0]!.mimeType], ["PNG", "image/png"]);
  assertEquals(new Uint8Array(kept.images[0]!.bytes), drawing);
  const { result } = await ws.run(readImage, { path: "photo.png" });
  assertEquals(result.llm_attachment_format, "JPEG");
  assertNotEquals(result.llm_attachment_byte_count, result.byte_count);
});

Deno.test("ReadImage() shows what there is of a damaged picture, made anew, and says so", async () => {
  const sound = png({ width: 8, height: 8, colour: 0, depth: 8 });
  const name = (bytes: Uint8Array, type: string) =>
    bytes.findIndex((_, at) => String.fromCharCode(...bytes.subarray(at, at + 4)) === type);
  const badChecksum = sound.slice();
  badChecksum[name(sound, "IEND") - 5]! ^= 1;
  const padding = new Uint8Array(4);
  const data = name(sound, "IDAT") - 4;
  const end = name(sound, "IEND") - 8;
  const padded = Uint8Array.from([...sound.subarray(0, end), ...padding, ...sound.subarray(end)]);
  padded[data + 3]! += padding.length;
  const jpeg = fixture("quad.jpg");
  const afterFirst = 4 + jpeg[5]!;
  const junk = Uint8Array.from([...jpeg.subarray(0, afterFirst), 0, 0, ...jpeg.subarray(afterFirst)]);
  for (const [format, bytes] of [["PNG", badChecksum], ["PNG", padded], ["JPEG", junk]] as const) {
    using ws = workspace({ picture: bytes });
    const { images, warnings, text } = await ws.run(readImage, { path: "picture" });
    assertEquals(warnings, [`The ${format} image is damaged: parts of it may look wrong`], text);
    assertEquals(images[0]!.bytes.length > 0, true);
    assertNotEquals(new Uint8Array(images[0]!.bytes), bytes);
  }
});

Deno.test("ReadImage() shows the first picture of many and says how many there are", async () => {
  using ws = workspace({ "a.gif": fixture("animated.gif") });
  const { images, warnings } = await ws.run(readImage, { path: "a.gif" });
  assertEquals(await quarters(images[0]!.bytes), QUADRANTS);
  assertEquals(warnings, ["The GIF image has 3 frames: only the first is shown"]);
});

Deno.test("ReadImage() refuses settings that are no numbers", async () => {
  using ws = workspace({ "a.jpg": fixture("quad.jpg") });
  const bad = { LLM_IMAGE_MAX_EDGE: "wide", LLM_IMAGE_MAX_BYTES: "0", LLM_IMAGE_JPEG_QUALITY: "101" };
  for (const [name, value] of Object.entries(bad)) {
    const { text, error } = await ws.run(readImage, { path: "a.jpg" }, { settings: { [name]: value } });
    assertEquals(error?.code, "configuration");
    assertEquals(
      text.startsWith(`[ReadImage] Error reading image: ${name} must be a whole number from 1 to `),
      true,
    );
  }
});

Deno.test("ReadImage() refuses what it cannot show and says what to do", async () => {
  const cases: readonly (readonly [string | Uint8Array, string, string])[] = [
    ["", "invalid_input", "The file is empty: there is no image in it"],
    ["some text", "invalid_input", "The file is not an image in a known format"],
    ["%PDF-1.7\n", "invalid_input", "PDF files are not supported by ReadImage. Use ReadPDF instead"],
    [
      "\0\0\0\x18ftypheic\0\0\0\0",
      "invalid_input",
      "HEIC images cannot be read here. Convert the file to PNG or JPEG",
    ],
    [
      "\0\0\0\x18ftypavif\0\0\0\0",
      "invalid_input",
      "AVIF images cannot be read here. Convert the file to PNG or JPEG",
    ],
    [
      png({ colour: 0, depth: 1, width: 60_000, height: 60_000, rows: [] }),
      "limit_exceeded",
      "The PNG image is too large",
    ],
    [
      png({ colour: 2, depth: 8, width: 9, height: 9, rows: [] }),
      "invalid_input",
      "The PNG image is damaged",
    ],
    ["<svg xmlns='http://www.w3.org/2000/svg'><rect", "invalid_input", "The SVG image cannot be drawn"],
  ];
  for (const [content, code, message] of cases) {
    using ws = workspace({ "a.png": content });
    const { text, error, images } = await ws.run(readImage, { path: "a.png" });
    assertEquals(error?.code, code, text);
    assertEquals(text.startsWith(`[ReadImage] Error reading image: ${message}`), true, text);
    assertEquals(images, []);
  }
});

Deno.test("ReadImage() refuses every half of a picture, and reads the next one", async () => {
  const names = ["quad.jpg", "progressive.jpg", "quad.bmp", "quad.webp", "lzw.tif", "quad.ico"];
  for (const name of names) {
    const whole = fixture(name);
    using ws = workspace({ half: whole.subarray(0, whole.length * 0.6), whole });
    const { error, text } = await ws.run(readImage, { path: "half" });
    assertEquals(error?.code, "invalid_input", `${name}: ${text}`);
    assertEquals((await ws.run(readImage, { path: "whole" })).ok, true, name);
  }
});

Deno.test("ReadImage() words missing files and folders as documented", async () => {
  using ws = workspace({ "folder/a.txt": "" });
  await assertRefuses(ws, readImage, "[ReadImage] ", [
    [{ path: "b.png" }, "not_found", `File not found: ${ws.at("b.png")}`],
    [{ path: "folder" }, "invalid_input", `Path is not a file: ${ws.at("folder")}`],
  ]);
});

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

const CHECKS = ["black", "white", "white", "black"];
const COLOURS = ["red", "lime", "lime", "red"];
const CLEAR = ["red", "white", "blue", "yellow"];

Deno.test("ReadImage() draws all kinds of PNG", async () => {
  const palette = ["PLTE", [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0]] as const;
  const rgb16 = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 0]].map((colour) =>
    colour.flatMap((level) => [level, level])
  );
  const size = { width: 2, height: 2 };
  const cases = [
    [{ colour: 0, depth: 1, rows: [[0b01000000], [0b10000000]] }, CHECKS],
    [{ colour: 0, depth: 2, rows: [[0b00110000], [0b11000000]] }, CHECKS],
    [{ colour: 0, depth: 4, rows: [[0x0f], [0xf0]] }, CHECKS],
    [{ colour: 0, depth: 16, rows: [[0, 0, 255, 255], [255, 255, 0, 0]] }, CHECKS],
    [{ colour: 3, depth: 1, rows: [[0b01000000], [0b10000000]], chunks: [palette] }, COLOURS],
    [{ colour: 3, depth: 2, rows: [[0b00010000], [0b10110000]], chunks: [palette] }, QUADRANTS],
    [{ colour: 3, depth: 8, rows: [[0, 1], [2, 3]], chunks: [palette] }, QUADRANTS],
    [{ colour: 3, depth: 8, rows: [[0, 1], [2, 3]], chunks: [palette, ["tRNS", [255, 0]]] }, CLEAR],
    [{ colour: 2, depth: 16, rows: [rgb16.slice(0, 2).flat(), rgb16.slice(2).flat()] }, QUADRANTS],
    [{ colour: 2, depth: 8, rows: [[255, 0, 0, 0, 255, 0], [0, 0, 255, 255, 255, 0]] }, QUADRANTS],
    [{ colour: 4, depth: 8, rows: [[0, 255, 0, 0], [255, 255, 0, 255]] }, CHECKS],
    [
      { colour: 6, depth: 8, rows: [[255, 0, 0, 255, 9, 9, 9, 0], [0, 0, 255, 255, 255, 255, 0, 255]] },
      CLEAR,
    ],
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
    const attached = [result.llm_attachment_width, result.llm_attachment_height];
    assertEquals(attached, shown, `orientation ${index + 1}`);
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
  assertEquals([result.format, result.mime_type], ["SVG", "image/svg+xml"]);
  assertEquals([result.width, result.height], [40, 20]);
  assertEquals(await quarters(images[0]!.bytes), ["red", "white", "red", "white"]);
  const raster = await decodePicture(images[0]!.bytes);
  const dark = raster.pixels.filter((level, at) => at % 4 === 0 && level < 64).length;
  assertEquals(dark > 20, true);
  assertEquals(warnings, ["Linked images of the SVG image are not drawn"]);
});
