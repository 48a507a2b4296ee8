import { assertEquals } from "@std/assert";
import { deflateSync } from "node:zlib";

import { pngHeader } from "../../../../../../tools/engine/image/png/header.ts";
import { decodePng } from "../../../../../../tools/engine/image/png/png.ts";
import { png } from "../../../../../support/documents/png.ts";

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
