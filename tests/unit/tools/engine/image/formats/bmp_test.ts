import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { decodeBmp } from "../../../../../../tools/engine/image/formats/bmp.ts";
import { colourAt, QUADRANTS } from "../../../../../support/documents/picture.ts";

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
