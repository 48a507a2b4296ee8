export interface TiffSpec {
  width: number;
  height: number;
  chunks: readonly (readonly number[] | Uint8Array)[];
  /** Values of further tags by their number; those of the layout are made from the rest. */
  tags?: Readonly<Record<number, readonly number[]>>;
  /** Edge of square tiles. @default none: strips */
  tile?: number;
  little?: boolean;
  /** Written for files above 4 GB. @default false */
  big?: boolean;
  /** Says that the next picture is this one again. @default false */
  loop?: boolean;
}

const SHORT = 3;
const LONG = 4;

export function tiff(spec: TiffSpec): Uint8Array {
  const { width, height, chunks, tile, little = true, big = false, loop = false } = spec;
  const header = big ? 16 : 8;
  const starts: number[] = [];
  let at = header;
  for (const chunk of chunks) {
    starts.push(at);
    at += chunk.length;
  }
  const [startTag, lengthTag] = tile ? [324, 325] : [273, 279];
  const tags = Object.entries({
    256: [width],
    257: [height],
    258: [8],
    259: [1],
    262: [1],
    277: [1],
    ...(tile ? { 322: [tile], 323: [tile] } : { 278: [Math.ceil(height / chunks.length)] }),
    [startTag]: starts,
    [lengthTag]: chunks.map(({ length }) => length),
    ...spec.tags,
  }).sort(([one], [other]) => Number(one) - Number(other));
  const directoryAt = at;
  const entryBytes = big ? 20 : 12;
  const view = new DataView(new ArrayBuffer(directoryAt + 16 + tags.length * (entryBytes + 8 * 4096)));
  view.setUint16(0, little ? 0x4949 : 0x4d4d);
  view.setUint16(2, big ? 43 : 42, little);
  if (big) view.setUint16(4, 8, little);
  const offset = (to: number, value: number) =>
    big ? view.setBigUint64(to, BigInt(value), little) : view.setUint32(to, value, little);
  offset(big ? 8 : 4, directoryAt);
  for (const [index, chunk] of chunks.entries()) new Uint8Array(view.buffer).set(chunk, starts[index]!);
  if (big) view.setBigUint64(at, BigInt(tags.length), little);
  else view.setUint16(at, tags.length, little);
  at += big ? 8 : 2;
  let valuesAt = at + tags.length * entryBytes + 8;
  for (const [tag, values] of tags) {
    const [type, size] = values.some((value) => value > 65_535) ? [LONG, 4] as const : [SHORT, 2] as const;
    view.setUint16(at, Number(tag), little);
    view.setUint16(at + 2, type, little);
    offset(at + 4, values.length);
    const inPlace = values.length * size <= (big ? 8 : 4);
    const valueAt = at + (big ? 12 : 8);
    if (!inPlace) offset(valueAt, valuesAt);
    writeValues(view, values, { at: inPlace ? valueAt : valuesAt, size, little });
    if (!inPlace) valuesAt += values.length * size;
    at += entryBytes;
  }
  offset(at, loop ? directoryAt : 0);
  return new Uint8Array(view.buffer).slice(0, valuesAt);
}

function writeValues(
  view: DataView,
  values: readonly number[],
  { at, size, little }: { at: number; size: 2 | 4; little: boolean },
): void {
  for (const [index, value] of values.entries()) {
    if (size === 4) view.setUint32(at + index * size, value, little);
    else view.setUint16(at + index * size, value, little);
  }
}
