import packed from "@fontsource/noto-sans-sc/files/noto-sans-sc-latin-400-normal.woff" with { type: "bytes" };
import { assert, assertEquals } from "@std/assert";

import { unpackFont } from "../../../../../../tools/engine/chart/output/woff.ts";

/** The sum of a table's words, as its directory names it. */
function sumOf(font: DataView, start: number, size: number): number {
  let sum = 0;
  for (let at = start; at < start + ((size + 3) & ~3); at += 4) sum = (sum + font.getUint32(at)) >>> 0;
  return sum;
}

Deno.test("unpackFont() writes each table where its directory says, with the sum that it names", () => {
  const font = unpackFont(packed);
  const view = new DataView(font.buffer);
  const tables = view.getUint16(4);
  const names: string[] = [];
  for (let at = 0; at < tables; at++) {
    const [tag, sum, start, size] = [0, 4, 8, 12].map((more) => view.getUint32(12 + 16 * at + more)) as [
      ...[number, number],
      ...[number, number],
    ];
    const name = String.fromCharCode(tag >> 24 & 255, tag >> 16 & 255, tag >> 8 & 255, tag & 255);
    names.push(name);
    // The table "head" holds a sum of the whole file, which its own sum leaves out.
    const own = sumOf(view, start, size) - (name === "head" ? view.getUint32(start + 8) : 0);
    assertEquals(own >>> 0, sum, name);
  }
  for (const name of ["cmap", "glyf", "head", "hmtx"]) assert(names.includes(name), name);
});
