import { assertEquals } from "@std/assert";
import { inflateSync } from "node:zlib";

import { encodePng } from "../../../../tools/engine/encode_png.ts";

Deno.test("encodePng() writes the pixels that it is given", () => {
  const data = Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 8, 7);
  const png = encodePng({ width: 2, height: 2, channels: 3, data });
  const view = new DataView(png.buffer);
  assertEquals(png.slice(0, 8), Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a));
  assertEquals([view.getUint32(16), view.getUint32(20), png[24], png[25]], [2, 2, 8, 2]);
  // The checksum of IHDR with these values, as other programs write it.
  assertEquals(view.getUint32(29), 0xfdd49a73);
  const size = view.getUint32(33);
  const rows = new Uint8Array(inflateSync(png.subarray(41, 41 + size)));
  assertEquals(rows, Uint8Array.of(0, 255, 0, 0, 0, 255, 0, 0, 0, 0, 255, 9, 8, 7));
});
