import { GateFailure } from "../dial/gate_failure.ts";
import { ChunkScanner } from "./chunk_scanner.ts";
import type { BodyLength } from "./http_head.ts";
import { type ByteSink, writeAll } from "../wire/streams.ts";
import type { Wire } from "../wire/wire.ts";

const LINE_END = Uint8Array.of(13, 10);
const LAST_PIECE = new TextEncoder().encode("0\r\n\r\n");

/** What carries a message over. */
export interface PassOptions {
  from: Wire;
  to: ByteSink;
  /** The lines before the body, as they are written: they go over together with what is there of it. */
  head: Uint8Array;
  /** A body that ends with its connection goes over in pieces, so that one that breaks off does not look whole. */
  inPieces?: boolean;
  /** Hears how many bytes of the body have gone over. */
  onBytes(count: number): void;
}

/**
 * Carries exactly one message over, and leaves what comes after it.
 *
 * @throws {GateFailure} `request` for a body without an end, and for pieces that cannot be read
 */
export async function passMessage(length: BodyLength, options: PassOptions): Promise<void> {
  if (length === "chunked") await passPieces(options);
  else if (length === "close") await passToEnd(options);
  else await passExactly(length, options);
}

/**
 * Reads what a body holds, whatever its form.
 *
 * @throws {GateFailure} `request` for a body without an end, and for pieces that cannot be read
 */
export async function* piecesOf(from: Wire, length: BodyLength): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  const scanner = new ChunkScanner((bytes) => held.push(bytes.slice()));
  for (let left = length === "chunked" || length === "close" ? Infinity : length; left > 0;) {
    const { taken, hasEnded } = length === "chunked"
      ? scanner.scan(from.unread)
      : { taken: Math.min(left, from.unread.length), hasEnded: false };
    if (length !== "chunked") held.push(from.unread.slice(0, taken));
    from.skip(taken);
    left -= taken;
    yield* held.splice(0);
    if (hasEnded || left === 0) return;
    if (length !== "close") await fill(from);
    else if (!await fillOrEnd(from)) return;
  }
}

async function passExactly(length: number, { from, to, head, onBytes }: PassOptions): Promise<void> {
  let before = head;
  for (let left = length;;) {
    const piece = from.unread.subarray(0, left);
    left -= piece.length;
    onBytes(piece.length);
    await writeAll(to, joined(before, piece));
    from.skip(piece.length);
    if (left === 0) return;
    before = NOTHING;
    await fill(from);
  }
}

async function passPieces({ from, to, head, onBytes }: PassOptions): Promise<void> {
  const scanner = new ChunkScanner();
  for (let before = head;; before = NOTHING) {
    const { passed, taken, hasEnded } = scanner.scan(from.unread);
    onBytes(taken);
    const piece = from.unread.subarray(0, passed);
    await writeAll(to, joined(before, piece, hasEnded ? LINE_END : NOTHING));
    from.skip(taken);
    if (hasEnded) return;
    await fill(from);
  }
}

async function passToEnd({ from, to, head, inPieces, onBytes }: PassOptions): Promise<void> {
  for (let before = head;; before = NOTHING) {
    const piece = from.unread;
    onBytes(piece.length);
    const isFramed = inPieces && piece.length > 0;
    const size = isFramed ? new TextEncoder().encode(`${piece.length.toString(16)}\r\n`) : NOTHING;
    await writeAll(to, joined(before, size, piece, isFramed ? LINE_END : NOTHING));
    from.skip(piece.length);
    if (await fillOrEnd(from)) continue;
    return inPieces ? await writeAll(to, LAST_PIECE) : undefined;
  }
}

async function fill(from: Wire): Promise<void> {
  if (!await from.fill()) throw new GateFailure("request", "the body has no end");
}

/** Many servers end TLS without a word: where nothing else tells the end, that is one. */
async function fillOrEnd(from: Wire): Promise<boolean> {
  try {
    return await from.fill();
  } catch (error) {
    if (error instanceof Deno.errors.UnexpectedEof) return false;
    throw error;
  }
}

const NOTHING = new Uint8Array();

/** One write is cheaper than two. */
function joined(...parts: Uint8Array[]): Uint8Array {
  const some = parts.filter(({ length }) => length > 0);
  if (some.length < 2) return some[0] ?? NOTHING;
  const all = new Uint8Array(some.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of some) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
