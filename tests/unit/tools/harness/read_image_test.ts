import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";

import readImage from "../../../../tools/harness/read_image.ts";
import { fixture, QUADRANTS, quarters } from "../../../support/documents/picture.ts";
import { png } from "../../../support/documents/png.ts";
import { workspace } from "../../../support/run_tool.ts";

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
  const most = async (
    bytes: number,
  ) => (await ws.run(readImage, { path: "wide.png" }, { settings: { LLM_IMAGE_MAX_BYTES: `${bytes}` } }));
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
  const drawing = png({
    width: 300,
    height: 200,
    colour: 3,
    depth: 1,
    chunks: [["PLTE", [255, 0, 0, 0, 0, 0]]],
  });
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
  const bad = [["LLM_IMAGE_MAX_EDGE", "wide"], ["LLM_IMAGE_MAX_BYTES", "0"], [
    "LLM_IMAGE_JPEG_QUALITY",
    "101",
  ]];
  for (const [name, value] of bad) {
    const { text, error } = await ws.run(readImage, { path: "a.jpg" }, { settings: { [name!]: value! } });
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
  assertEquals(
    (await ws.run(readImage, { path: "b.png" })).text,
    `[ReadImage] File not found: ${ws.at("b.png")}`,
  );
  assertEquals(
    (await ws.run(readImage, { path: "folder" })).text,
    `[ReadImage] Path is not a file: ${ws.at("folder")}`,
  );
});
