import { ToolError } from "../../../schemas/error.ts";

/** Most bytes that are inflated at once: a thousandfold of them comes out at worst. */
const DEFLATE_STEP = 1024;
/** The same for zstd, which grows more. */
const ZSTD_STEP = 128;
/** Largest memory of a zstd stream that decoders of the web must have, in bytes. */
const ZSTD_WINDOW = 8 * 1024 * 1024;

/** Pieces of a body, in their order. */
export type Pieces = AsyncIterable<Uint8Array>;

/**
 * Decodes what the runtime's client leaves as it is: deflate and zstd, which some servers send although nobody asks for
 * it. Gives pieces of a bounded size, whatever comes in.
 *
 * @param coding The answer's `content-encoding`
 * @throws {ToolError} `external_failure` for a coding that is not known, and for bytes that are not of it
 */
export function decodeBody(pieces: Pieces, coding: string): Pieces {
  const written = coding.trim();
  const name = written.toLowerCase();
  // The client has decoded these, and some versions of it keep the header.
  if (name === "identity" || ["", "gzip", "br"].includes(written)) return pieces;
  // Not every version of it knows other spellings.
  if (name === "gzip" || name === "x-gzip") return checked(inflateIfPacked(pieces), name);
  if (name === "deflate") return checked(inflateEither(pieces), name);
  if (name === "zstd") return checked(unpackZstd(pieces), name);
  throw new ToolError(
    "external_failure",
    `The answer is packed in a way that is not known: ${JSON.stringify(name)}`,
    {
      retryable: false,
      details: { content_encoding: name },
    },
  );
}

async function* checked(pieces: Pieces, name: string): Pieces {
  try {
    yield* pieces;
  } catch (cause) {
    if (cause instanceof ToolError || cause instanceof DOMException) {
      throw cause;
    }
    throw new ToolError(
      "external_failure",
      `The answer says that it is packed as ${name}, but it cannot be unpacked`,
      {
        retryable: false,
        cause,
      },
    );
  }
}

/** Servers mean two forms by `deflate`: with a head, as the standard says, and without. */
async function* inflateEither(pieces: Pieces): Pieces {
  const source = pieces[Symbol.asyncIterator]();
  const first = await atLeast(2, source);
  const hasHead = (first[0]! & 15) === 8 && ((first[0]! << 8) | first[1]!) % 31 === 0;
  yield* inflateFrom(first, source, hasHead ? "deflate" : "deflate-raw");
}

async function* inflateIfPacked(pieces: Pieces): Pieces {
  const source = pieces[Symbol.asyncIterator]();
  const first = await atLeast(2, source);
  const isPacked = first[0] === 0x1f && first[1] === 0x8b;
  if (isPacked) yield* inflateFrom(first, source, "gzip");
  else yield* stepsOf(first, source, Infinity);
}

async function* inflateFrom(
  first: Uint8Array,
  source: AsyncIterator<Uint8Array>,
  format: CompressionFormat,
): Pieces {
  const { readable, writable } = new DecompressionStream(format);
  const writer = writable.getWriter();
  const feed = async () => {
    for await (const step of stepsOf(first, source, DEFLATE_STEP)) await writer.write(step);
    await writer.close();
  };
  // The reader hears of it too.
  feed().catch((error) => writer.abort(error)).catch(() => {});
  yield* readable;
}

async function* unpackZstd(pieces: Pieces): Pieces {
  const { Decompress } = await import("fzstd");
  const source = pieces[Symbol.asyncIterator]();
  const first = await atLeast(18, source);
  if (windowOf(first) > ZSTD_WINDOW) {
    await source.return?.();
    throw new RangeError("it wants too much memory");
  }
  const ready: Uint8Array[] = [];
  const stream = new Decompress((piece) => void ready.push(piece));
  for await (const step of stepsOf(first, source, ZSTD_STEP)) {
    stream.push(step);
    yield* ready.splice(0);
  }
  stream.push(new Uint8Array(), true);
  yield* ready.splice(0);
}

/** How much of the past a zstd frame may refer to, in bytes (RFC 8878, section 3.1.1.1). */
function windowOf(frame: Uint8Array): number {
  const [flags = 0, descriptor = 0] = frame.subarray(4);
  const isOnePiece = (flags & 32) !== 0;
  if (!isOnePiece) return (1 << (10 + (descriptor >> 3))) * (1 + (descriptor & 7) / 8);
  const dictionary = [0, 1, 2, 4][flags & 3]!;
  const size = [1, 2, 4, 8][flags >> 6]!;
  const digits = frame.subarray(5 + dictionary, 5 + dictionary + size);
  return digits.reduce((sum, byte, at) => sum + byte * 256 ** at, size === 2 ? 256 : 0);
}

/** Reads until so many bytes are there, or the source ends. */
async function atLeast(count: number, source: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let bytes = new Uint8Array();
  while (bytes.length < count) {
    const { done, value } = await source.next();
    if (done) break;
    const joined = new Uint8Array(bytes.length + value.length);
    joined.set(bytes);
    joined.set(value, bytes.length);
    bytes = joined;
  }
  return bytes;
}

async function* stepsOf(
  first: Uint8Array,
  source: AsyncIterator<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    for (let piece = first;;) {
      for (let at = 0; at < piece.length; at += size) yield piece.slice(at, at + size);
      const { done, value } = await source.next();
      if (done) return;
      piece = value;
    }
  } finally {
    await source.return?.();
  }
}
