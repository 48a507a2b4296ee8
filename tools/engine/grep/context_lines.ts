import { clipLine, countUtf8Characters, formatClipped, MAX_LINE_CHARS } from "./clip_line.ts";
import type { ByteSource } from "../file/read_lines.ts";
import { endOfLine } from "./line_search.ts";

/** Lines of a file by number, from 1; clipped like matches. */
export type LinesByNumber = Map<number, string>;

const CHUNK_BYTES = 1024 * 1024;

/** Bytes of a line that are kept: what is shown, at four bytes a character. */
const KEPT_BYTES = 4 * MAX_LINE_CHARS;

/**
 * Reads the lines around others. Lines end at LF, a CR before it and a BOM are dropped. Holds only those
 * lines.
 *
 * @param file Open for reading, at its start
 * @param centres Line numbers, ascending
 * @param reach How many lines before and after each
 */
export async function readLinesAround(
  file: Pick<ByteSource, "read">,
  centres: readonly number[],
  { reach, signal }: { reach: number; signal: AbortSignal },
): Promise<LinesByNumber> {
  const wanted = new Set(centres.flatMap((line) => linesAround(line, reach)));
  const last = (centres.at(-1) ?? 0) + reach;
  const lines: LinesByNumber = new Map();
  const buffer = new Uint8Array(CHUNK_BYTES);
  let line = openLine(1);
  while (line.number <= last) {
    signal.throwIfAborted();
    const size = await file.read(buffer);
    if (size === null) break;
    for (let at = 0; at < size;) {
      const stop = endOfLine(buffer, at, size);
      if (wanted.has(line.number)) addBytes(line, buffer.subarray(at, stop));
      if (stop === size) break;
      if (wanted.has(line.number)) lines.set(line.number, closeLine(line));
      line = openLine(line.number + 1);
      at = stop + 1;
    }
  }
  if (line.hasBytes) lines.set(line.number, closeLine(line));
  return lines;
}

/** Returns the numbers of the lines around a line, itself included. */
export function linesAround(line: number, reach: number): number[] {
  const first = Math.max(1, line - reach);
  return Array.from({ length: line + reach - first + 1 }, (_, index) => first + index);
}

interface OpenLine {
  number: number;
  kept: Uint8Array;
  /** Characters that were not kept. */
  cut: number;
  hasBytes: boolean;
}

function openLine(number: number): OpenLine {
  return { number, kept: new Uint8Array(0), cut: 0, hasBytes: false };
}

function addBytes(line: OpenLine, bytes: Uint8Array): void {
  const room = Math.min(bytes.length, KEPT_BYTES - line.kept.length);
  const kept = new Uint8Array(line.kept.length + room);
  kept.set(line.kept);
  kept.set(bytes.subarray(0, room), line.kept.length);
  line.kept = kept;
  line.cut += countUtf8Characters(bytes, room, bytes.length);
  line.hasBytes ||= bytes.length > 0;
}

function closeLine(line: OpenLine): string {
  const decoded = new TextDecoder("utf-8", { ignoreBOM: line.number > 1 }).decode(line.kept);
  const clipped = clipLine(line.cut === 0 && decoded.endsWith("\r") ? decoded.slice(0, -1) : decoded, 0);
  return formatClipped({ ...clipped, after: clipped.after + line.cut });
}
