import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { deflateSync } from "node:zlib";

import { ToolError } from "../../../../../schemas/error.ts";
import { decodeBmp } from "../../../../../tools/engine/image/formats/bmp.ts";
import { decodeWebp } from "../../../../../tools/engine/image/formats/webp.ts";
import { decodeImage } from "../../../../../tools/engine/image/decode.ts";
import { imageHeader } from "../../../../../tools/engine/image/header.ts";
import { flatten, type Raster } from "../../../../../tools/engine/image/pixels/raster.ts";
import { resample } from "../../../../../tools/engine/image/pixels/resample.ts";
import { pngHeader } from "../../../../../tools/engine/image/png/header.ts";
import { decodePng } from "../../../../../tools/engine/image/png/png.ts";
import { boundWasm } from "../../../../../tools/engine/image/svg/bound_wasm.ts";
import { drawSvg } from "../../../../../tools/engine/image/svg/svg.ts";
import { colourAt, fixture, QUADRANTS } from "../../../../support/documents/picture.ts";
import { png } from "../../../../support/documents/png.ts";

Deno.test("imageHeader() counts the pictures of a TIFF file and tells grey JPEG from coloured", () => {
  assertEquals(imageHeader(fixture("pages.tif"))?.frames, 2);
  assertEquals(imageHeader(fixture("grey.jpg"))?.mode, "L");
});

Deno.test("imageHeader() uses Pillow's names for all kinds of PNG", () => {
  const grey = [[0, 1, "1"], [0, 2, "L"], [0, 8, "L"], [0, 16, "I;16"], [4, 8, "LA"]] as const;
  const coloured = [[2, 8, "RGB"], [2, 16, "RGB"], [6, 8, "RGBA"], [6, 16, "RGBA"], [4, 16, "RGBA"]] as const;
  const modes = [...grey, ...coloured, [3, 1, "P"], [3, 8, "P"]] as const;
  for (const [colour, depth, mode] of modes) {
    assertEquals(imageHeader(png({ colour, depth, width: 1, height: 1 }))?.mode, mode, `${colour} ${depth}`);
  }
});

Deno.test("imageHeader() refuses too many pixels and too long edges before anything is unpacked", () => {
  for (
    const [width, height] of [[30_000, 30_000], [60_000, 60_000], [65_536, 1], [4_294_967_295, 4_294_967_295]]
  ) {
    const error = assertThrows(
      () => imageHeader(png({ colour: 0, depth: 1, width: width!, height: height!, rows: [] })),
      ToolError,
      `too large: ${width} × ${height} pixels`,
    );
    assertEquals(error.code, "limit_exceeded");
  }
});

Deno.test("imageHeader() knows an SVG picture behind comments, declarations and a byte order mark", () => {
  const starts = [
    "",
    "\ufeff",
    "  \n",
    '<?xml version="1.0"?>\n<!-- a - b -->\n',
    "<!DOCTYPE svg [ <!ENTITY a 'b'> ]>",
  ];
  for (const start of starts) {
    assertEquals(imageHeader(new TextEncoder().encode(`${start}<svg width="1"/>`)), null, start);
  }
});

Deno.test("imageHeader() refuses every start of a file that ends before the pixels", () => {
  for (const name of ["quad.jpg", "quad.gif", "quad.bmp", "quad.webp", "lzw.tif", "quad.ico"]) {
    const whole = fixture(name);
    for (const length of [4, 8, 9, 12, 16, 20]) {
      try {
        imageHeader(whole.subarray(0, length));
      } catch (error) {
        assertEquals(error instanceof ToolError && error.code, "invalid_input", `${name} ${length}`);
      }
    }
  }
});

const PALETTE = [[0, 0, 255, 0], [0, 255, 0, 0], [255, 0, 0, 0], [0, 255, 255, 0]].flat();

interface BmpSpec {
  bits: number;
  rows: readonly number[];
  compression?: number;
  height?: number;
  headerBytes?: number;
  palette?: readonly number[];
  masks?: readonly number[];
  pixelsAt?: number;
}

/** A BMP file of 2 × 2 pixels. */
function bmp(spec: BmpSpec): Uint8Array {
  const { bits, rows, compression = 0, height = 2, headerBytes = 40, palette = [], masks = [] } = spec;
  const view = new DataView(new ArrayBuffer(14 + headerBytes));
  view.setUint16(0, 0x424d);
  const start = 14 + headerBytes + (headerBytes === 40 ? masks.length * 4 : 0) + palette.length;
  view.setUint32(10, spec.pixelsAt ?? start, true);
  view.setUint32(14, headerBytes, true);
  if (headerBytes === 12) {
    [2, 2, 1, bits].forEach((value, index) => view.setUint16(18 + index * 2, value, true));
  } else {
    view.setInt32(18, 2, true);
    view.setInt32(22, height, true);
    view.setUint16(26, 1, true);
    view.setUint16(28, bits, true);
  }
  if (headerBytes >= 40) {
    view.setUint32(30, compression, true);
    view.setUint32(46, palette.length / 4, true);
  }
  const stored = new Uint8Array(Uint32Array.from(masks).buffer);
  const header = new Uint8Array(view.buffer);
  if (headerBytes > 40) header.set(stored, 54);
  return Uint8Array.from([...header, ...(headerBytes === 40 ? stored : []), ...palette, ...rows]);
}

function colours(bytes: Uint8Array): string[] {
  const { raster } = decodeBmp(bytes);
  return [[0, 0], [1, 0], [0, 1], [1, 1]].map(([x, y]) => colourAt(raster, x!, y!));
}

Deno.test("decodeBmp() knows every kind of pixels", () => {
  const words = (...values: number[]) => [...new Uint8Array(Uint32Array.from(values).buffer)];
  const halves = (...values: number[]) => [...new Uint8Array(Uint16Array.from(values).buffer)];
  const indexed = { bits: 8, palette: PALETTE };
  const cases: readonly (readonly [string, BmpSpec])[] = [
    ["2 bits", { bits: 2, palette: PALETTE, rows: [0xb0, 0, 0, 0, 0x10, 0, 0, 0] }],
    ["4 bits", { bits: 4, palette: PALETTE, rows: [0x23, 0, 0, 0, 0x01, 0, 0, 0] }],
    ["8 bits", { ...indexed, rows: [2, 3, 0, 0, 0, 1, 0, 0] }],
    ["top row first", { ...indexed, height: -2, rows: [0, 1, 0, 0, 2, 3, 0, 0] }],
    ["no bytes after the last pixel", { ...indexed, rows: [2, 3, 0, 0, 0, 1] }],
    ["palette forgotten", { ...indexed, pixelsAt: 54, rows: [2, 3, 0, 0, 0, 1, 0, 0] }],
    ["short header", {
      bits: 8,
      headerBytes: 12,
      pixelsAt: 26 + 768,
      palette: [0, 0, 255, 0, 255, 0, 255, 0, 0, 0, 255, 255, ...new Array(756).fill(0)],
      rows: [2, 3, 0, 0, 0, 1, 0, 0],
    }],
    ["16 bits", { bits: 16, rows: halves(0x1f, 0x7fe0, 0x7c00, 0x3e0) }],
    ["16 bits, masks", {
      bits: 16,
      compression: 3,
      masks: [0xf800, 0x7e0, 0x1f],
      rows: halves(0x1f, 0xffe0, 0xf800, 0x7e0),
    }],
    ["24 bits", { bits: 24, rows: [255, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0] }],
    ["32 bits", { bits: 32, rows: words(0xff, 0xffff00, 0xff0000, 0xff00) }],
    ["32 bits, masks", {
      bits: 32,
      compression: 3,
      headerBytes: 56,
      masks: [0xff, 0xff00, 0xff0000, 0xff000000],
      rows: words(0xffff0000, 0xff00ffff, 0xff0000ff, 0xff00ff00),
    }],
    ["runs of 8 bits", { ...indexed, compression: 1, rows: [1, 2, 1, 3, 0, 0, 1, 0, 1, 1, 0, 1] }],
    ["runs and others", { ...indexed, compression: 1, rows: [0, 2, 1, 0, 1, 3, 0, 0, 2, 0, 0, 1] }],
    ["runs of 4 bits", { bits: 4, palette: PALETTE, compression: 2, rows: [2, 0x23, 0, 0, 2, 0x01, 0, 1] }],
  ];
  for (const [name, spec] of cases) {
    const expected = name === "runs and others" ? ["red", "red", "red", "yellow"] : QUADRANTS;
    assertEquals(colours(bmp(spec)), expected, name);
  }
});

Deno.test("decodeBmp() draws runs that end too early and says so", () => {
  const { raster, complaint } = decodeBmp(bmp({ bits: 8, compression: 1, palette: PALETTE, rows: [2, 2] }));
  assertEquals([complaint, colourAt(raster, 1, 1), colourAt(raster, 0, 0)], [true, "blue", "red"]);
});

Deno.test("decodeBmp() refuses missing rows and rare kinds", () => {
  assertThrows(() => decodeBmp(bmp({ bits: 24, rows: [0, 0, 0, 0, 0, 0, 0, 0] })), RangeError);
  assertThrows(
    () => decodeBmp(bmp({ bits: 24, compression: 4, rows: [] })),
    ToolError,
    "BMP images with 24 bits a pixel and compression 4 cannot be read here",
  );
});

const FILE_HEADER = 12;

function chunk(type: string, ...body: number[]): number[] {
  const length = [body.length & 255, body.length >> 8, 0, 0];
  return [...type].map((letter) => letter.charCodeAt(0)).concat(length, body, body.length & 1 ? [0] : []);
}

function uint24(value: number): number[] {
  return [value & 255, value >> 8, 0];
}

/** An animation of 80 × 40 pixels whose one frame lies 16 to the right and 8 down. */
function animation(still: Uint8Array): Uint8Array {
  const frame = [...uint24(8), ...uint24(4), ...uint24(63), ...uint24(31), ...uint24(100), 0];
  const chunks = [
    ...chunk("VP8X", 0x12, 0, 0, 0, ...uint24(79), ...uint24(39)),
    ...chunk("ANIM", 0, 0, 0, 0, 0, 0),
    ...chunk("ANMF", ...frame, ...still.subarray(FILE_HEADER)),
  ];
  return Uint8Array.from(chunk("RIFF", ...[..."WEBP"].map((letter) => letter.charCodeAt(0)), ...chunks));
}

Deno.test("decodeWebp() puts the first frame of an animation where it belongs", () => {
  for (const name of ["quad.webp", "lossy.webp"]) {
    const bytes = animation(fixture(name));
    const header = imageHeader(bytes)!;
    assertEquals([header.width, header.height, header.frames], [80, 40, 1], name);
    const raster = decodeWebp(bytes, header);
    const found = [[17, 9], [78, 9], [17, 38], [78, 38]].map(([x, y]) => colourAt(raster, x!, y!));
    assertEquals(found, QUADRANTS, name);
    assertEquals([raster.pixels[3], raster.pixels[(9 * 80 + 17) * 4 + 3]], [0, 255], name);
  }
});

Deno.test("decodeWebp() refuses pixels that cannot be decoded", () => {
  const bytes = fixture("lossy.webp").slice();
  bytes.fill(0, 20, 40);
  const header = { format: "WEBP", mode: "RGB", width: 64, height: 32 } as const;
  assertThrows(() => decodeWebp(bytes, header), ToolError, "The WEBP image is damaged");
});

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

Deno.test("decodePng() puts the passes of an interlaced picture together, also of less than a byte a pixel", async () => {
  const size = { width: 3, height: 3, interlaced: true };
  const passes = [[0x80], [0x80], [0xc0], [0], [0], [0x40]];
  const palette = ["PLTE", [0, 0, 0, 255, 255, 255]] as const;
  const kinds = [{ colour: 0, depth: 1 }, { colour: 3, depth: 1, chunks: [palette] }];
  for (const kind of kinds) {
    const { pixels } = await decodePng(pngHeader(png({ ...size, ...kind, rows: passes })));
    assertEquals([...pixels].filter((_, at) => at % 4 === 0), [255, 0, 255, 0, 255, 0, 255, 0, 255]);
  }
});

Deno.test("decodePng() unpacks no more than the picture needs", async () => {
  let steps = 0;
  class Counted extends Uint8Array<ArrayBuffer> {
    override subarray(begin?: number, end?: number): Uint8Array<ArrayBuffer> {
      steps++;
      return new Uint8Array(super.subarray(begin, end));
    }
  }
  const packed = new Uint8Array(deflateSync(new Uint8Array(8 * 1024 * 1024), { level: 0 }));
  const header = pngHeader(png({ width: 8, height: 8, colour: 0, depth: 8 }));
  const { width } = await decodePng({ ...header, data: [new Counted(packed.buffer)] });
  assertEquals([width, steps > 0, steps < 50], [8, true, true], `${steps} steps`);
});

const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Exports the only memory as "m". */
const EXPORT = [7, 5, 1, 1, 0x6d, 2, 0];
const MEBIBYTE = 1024 * 1024;

Deno.test("boundWasm() keeps a module's memory from growing", () => {
  for (
    const [what, section] of Object.entries({
      unbounded: [5, 3, 1, 0, 1],
      bounded: [5, 5, 1, 1, 1, 0xff, 0x01],
    })
  ) {
    const wasm = Uint8Array.from([...HEAD, ...section, ...EXPORT]);
    const module = new WebAssembly.Module(boundWasm(wasm, { maxBytes: 10 * MEBIBYTE }));
    const memory = new WebAssembly.Instance(module).exports.m as WebAssembly.Memory;
    assertEquals(memory.grow(159), 1, what);
    assertThrows(() => memory.grow(1), RangeError);
    assertEquals(memory.buffer.byteLength, 10 * MEBIBYTE, what);
  }
});

Deno.test("boundWasm() refuses a module without a memory", () => {
  assertThrows(
    () => boundWasm(Uint8Array.from(HEAD), { maxBytes: MEBIBYTE }),
    TypeError,
    "no memory of its own",
  );
});

const draw = (text: string, maxEdge = 1568) => drawSvg(new TextEncoder().encode(text), { maxEdge });

const svg = (body: string, attributes = 'width="40" height="20"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${body}</svg>`;

const RED = '<rect width="20" height="20" fill="red"/>';

Deno.test("drawSvg() draws what has layers outside of the picture", async () => {
  const bodies = [
    '<g opacity=".5"><rect x="900" width="9" height="9"/></g>',
    '<rect x="-70" y="-50" width="9" height="9" opacity=".5"/>',
    '<defs><symbol id="s" viewBox="0 0 9 9"><rect width="9" height="9"/></symbol></defs>' +
    '<use href="#s" x="50" y="30" width="9" height="9"/>',
  ];
  for (const body of bodies) {
    const { raster } = await draw(svg(RED + body));
    assertEquals([raster.width, raster.height], [40, 20]);
    assertEquals([[1, 1], [18, 18], [21, 1], [38, 18]].map(([x, y]) => colourAt(raster, x!, y!)), [
      ...["red", "red", "white", "white"],
    ], body);
  }
});

Deno.test("drawSvg() cuts the same part out, whatever the picture's box", async () => {
  const far = '<rect x="200" y="-90" width="9" height="9" opacity=".5"/>';
  const cases = [
    'width="40" height="20" viewBox="0 0 40 20"',
    'width="80" height="40" viewBox="0 0 40 20"',
    'width="40" height="20" viewBox="-5 7 40 20"',
    'width="60" height="20" viewBox="0 0 40 20"',
    'width="60" height="20" viewBox="0 0 40 20" preserveAspectRatio="xMinYMid"',
    'width="20" height="40" viewBox="0 0 40 20" preserveAspectRatio="xMaxYMax slice"',
    'viewBox="0 0 400 200"',
  ];
  for (const attributes of cases) {
    for (const maxEdge of [1568, 30]) {
      const plain = await draw(svg(RED, attributes), maxEdge);
      assertEquals((await draw(svg(RED + far, attributes), maxEdge)).raster, plain.raster, attributes);
    }
  }
});

Deno.test("drawSvg() draws text in its one font and says what that has no glyphs for", async () => {
  const dark = async (text: string) => {
    const { raster, warnings } = await draw(svg(text));
    return { dark: raster.pixels.filter((level, at) => at % 4 === 0 && level < 128).length, warnings };
  };
  const shown = await dark('<text y="16" font-family="Courier" font-size="16">Añя</text>');
  assertEquals([shown.dark > 40, shown.warnings], [true, []]);
  const unknown = await dark('<text y="16">文</text>');
  assertEquals(unknown.warnings, [
    "Some text of the SVG image is in a script that no font is at hand for: use Read to see it",
  ]);
  assertEquals((await dark("<desc>文</desc>")).warnings, []);
});

Deno.test("drawSvg() takes files without a namespace and in other encodings", async () => {
  const { raster } = await draw(`<!-- old --><svg width="40" height="20">${RED}</svg>`);
  assertEquals([colourAt(raster, 1, 1), colourAt(raster, 30, 1)], ["red", "white"]);
  const latin1 = Uint8Array.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?>${svg(`<desc>\xe9</desc>${RED}`)}`,
    (character) => character.charCodeAt(0),
  );
  assertEquals((await drawSvg(latin1, { maxEdge: 1568 })).width, 40);
});

Deno.test("drawSvg() says that a file is damaged", async () => {
  const error = await assertRejects(() => draw("<svg><rect"), ToolError, "The SVG image cannot be drawn: ");
  assertEquals(error.code, "invalid_input");
});

/** 2 × 2: red, and the last pixel blue; as OpenJPEG writes it. */
const JP2 = Uint8Array.fromBase64(
  "AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAAgAAAAIAAwcHAAAAAAAPY29scgEAAAAAABAAAACuanAyY/9P/1EALwAAAAAAAgAAAAIAAAAAAAAAAAAAAAIAAAACAAAAAAAAAAAA" +
    "AwcBAQcBAQcBAf9SAAwAAAABAAEEBAAB/1wAB0BASEhQ/2QAJQABQ3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS40/5AACgAAAAAAMwAB/5PPtAQE34AIB8+0BAfH2gMfaAx+ACAJCQmAz8AGfgAx+ACABAQA/9k=",
);
const text = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const RED_BLUE = [[255, 0, 0], [0, 0, 255]];

/** Pictures of formats beside the usual ones, as they are told and with the colours of two corners. */
const MORE: readonly (readonly [bytes: Uint8Array, facts: string, corners: number[][]])[] = [
  [JP2, "JPEG2000 RGB 2 × 2", RED_BLUE],
  [JP2.subarray(JP2.indexOf(0x63, 70) + 1), "JPEG2000 RGB 2 × 2", RED_BLUE],
  [text("P6\n# made\n1 2\n255\n\xff\0\0\0\0\xff"), "PPM RGB 1 × 2", RED_BLUE],
  [text("P3 1 2 255\n255 0 0 0 0 255\n"), "PPM RGB 1 × 2", RED_BLUE],
  [text("P5 2 1 255\n\x40\x80"), "PPM L 2 × 1", [[64, 64, 64], [128, 128, 128]]],
  [text("P4\n8 1\n\x01"), "PPM 1 8 × 1", [[255, 255, 255], [0, 0, 0]]],
  [Uint8Array.from([...text("icns\0\0\x01\x0bic08\0\0\x01\x03"), ...JP2]), "ICNS RGB 2 × 2", RED_BLUE],
];

Deno.test("decodeImage() draws Netpbm, JPEG 2000 and the icons of macOS", async () => {
  for (const [bytes, facts, corners] of MORE) {
    const header = imageHeader(bytes)!;
    assertEquals(`${header.format} ${header.mode} ${header.width} × ${header.height}`, facts);
    const { pixels } = (await decodeImage(bytes, header, header)).raster;
    assertEquals([[...pixels.subarray(0, 3)], [...pixels.subarray(-4, -1)]], corners, facts);
  }
  await assertRejects(
    () => decodeImage(JP2.subarray(0, 180), imageHeader(JP2)!, imageHeader(JP2)!),
    ToolError,
    "damaged",
  );
});
