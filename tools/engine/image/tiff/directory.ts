import { viewOf } from "../pixels/bytes.ts";

/** Tags of one picture of a TIFF file; only those whose values are whole numbers. */
export interface TiffDirectory {
  little: boolean;
  /** The values of a tag; empty if it is absent. */
  numbers(tag: number): readonly number[];
  /** The first value of a tag. */
  number(tag: number, absent: number): number;
}

/** Where things lie in the two kinds of files. */
interface Kind {
  little: boolean;
  /** Offsets take 8 bytes, as for files above 4 GB. */
  big: boolean;
}

const BIG = 43;
const MOST_ENTRIES = 4096;
const MOST_VALUES = 1_000_000;
const MOST_PAGES = 10_000;
/** Bytes of one value, by the number of its type. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Reads the tags of a TIFF file's first picture. Throws `RangeError` where the file ends too early. */
export function tiffDirectory(bytes: Uint8Array): TiffDirectory {
  const view = viewOf(bytes);
  const kind = kindOf(view);
  const tags = readTags(view, firstAt(view, kind), kind);
  const numbers = (tag: number) => tags.get(tag) ?? [];
  return { little: kind.little, numbers, number: (tag, absent) => numbers(tag)[0] ?? absent };
}

/** Counts the pictures of a TIFF file, until they repeat or cannot be read. */
export function countTiffPages(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const kind = kindOf(view);
  const seen = new Set<number>();
  try {
    for (let at = firstAt(view, kind); at !== 0 && !seen.has(at) && seen.size < MOST_PAGES;) {
      seen.add(at);
      const { from, count, entryBytes } = entriesAt(view, at, kind);
      at = offset(view, from + count * entryBytes, kind);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return seen.size;
}

function kindOf(view: DataView): Kind {
  const little = view.getUint16(0) === 0x4949;
  return { little, big: view.getUint16(2, little) === BIG };
}

function firstAt(view: DataView, kind: Kind): number {
  return offset(view, kind.big ? 8 : 4, kind);
}

function offset(view: DataView, at: number, { little, big }: Kind): number {
  return big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);
}

function entriesAt(view: DataView, at: number, { little, big }: Kind) {
  return big
    ? { from: at + 8, count: Number(view.getBigUint64(at, little)), entryBytes: 20 }
    : { from: at + 2, count: view.getUint16(at, little), entryBytes: 12 };
}

function readTags(view: DataView, at: number, kind: Kind): Map<number, number[]> {
  const tags = new Map<number, number[]>();
  const { from, count, entryBytes } = entriesAt(view, at, kind);
  for (let index = 0; index < Math.min(count, MOST_ENTRIES); index++) {
    const entry = from + index * entryBytes;
    tags.set(view.getUint16(entry, kind.little), readValues(view, entry, kind));
  }
  return tags;
}

function readValues(view: DataView, entry: number, kind: Kind): number[] {
  const type = view.getUint16(entry + 2, kind.little);
  const size = TYPE_BYTES[type] ?? 0;
  const count = offset(view, entry + 4, kind);
  const valueAt = entry + (kind.big ? 12 : 8);
  const from = size * count <= (kind.big ? 8 : 4) ? valueAt : offset(view, valueAt, kind);
  // A tag that lies past the end may not be needed.
  const within = Math.min(count, MOST_VALUES, Math.floor(Math.max(0, view.byteLength - from) / (size || 1)));
  const read = readerOf(view, type, kind.little);
  return read ? Array.from({ length: within }, (_, index) => read(from + index * size)) : [];
}

function readerOf(view: DataView, type: number, little: boolean): ((at: number) => number) | null {
  if (type === 1 || type === 7) return (at) => view.getUint8(at);
  if (type === 3) return (at) => view.getUint16(at, little);
  if (type === 4 || type === 13) return (at) => view.getUint32(at, little);
  if (type === 16 || type === 18) return (at) => Number(view.getBigUint64(at, little));
  return null;
}
