import { assertEquals, assertThrows } from "@std/assert";
import { deflateSync } from "node:zlib";

import { ToolError } from "../../../../../schemas/error.ts";
import { imageHeader } from "../../../../../tools/engine/image/header.ts";
import { decodeFax } from "../../../../../tools/engine/image/tiff/fax.ts";
import { decodeTiff } from "../../../../../tools/engine/image/tiff/tiff.ts";
import { colourAt, fixture, QUADRANTS } from "../../../../support/documents/picture.ts";
import { tiff, type TiffSpec } from "../../../../support/documents/tiff.ts";

function bytesOf(bits: string): Uint8Array {
  const whole = bits.replaceAll(" ", "");
  return Uint8Array.from(
    whole.padEnd(Math.ceil(whole.length / 8) * 8, "0").match(/.{8}/g)!,
    (byte) => parseInt(byte, 2),
  );
}

function rows(bits: string, twoDimensional: "all" | "marked" | "none", { aligned = false } = {}): string[] {
  const shape = { width: 8, height: 2, twoDimensional, aligned };
  const decoded = decodeFax(bytesOf(bits), shape);
  const shown = [...decoded.bits].map((byte) => byte.toString(2).padStart(8, "0"));
  return decoded.complete ? shown : [...shown, "incomplete"];
}

const MARK = "000000000001";

Deno.test("decodeFax() reads rows with and without the row above", () => {
  // White 2, black 3, white 3; then the changes one to the right and just below.
  const plain = "0111 10 1000";
  const cases = [
    ["all", `001 0111 10 1 011 1 1`, ["00111000", "00011000"]],
    ["all", `001 0111 10 1 0001 1`, ["00111000", "00000000"]],
    ["all", `001 00110101 0000110111 0001 0001 1`, ["00000000", "00000000"]],
    ["none", `${MARK} ${plain} 0000 ${MARK} ${plain}`, ["00111000", "00111000"]],
    ["none", `${plain} ${plain}`, ["00111000", "00111000"]],
    ["marked", `${MARK} 1 ${plain} ${MARK} 0 010 1 1`, ["00111000", "01111000"]],
    ["all", `001 0111 10 1 0000000`, ["00111000", "00000000", "incomplete"]],
    ["all", `001 0111`, ["00000000", "00000000", "incomplete"]],
  ] as const;
  for (const [kind, bits, expected] of cases) assertEquals(rows(bits, kind), [...expected], bits);
  assertEquals(rows(`${plain} 000000 ${plain}`, "none", { aligned: true }), ["00111000", "00111000"]);
});

Deno.test("decodeFax() adds up long runs", () => {
  const { bits } = decodeFax(bytesOf("000000011111 11011 1100 0000001100101 0000110111"), {
    width: 2560 + 64 + 5 + 1728,
    height: 1,
    twoDimensional: "none",
    aligned: false,
  });
  const black = [...bits].join("");
  assertEquals(bits.filter((byte) => byte === 255).length, 215, black);
  assertEquals(bits[(2560 + 64) / 8], 0b00000111);
});

const RED = [255, 0, 0];
const LIME = [0, 255, 0];
const BLUE = [0, 0, 255];
const YELLOW = [255, 255, 0];
const CHECKS = ["black", "white", "white", "black"];
const TOP = [...RED, ...LIME];
const BOTTOM = [...BLUE, ...YELLOW];
const PIXELS = [...TOP, ...BOTTOM];
const RGB = { 262: [2], 277: [3], 258: [8, 8, 8] };

function colours(spec: Omit<TiffSpec, "width" | "height">): string[] {
  const { raster } = decodeTiff(tiff({ width: 2, height: 2, ...spec }));
  return [[0, 0], [1, 0], [0, 1], [1, 1]].map(([x, y]) => colourAt(raster, x!, y!));
}

Deno.test("decodeTiff() unpacks every way of compression", () => {
  const differences = [...RED, 1, 255, 0, ...BLUE, 255, 255, 1];
  const cases: readonly (readonly [string, Omit<TiffSpec, "width" | "height">])[] = [
    ["none", { chunks: [PIXELS], tags: RGB }],
    ["two strips", { chunks: [TOP, BOTTOM], tags: RGB }],
    ["big-endian", { chunks: [PIXELS], tags: RGB, little: false }],
    ["BigTIFF", { chunks: [TOP, BOTTOM], tags: RGB, big: true }],
    ["too large a length", { chunks: [PIXELS], tags: { ...RGB, 279: [70_000] } }],
    ["runs", { chunks: [[11, ...PIXELS]], tags: { ...RGB, 259: [32_773] } }],
    ["deflate", { chunks: [deflateSync(Uint8Array.from(PIXELS))], tags: { ...RGB, 259: [8] } }],
    ["deflate, old number", {
      chunks: [deflateSync(Uint8Array.from(PIXELS))],
      tags: { ...RGB, 259: [32_946] },
    }],
    ["differences", { chunks: [differences], tags: { ...RGB, 317: [2] } }],
    ["planes", {
      chunks: [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 0]],
      tags: { ...RGB, 284: [2], 278: [2] },
    }],
  ];
  for (const [name, spec] of cases) assertEquals(colours(spec), QUADRANTS, name);
});

Deno.test("decodeTiff() unpacks strings of LZW, of which one is part of itself", () => {
  // Clear, 0, then the string of two zeros that this very code makes, 0, end: nine bits each.
  const codes = [256, 0, 258, 0, 257].map((code) => code.toString(2).padStart(9, "0")).join("");
  const bytes = codes.padEnd(48, "0").match(/.{8}/g)!.map((bits) => parseInt(bits, 2));
  assertEquals(colours({ chunks: [bytes], tags: { 259: [5] } }), ["black", "black", "black", "black"]);
});

Deno.test("decodeTiff() knows every kind of pixels", () => {
  const cases: readonly (readonly [string, Omit<TiffSpec, "width" | "height">, readonly string[]])[] = [
    ["1 bit", { chunks: [[0x40, 0x80]], tags: { 258: [1] } }, CHECKS],
    ["1 bit, white is 0", { chunks: [[0x80, 0x40]], tags: { 258: [1], 262: [0] } }, CHECKS],
    ["1 bit, lowest first", { chunks: [[0x02, 0x01]], tags: { 258: [1], 266: [2] } }, CHECKS],
    ["2 bits", { chunks: [[0x30, 0xc0]], tags: { 258: [2] } }, CHECKS],
    ["4 bits", { chunks: [[0x0f, 0xf0]], tags: { 258: [4] } }, CHECKS],
    ["12 bits", { chunks: [[0, 0x0f, 0xff, 0xff, 0xf0, 0]], tags: { 258: [12] } }, CHECKS],
    ["16 bits", { chunks: [[0, 0, 255, 255, 255, 255, 0, 0]], tags: { 258: [16] } }, CHECKS],
    ["16 bits, signed", { chunks: [[0, 128, 1, 0, 1, 0, 0, 128]], tags: { 258: [16], 339: [2] } }, CHECKS],
    ["32 bits", { chunks: [[1, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0]], tags: { 258: [32] } }, CHECKS],
    ["floating point", {
      chunks: [new Uint8Array(Float32Array.of(-1, 0.5, 0.5, -1).buffer)],
      tags: { 258: [32], 339: [3] },
    }, CHECKS],
    [
      "grey with alpha",
      { chunks: [[0, 255, 255, 255, 255, 255, 0, 255]], tags: { 277: [2], 258: [8, 8] } },
      CHECKS,
    ],
    ["palette", {
      chunks: [[0x18, 0xb0].map((byte) => byte === 0x18 ? 0x10 : byte)],
      tags: { 258: [2], 262: [3], 320: [65_535, 0, 0, 65_535, 0, 65_535, 0, 65_535, 0, 0, 65_535, 0] },
    }, QUADRANTS],
    ["CMYK", {
      chunks: [[0, 255, 255, 0, 255, 0, 255, 0, 255, 255, 0, 0, 0, 0, 255, 0]],
      tags: { 258: [8, 8, 8, 8], 262: [5], 277: [4] },
    }, QUADRANTS],
    ["YCbCr", {
      chunks: [[76, 85, 255, 150, 44, 21, 29, 255, 107, 226, 0, 149]],
      tags: { ...RGB, 262: [6], 530: [1, 1] },
    }, QUADRANTS],
    ["YCbCr, one colour for four", {
      chunks: [[0, 255, 255, 0, 128, 128]],
      tags: { ...RGB, 262: [6], 530: [2, 2] },
    }, CHECKS],
    ["Lab", { chunks: [[0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 0, 0]], tags: { ...RGB, 262: [8] } }, CHECKS],
  ];
  for (const [name, spec, expected] of cases) assertEquals(colours(spec), [...expected], name);
});

Deno.test("decodeTiff() puts tiles and their planes together, and cuts the last ones off", () => {
  const tile = (levels: (x: number, y: number) => readonly number[]) =>
    Array.from({ length: 256 }, (_, at) => levels(at % 16, Math.floor(at / 16))).flat();
  const chunks = [RED, LIME, BLUE, YELLOW].map((colour) => tile(() => colour));
  const { raster } = decodeTiff(tiff({ width: 20, height: 18, tile: 16, chunks, tags: RGB }));
  const found = [[15, 15], [16, 15], [15, 16], [19, 17]].map(([x, y]) => colourAt(raster, x!, y!));
  assertEquals(found, QUADRANTS);
});

Deno.test("decodeTiff() undoes the differences of floating point", () => {
  // The bytes of 0, 1, 1, 0 by their weight, each less the one before.
  const apart = [[0x00, 0x3f], [0x00, 0x80], [0, 0], [0, 0]].flat();
  const row = (bytes: number[]) => bytes.map((byte, at) => (byte - (bytes[at - 1] ?? 0)) & 255);
  const swapped = [[0x3f, 0x00], [0x80, 0x00], [0, 0], [0, 0]].flat();
  assertEquals(
    colours({ chunks: [[...row(apart), ...row(swapped)]], tags: { 258: [32], 339: [3], 317: [3] } }),
    CHECKS,
  );
});

Deno.test("decodeTiff() decodes JPEG in a strip", () => {
  const { raster } = decodeTiff(
    tiff({ width: 64, height: 32, chunks: [fixture("quad.jpg")], tags: { ...RGB, 259: [7], 262: [6] } }),
  );
  const found = [[10, 5], [50, 5], [10, 25], [50, 25]].map(([x, y]) => colourAt(raster, x!, y!));
  assertEquals(found, QUADRANTS);
});

Deno.test("decodeTiff() decodes a picture whose directories go in a circle", () => {
  const bytes = tiff({ width: 2, height: 2, chunks: [PIXELS], tags: RGB, loop: true });
  assertEquals(imageHeader(bytes)?.frames, 1);
  assertEquals(colourAt(decodeTiff(bytes).raster, 1, 1), "yellow");
});

Deno.test("decodeTiff() says where packed bytes end too early", () => {
  const short = tiff({ width: 2, height: 2, chunks: [[0, 255]], tags: { 259: [32_773] } });
  const { raster, complaint } = decodeTiff(short);
  assertEquals([complaint, colourAt(raster, 0, 0), colourAt(raster, 1, 1)], [true, "white", "black"]);
});

Deno.test("decodeTiff() names the kinds that it does not know", () => {
  const cases = [
    [{ 259: [34_925] }, "TIFF images with compression 34925 cannot be read here"],
    [{ 262: [34_892] }, "TIFF images with 8 bits of kind 1 and colours of kind 34892 cannot be read here"],
    [{ 258: [5] }, "TIFF images with 5 bits of kind 1 and colours of kind 1 cannot be read here"],
    [{ 259: [6] }, "TIFF images with compression 6 in several parts cannot be read here"],
    [{ 262: [3] }, "The TIFF image is damaged: its palette is not whole"],
    [{ 278: [1] }, "The TIFF image is damaged: parts of it are missing"],
  ] as const;
  for (const [tags, message] of cases) {
    const bytes = tiff({ width: 2, height: 2, chunks: [[1, 2, 3, 4]], tags });
    assertEquals(assertThrows(() => decodeTiff(bytes), ToolError, message).code, "invalid_input");
  }
});
