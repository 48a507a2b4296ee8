import { inflateSync } from "node:zlib";

const HEADER = 44;
const ENTRY = 20;

/**
 * Unpacks a font in the form WOFF 1.0. The renderer reads WOFF 2.0 by itself, but for each picture again, which takes
 * 45 to 200 ms for a font of East Asia.
 */
export function unpackFont(woff: Uint8Array): Uint8Array {
  const from = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  const tables = from.getUint16(12);
  const font = new Uint8Array(from.getUint32(16));
  const to = new DataView(font.buffer);
  const power = 2 ** Math.floor(Math.log2(tables));
  to.setUint32(0, from.getUint32(4));
  [tables, 16 * power, Math.log2(power), 16 * (tables - power)].forEach((value, at) =>
    to.setUint16(4 + 2 * at, value)
  );
  let place = 12 + 16 * tables;
  for (let at = 0; at < tables; at++) {
    const entry = HEADER + ENTRY * at;
    const [tag, start, packed, size, sum] = [0, 4, 8, 12, 16].map((more) => from.getUint32(entry + more)) as [
      ...[number, number, number],
      ...[number, number],
    ];
    const data = woff.subarray(start, start + packed);
    font.set(packed === size ? data : inflateSync(data), place);
    [tag, sum, place, size].forEach((value, field) => to.setUint32(12 + 16 * at + 4 * field, value));
    place += (size + 3) & ~3;
  }
  return font;
}
