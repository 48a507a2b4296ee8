import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { imageHeader } from "../../../../../../tools/engine/image/header.ts";
import { decodeWebp } from "../../../../../../tools/engine/image/formats/webp.ts";
import { colourAt, fixture, QUADRANTS } from "../../../../../support/documents/picture.ts";

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
