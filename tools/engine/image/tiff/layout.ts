import { damagedImage, unsupportedImage } from "../pixels/error.ts";
import { Photometric, TiffCompression } from "./header.ts";
import { type TiffDirectory, tiffDirectory } from "./directory.ts";
import { UNPACKABLE } from "./unpack.ts";

/** How the pixels of a TIFF picture are stored. */
export interface TiffLayout {
  width: number;
  height: number;
  tiled: boolean;
  /** Strips are as wide as the picture. */
  chunkWidth: number;
  chunkHeight: number;
  chunks: readonly TiffChunk[];
  /** Each colour has chunks of its own. */
  planar: boolean;
  /** Numbers of a pixel: colours, then alpha and others. */
  samples: number;
  /** Bits of each of them. */
  bits: number;
  /** 1 unsigned, 2 signed, 3 floating point. */
  kind: number;
  little: boolean;
  photometric: number;
  compression: number;
  /** 2 if each number is stored as its distance from the one before, 3 the same for floating point. */
  predictor: number;
  reversed: boolean;
  faxOptions: number;
  /** Pixels that share their colour in YCbCr, across and down. */
  subsampling: readonly [number, number];
  /** Red of all entries, then green, blue; 16 bits each. */
  palette: readonly number[];
  /** Colours are multiplied with their alpha. */
  premultiplied: boolean;
  jpegTables: Uint8Array;
}

/** Where a strip or tile lies in the file. */
export interface TiffChunk {
  at: number;
  length: number;
}

/** Where the top left pixel of a strip or tile belongs in the picture, and how many rows it has. */
export interface ChunkPlace {
  x: number;
  y: number;
  rows: number;
}

const SHOWN: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5, 6, 8, 9]);

/**
 * Reads how a TIFF file's first picture is stored. Throws `RangeError` where the file ends too early.
 *
 * @throws {ToolError} `invalid_input` for kinds that cannot be drawn
 */
export function tiffLayout(bytes: Uint8Array): TiffLayout {
  const directory = tiffDirectory(bytes);
  const { little, numbers, number } = directory;
  const [width, height] = [number(256, 0), number(257, 0)];
  const tiled = numbers(322).length > 0;
  const layout = {
    width,
    height,
    tiled,
    chunkWidth: tiled ? number(322, 0) : width,
    chunkHeight: tiled ? number(323, 0) : Math.min(height, number(278, height) || height),
    chunks: [],
    planar: number(284, 1) === 2 && number(277, 1) > 1,
    samples: number(277, 1),
    bits: number(258, 1),
    kind: number(339, 1),
    little,
    photometric: number(262, 1),
    compression: number(259, 1),
    predictor: number(317, 1),
    reversed: number(266, 1) === 2,
    faxOptions: number(292, 0),
    subsampling: [numbers(530)[0] ?? 2, numbers(530)[1] ?? 2],
    palette: numbers(320),
    premultiplied: numbers(338)[0] === 1,
    jpegTables: Uint8Array.from(numbers(347)),
  } satisfies TiffLayout;
  checkKind(layout, numbers(258));
  return { ...layout, chunks: chunksOf(directory, layout, bytes.length) };
}

function checkKind(layout: TiffLayout, allBits: readonly number[]): void {
  const { compression, photometric, bits, samples, kind, chunkWidth, chunkHeight } = layout;
  const jpeg = compression === TiffCompression.JPEG;
  if (chunkWidth < 1 || chunkHeight < 1 || samples < 1 || samples > 32) {
    throw damagedImage("TIFF", "its layout makes no sense");
  }
  const sizes = kind === 3 ? [32, 64] : [1, 2, 4, 8, 12, 16, 32];
  if (jpeg ? bits !== 8 || layout.planar : !UNPACKABLE.has(compression)) {
    throw unsupportedImage(`TIFF images with compression ${compression}${jpeg ? ` and ${bits} bits` : ""}`);
  }
  if (
    !SHOWN.has(photometric) || !sizes.includes(bits) ||
    allBits.slice(0, samples).some((other) => other !== bits)
  ) {
    throw unsupportedImage(
      `TIFF images with ${bits} bits of kind ${kind} and colours of kind ${photometric}`,
    );
  }
  if (photometric === Photometric.PALETTE && (bits > 8 || layout.palette.length < 3 * 2 ** bits)) {
    throw damagedImage("TIFF", "its palette is not whole");
  }
}

function chunksOf(
  { numbers }: TiffDirectory,
  layout: Omit<TiffLayout, "chunks">,
  fileBytes: number,
): TiffChunk[] {
  const starts = numbers(layout.tiled ? 324 : 273);
  const lengths = numbers(layout.tiled ? 325 : 279);
  const wholeBytes = tiffRowBytes(layout) * layout.chunkHeight;
  const count = chunkPlaces(layout).length * (layout.planar ? layout.samples : 1);
  if (starts.length < count) throw damagedImage("TIFF", "parts of it are missing, get the whole file");
  return starts.slice(0, count).map((at, index) => {
    // Some programs write too large a number where nothing is compressed.
    const length = Math.min(
      lengths[index] ?? fileBytes - at,
      layout.compression === 1 ? wholeBytes : Infinity,
    );
    if (at + length > fileBytes) throw new RangeError("a part lies past the end");
    return { at, length };
  });
}

/** Where the strips or tiles of one colour belong in the picture; the last strip has fewer rows. */
export function chunkPlaces(
  { width, height, chunkWidth, chunkHeight, tiled }: Omit<TiffLayout, "chunks">,
): ChunkPlace[] {
  const across = Math.ceil(width / chunkWidth);
  return Array.from({ length: across * Math.ceil(height / chunkHeight) }, (_, index) => {
    const y = Math.floor(index / across) * chunkHeight;
    return {
      x: index % across * chunkWidth,
      y,
      rows: tiled ? chunkHeight : Math.min(chunkHeight, height - y),
    };
  });
}

/** Bytes of a row of a strip or tile. */
export function tiffRowBytes({ chunkWidth, planar, samples, bits }: Omit<TiffLayout, "chunks">): number {
  return Math.ceil(chunkWidth * (planar ? 1 : samples) * bits / 8);
}
