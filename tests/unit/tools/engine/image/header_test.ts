import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { imageHeader } from "../../../../../tools/engine/image/header.ts";
import { fixture } from "../../../../support/documents/picture.ts";
import { png } from "../../../../support/documents/png.ts";

Deno.test("imageHeader() tells format, kind of pixels and size of each format", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["quad.jpg", "JPEG", "RGB"],
    ["progressive.jpg", "JPEG", "RGB"],
    ["grey.jpg", "JPEG", "L"],
    ["cmyk.jpg", "JPEG", "CMYK"],
    ["quad.gif", "GIF", "P"],
    ["quad.bmp", "BMP", "RGB"],
    ["palette.bmp", "BMP", "P"],
    ["quad.webp", "WEBP", "RGB"],
    ["lossy.webp", "WEBP", "RGB"],
    ["lzw.tif", "TIFF", "RGB"],
    ["jpeg.tif", "TIFF", "RGB"],
    ["quad.ico", "ICO", "RGBA"],
  ];
  for (const [name, format, mode] of cases) {
    const header = imageHeader(fixture(name));
    assertEquals([header?.format, header?.mode, header?.width, header?.height], [format, mode, 64, 32], name);
  }
});

Deno.test("imageHeader() counts the pictures of a file", () => {
  assertEquals(imageHeader(fixture("animated.gif"))?.frames, 3);
  assertEquals(imageHeader(fixture("pages.tif"))?.frames, 2);
});

Deno.test("imageHeader() takes the largest picture of an icon", () => {
  const { width, height } = imageHeader(fixture("two.ico"))!;
  assertEquals([width, height], [64, 32]);
});

Deno.test("imageHeader() uses Pillow's names for all kinds of PNG", () => {
  const modes = [[0, 1, "1"], [0, 2, "L"], [0, 8, "L"], [0, 16, "I;16"], [2, 8, "RGB"], [
    2,
    16,
    "RGB",
  ]] as const;
  const others = [[3, 1, "P"], [3, 8, "P"], [4, 8, "LA"], [4, 16, "RGBA"], [6, 8, "RGBA"], [
    6,
    16,
    "RGBA",
  ]] as const;
  for (const [colour, depth, mode] of [...modes, ...others]) {
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
