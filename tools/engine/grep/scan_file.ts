import { Buffer, isUtf8 } from "node:buffer";

import { countUtf8Characters, formatClipped, isInsideCharacter } from "./clip_line.ts";
import { isWideText } from "../file/encoding/detect.ts";
import { readOwn } from "../file/own_source.ts";
import type { ByteSource } from "../file/read_lines.ts";
import { HEAD_BYTES } from "../file/sniff.ts";
import { type FileKind, kindOfBytes, kindOfName } from "./file_kind.ts";
import {
  type Budget,
  countTo,
  createLineSearch,
  endOfLine,
  hasBudget,
  type LineSearch,
  OVERLAP_CHARS,
  type Progress,
} from "./line_search.ts";
import type { SearchPattern } from "../pattern/pattern.ts";
import { fill } from "../file/read_start.ts";
import { createScanMemory, type ScanMemory } from "./scan_memory.ts";

/** One matching line, clipped to what is shown. */
export interface LineMatch {
  /** 1-based; lines end at LF. */
  line: number;
  text: string;
}

/** The result of searching one file. */
export interface FileScan {
  /** Only `text` was searched. */
  kind: FileKind | "unreadable";
  matches: LineMatch[];
  /** True if a line was so long that the regular expression saw it in overlapping pieces. */
  pieces: boolean;
  /** How bytes that are not UTF-8 were read: as this encoding, or `null` if it is not sure. */
  encoding?: string | null;
}

/** Searches files one after the other through one buffer. */
export interface FileScanner {
  /** Searches a file by its real path; takes what it finds from the budget. Needs `read`. */
  scan(path: string, budget: Budget): FileScan;
}

/** How much of a file is held at once, in bytes. */
export const WINDOW_BYTES = 8 * 1024 * 1024;

/**
 * How often an opened file with matches is compared with its path: a program that swaps links would have to
 * win each time.
 */
const RECHECKS = 3;

interface Scanning {
  pattern: SearchPattern;
  memory: ScanMemory;
  window: Uint8Array;
  search: LineSearch;
}

/** Makes a scanner; it holds 8 MiB for as long as it lives. */
export function createFileScanner(pattern: SearchPattern): FileScanner {
  const memory = createScanMemory(WINDOW_BYTES);
  const window = memory.bytes.subarray(0, WINDOW_BYTES);
  const scanning: Scanning = { pattern, memory, window, search: createLineSearch(pattern, memory) };
  return { scan: (path, budget) => scanFile(path, budget, scanning) };
}

function scanFile(path: string, budget: Budget, scanning: Scanning): FileScan {
  const kind = kindOfName(path);
  if (kind !== "text") return skipped(kind);
  // Searches open tens of thousands of files: for each, Deno's objects cost two thirds of Node's functions.
  let file: Deno.FsFile | null = null;
  try {
    file = Deno.openSync(path);
    const opened = file.statSync();
    // Whatever it holds: neither a count nor the time of a search may tell of a file that nobody may read.
    if (!isStillNamed(opened, path, 1)) return skipped("unreadable");
    const before = { ...budget };
    const scan = scanOpened({ file, size: opened.size }, budget, scanning);
    if (scan.matches.length === 0 || isStillNamed(opened, path, RECHECKS)) return scan;
    Object.assign(budget, before);
    return skipped("text");
  } catch (error) {
    if (isSystemError(error)) return skipped("unreadable");
    throw error;
  } finally {
    file?.close();
  }
}

/** Says whether the system or a wall of the room refused, and not a bug here threw. */
function isSystemError(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable || error instanceof Error && "code" in error;
}

function skipped(kind: FileKind | "unreadable"): FileScan {
  return { kind, matches: [], pieces: false };
}

function scanOpened(
  opened: { file: Deno.FsFile; size: number },
  budget: Budget,
  scanning: Scanning,
): FileScan {
  const { memory, window, pattern } = scanning;
  const { file, size } = opened;
  // A read that only finds the end is spared. Files of the kernel have no size.
  const held = fill(file, window, 0, size > 0 ? Math.min(size, WINDOW_BYTES) : WINDOW_BYTES);
  const kind = kindOfBytes(memory, held);
  const isWide = kind === "binary" && isWideText(window.subarray(0, Math.min(held, HEAD_BYTES)));
  if (kind !== "text" && !isWide) return skipped(kind);
  if (!isWide && isUtf8(wholeLines(window, held))) return scanLines(file, held, budget, scanning);
  // Where a text of ASCII is missing that each match has, no encoding makes a match.
  if (!isWide && held < WINDOW_BYTES && isMissing(pattern, window.subarray(0, held))) return skipped("text");
  const own = readOwn(file, size);
  if (own === null && isWide) return skipped("binary");
  const source = own?.source ?? file;
  const scan = scanLines(source, fill(source, window, 0), budget, scanning);
  return { ...scan, encoding: own?.encoding ?? null };
}

/** The bytes up to the last line end, if there may be more. */
function wholeLines(window: Uint8Array, held: number): Uint8Array {
  return window.subarray(0, held < WINDOW_BYTES ? held : window.lastIndexOf(10) + 1);
}

function isMissing({ literals }: SearchPattern, held: Uint8Array): boolean {
  if (literals.length === 0 || literals.some(({ bytes }) => bytes.some((byte) => byte >= 0x80))) return false;
  const text = Buffer.from(held.buffer, held.byteOffset, held.byteLength).toString("latin1");
  return literals.every(({ bytes, fold }) =>
    !(fold ? text.toLowerCase() : text).includes(String.fromCharCode(...bytes))
  );
}

function scanLines(
  file: Pick<ByteSource, "readSync">,
  first: number,
  budget: Budget,
  { memory, window, search, pattern }: Scanning,
): FileScan {
  const { bytes } = memory;
  let held = first;
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf && held >= 3;
  let from = isMarked ? 3 : 0;
  const progress: Progress = { budget, found: [], line: 1, counted: from, openChars: 0, pieces: false };
  while (held === WINDOW_BYTES && hasBudget(progress)) {
    const end = window.lastIndexOf(10) + 1;
    if (end > from) {
      search(bytes, from, end, progress);
      countTo(bytes, end, progress);
      window.copyWithin(0, end);
      held = fill(file, window, WINDOW_BYTES - end);
    } else {
      held = passLongLine(file, from, progress, { pattern, memory, window, search });
    }
    from = 0;
    progress.counted = 0;
  }
  search(bytes, from, held, progress);
  const matches = progress.found.map((found) => ({ line: found.line, text: formatClipped(found) }));
  return { kind: "text", matches, pieces: progress.pieces };
}

/**
 * Continues in a line that fills the window: after its end if it has matched, else with an overlap. Returns
 * what is held.
 */
function passLongLine(
  file: Pick<ByteSource, "readSync">,
  from: number,
  progress: Progress,
  scanning: Scanning,
): number {
  const { memory: { bytes }, window, search } = scanning;
  const before = progress.found.length;
  search(bytes, from, WINDOW_BYTES, progress);
  if (progress.found.length > before) {
    return hasBudget(progress) ? skipRestOfLine(file, progress, window) : WINDOW_BYTES;
  }
  let cut = WINDOW_BYTES - OVERLAP_CHARS;
  while (isInsideCharacter(bytes[cut]!)) cut--;
  progress.openChars += countUtf8Characters(bytes, from, cut);
  window.copyWithin(0, cut);
  return fill(file, window, WINDOW_BYTES - cut);
}

function skipRestOfLine(file: Pick<ByteSource, "readSync">, progress: Progress, window: Uint8Array): number {
  const found = progress.found.at(-1)!;
  while (true) {
    const held = fill(file, window, 0);
    const stop = endOfLine(window, 0, held);
    const isCarriage = stop < held && window[stop - 1] === 13;
    found.after += countUtf8Characters(window, 0, isCarriage ? stop - 1 : stop);
    if (stop < held) {
      progress.line++;
      progress.openChars = 0;
      window.copyWithin(0, stop + 1, held);
      return fill(file, window, held - stop - 1);
    }
    if (held < WINDOW_BYTES) return 0;
  }
}

/** A link swapped in between the walk and the opening shows as another inode, or as another real path. */
function isStillNamed(opened: Deno.FileInfo, path: string, times: number): boolean {
  for (let turn = 0; turn < times; turn++) {
    const named = Deno.lstatSync(path);
    if (Deno.realPathSync(path) !== path || named.ino !== opened.ino || named.dev !== opened.dev) {
      return false;
    }
  }
  return opened.isFile;
}
