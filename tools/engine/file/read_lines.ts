import { countCharacters, offsetAfter } from "./characters.ts";

/** Bytes that are read from the start on, such as an open file. */
export interface ByteSource {
  statSync(): { size: number };
  readSync(into: Uint8Array): number | null;
  read(into: Uint8Array): Promise<number | null>;
}

/** Which lines to read. */
export interface LineRange {
  /** First line, from 1. */
  start: number;
  /** Last line, included; may be Infinity. */
  end: number;
  /** Most Unicode code points to keep, line ends between lines included; may be Infinity. */
  maxChars: number;
  /** Code points of the first line to pass over. @default 0 */
  startChar?: number;
}

/** Lines of a file, and what was left out of the range. */
export interface LinesRead {
  /** Lines without their ends, invalid UTF-8 replaced with U+FFFD. */
  lines: string[];
  /** Lines of the whole file; a last line without a line end counts. */
  totalLines: number;
  /** First line of the range that is not wholly in `lines`; `null` if all are. */
  nextStart: number | null;
  /** Code points cut from the end of the only line because it alone is longer than `maxChars`. */
  clippedChars: number;
  /** Some of `lines` hold bytes that are not UTF-8. */
  invalid: boolean;
  /** The file ends with a line end, or is empty. */
  endsClosed: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
/** Size of the buffer for the smallest files: also those that say that they are empty, and are not. */
const LEAST_BYTES = 8 * 1024;
const MAX_UTF8_BYTES = 4;
const LF = 10;
const CR = 13;

/**
 * Reads a range of lines from an open file, from its current position, which must be the start. Lines end at LF
 * alone; a CR before it is dropped, and so is a BOM at the start of the file. Holds the range in memory, never the file.
 */
export async function readLines(
  file: ByteSource,
  range: LineRange,
  options: { signal?: AbortSignal } = {},
): Promise<LinesRead> {
  // One byte more than there should be, so that the end shows. A large buffer costs more than a small file.
  const { size: expected } = file.statSync();
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(LEAST_BYTES, expected + 1)));
  const kept = emptyCollection(range);
  let line = 1;
  let lastByte = LF;
  for (let done = 0;;) {
    options.signal?.throwIfAborted();
    // Of a short file the answer of another thread would cost more than the file. In a long one, the room must hear
    // meanwhile that it is to stop.
    const size = done < CHUNK_BYTES ? file.readSync(buffer) : await file.read(buffer);
    if (size === null) break;
    done += size;
    const chunk = buffer.subarray(0, size);
    line = scanChunk(chunk, line, kept);
    lastByte = chunk[size - 1] ?? lastByte;
  }
  if (lastByte !== LF && isWanted(line, kept)) endLine(kept, line, false);
  const totalLines = lastByte === LF ? line - 1 : line;
  const more = kept.nextStart !== null && kept.nextStart <= Math.min(range.end, totalLines);
  return {
    lines: kept.lines,
    totalLines,
    nextStart: more ? kept.nextStart : null,
    clippedChars: kept.clippedChars,
    invalid: kept.invalid,
    endsClosed: lastByte === LF,
  };
}

interface Collection {
  range: LineRange;
  lines: string[];
  chars: number;
  nextStart: number | null;
  clippedChars: number;
  invalid: boolean;
  /** The line being read: the bytes kept of it, and the characters that are past all use. */
  pieces: Uint8Array<ArrayBuffer>[];
  pieceBytes: number;
  /** Characters at its start that are still to be passed over. */
  skipChars: number;
  droppedChars: number;
  lastByte: number;
}

function emptyCollection(range: LineRange): Collection {
  const { startChar: skipChars = 0 } = range;
  const line = { pieces: [], pieceBytes: 0, skipChars, droppedChars: 0, lastByte: LF };
  return { range, lines: [], chars: 0, nextStart: null, clippedChars: 0, invalid: false, ...line };
}

/** Takes the wanted lines of a chunk; returns the number of the line that continues after it. */
function scanChunk(chunk: Uint8Array<ArrayBuffer>, first: number, kept: Collection): number {
  let line = first;
  if (line < kept.range.start) {
    const after = line + countLineFeeds(chunk);
    if (after < kept.range.start) return after;
  }
  for (let at = 0; at < chunk.length;) {
    if (isDone(line, kept)) return line + countLineFeeds(chunk.subarray(at));
    const found = chunk.indexOf(LF, at);
    const end = found < 0 ? chunk.length : found;
    if (isWanted(line, kept)) {
      addBytes(kept, chunk.subarray(at, end));
      if (found >= 0) endLine(kept, line, true);
    }
    if (found >= 0) line++;
    at = end + 1;
  }
  return line;
}

function countLineFeeds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF) count++;
  }
  return count;
}

function isDone(line: number, { range, nextStart }: Collection): boolean {
  return line > range.end || nextStart !== null;
}

function isWanted(line: number, kept: Collection): boolean {
  return line >= kept.range.start && !isDone(line, kept);
}

function addBytes(kept: Collection, line: Uint8Array<ArrayBuffer>): void {
  if (line.length === 0) return;
  const bytes = passOver(kept, line);
  // One character more than may be shown, and room for a BOM and a CR, settle whether the line is too long.
  const room = (kept.range.maxChars + 3) * MAX_UTF8_BYTES - kept.pieceBytes;
  const piece = bytes.slice(0, room);
  if (piece.length > 0) kept.pieces.push(piece);
  kept.pieceBytes += piece.length;
  kept.droppedChars += countChars(bytes.subarray(piece.length));
  kept.lastByte = line[line.length - 1] ?? LF;
}

/** Passes over the characters at the start of a line; a BOM is none. */
function passOver(kept: Collection, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { range } = kept;
  if (!range.startChar) return bytes;
  const isStart = kept.lastByte === LF && kept.skipChars === range.startChar;
  let at = isStart && range.start === 1 && startsWithBom(bytes) ? 3 : 0;
  for (; at < bytes.length; at++) {
    if ((bytes[at]! & 0xc0) === 0x80) continue;
    if (kept.skipChars === 0) break;
    kept.skipChars--;
  }
  return bytes.subarray(at);
}

/** Counts the characters that begin in UTF-8 bytes. */
function countChars(bytes: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at]! & 0xc0) !== 0x80) count++;
  }
  return count;
}

function endLine(kept: Collection, line: number, terminated: boolean): void {
  const { text, dropped } = takeLine(kept, line, terminated);
  const { maxChars } = kept.range;
  const chars = countCharacters(text) + dropped;
  const joined = kept.chars + (kept.lines.length > 0 ? 1 : 0) + chars;
  if (joined <= maxChars) {
    kept.lines.push(text);
    kept.chars = joined;
  } else if (kept.lines.length === 0) {
    kept.lines.push(text.slice(0, offsetAfter(text, maxChars)));
    kept.clippedChars = chars - maxChars;
    kept.nextStart = line;
  } else {
    kept.nextStart = line;
  }
}

/** Decodes the line that was read and makes room for the next one. */
function takeLine(kept: Collection, line: number, terminated: boolean): { text: string; dropped: number } {
  let bytes = joinPieces(kept);
  let dropped = kept.droppedChars;
  if (terminated && kept.lastByte === CR) {
    if (dropped > 0) dropped--;
    else bytes = bytes.subarray(0, Math.max(0, bytes.length - 1));
  }
  if (line === 1 && startsWithBom(bytes)) bytes = bytes.subarray(3);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (text.includes("\ufffd") && !isUtf8(bytes, dropped > 0)) kept.invalid = true;
  kept.pieces = [];
  kept.pieceBytes = 0;
  kept.droppedChars = 0;
  kept.lastByte = LF;
  return { text, dropped };
}

function joinPieces(kept: Collection): Uint8Array<ArrayBuffer> {
  const [only] = kept.pieces;
  if (only && kept.pieces.length === 1) return only;
  const bytes = new Uint8Array(kept.pieceBytes);
  let at = 0;
  for (const piece of kept.pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function startsWithBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function isUtf8(bytes: Uint8Array<ArrayBuffer>, partial: boolean): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: partial });
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
