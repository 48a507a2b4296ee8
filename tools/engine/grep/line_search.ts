import { countCharacters } from "../file/characters.ts";
import { clipLine, type ClippedLine, MAX_LINE_CHARS } from "./clip_line.ts";
import { compileFinder, type LiteralFinder } from "./literal_finder.ts";
import type { SearchPattern } from "../pattern/pattern.ts";
import type { ScanMemory } from "./scan_memory.ts";

/** A line that matched; `before` and `after` still grow while a line longer than the window is read. */
export interface FoundLine extends ClippedLine {
  line: number;
}

/** How much more may be found: a search stops when either is used up. */
export interface Budget {
  lines: number;
  /** Characters of shown lines; may fall below zero. */
  chars: number;
}

/** Where the search of one file stands. */
export interface Progress {
  budget: Budget;
  found: FoundLine[];
  /** Number of the line in which the byte `counted` of the window lies. */
  line: number;
  counted: number;
  /** Characters of the window's first line that stand before the window. */
  openChars: number;
  /** True once a line was too long for the regular expression to see it as a whole. */
  pieces: boolean;
}

/** Searches the whole lines of a window, bytes `from` to `end`, and adds what it finds to the progress. */
export type LineSearch = (bytes: Uint8Array, from: number, end: number, progress: Progress) => void;

/** Longest piece of a line that a regular expression gets, in UTF-16 units. */
export const PIECE_CHARS = 1024 * 1024;
/** How far pieces of a line overlap, in UTF-16 units. */
export const OVERLAP_CHARS = 64 * 1024;

/**
 * If one line in this many bytes holds the literal but does not match, decoding all lines at once is cheaper.
 */
const DENSE_BYTES = 256;
const DENSE_LINES = 64;

/** Compiles a pattern into the search of a window, which must be that of the memory. */
export function createLineSearch(
  { literals, regex, wide }: SearchPattern,
  memory: ScanMemory,
): LineSearch {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const decode = (bytes: Uint8Array, from: number, end: number) => decoder.decode(bytes.subarray(from, end));
  const finders = literals.map((literal) => compileFinder(literal, memory));
  const [find] = finders;
  if (!regex) return find ? (...args) => searchLiteral(find, decode, args) : () => {};
  const matcher: Matcher = { regex, wide };
  const searchAll: LineSearch = (...args) => searchDecoded(matcher, decode, args);
  if (!find) return searchAll;
  if (finders.length > 1) return (...args) => searchFromFirst(finders, searchAll, args);
  return (...args) => searchCandidates({ find, matcher, decode, searchAll }, args);
}

type Decode = (bytes: Uint8Array, from: number, end: number) => string;

function searchLiteral(find: LiteralFinder, decode: Decode, args: Parameters<LineSearch>): void {
  const [bytes, from, end, progress] = args;
  for (let at = from; at < end && hasBudget(progress);) {
    const hit = find(at, end);
    if (hit < 0) return;
    const start = startOfLine(bytes, at, hit);
    const stop = endOfLine(bytes, hit, end);
    const text = decode(bytes, start, endOfText(bytes, start, stop));
    countTo(bytes, start, progress);
    addLine(text, text.length > MAX_LINE_CHARS ? decode(bytes, start, hit).length : 0, progress);
    at = stop + 1;
  }
}

/** What decides about a line. */
interface Matcher {
  regex: RegExp;
  wide: SearchPattern["wide"];
}

interface CandidateSearch {
  find: LiteralFinder;
  matcher: Matcher;
  decode: Decode;
  searchAll: LineSearch;
}

/** Only lines that hold the literal are decoded and given to the regular expression. */
function searchCandidates(search: CandidateSearch, args: Parameters<LineSearch>): void {
  const [bytes, from, end, progress] = args;
  let misses = 0;
  for (let at = from; at < end && hasBudget(progress);) {
    const hit = search.find(at, end);
    if (hit < 0) return;
    const start = startOfLine(bytes, at, hit);
    if (misses > DENSE_LINES && misses * DENSE_BYTES > start - from) {
      return search.searchAll(bytes, start, end, progress);
    }
    const stop = endOfLine(bytes, hit, end);
    const text = search.decode(bytes, start, endOfText(bytes, start, stop));
    const matchAt = matchLine(search.matcher, text, progress);
    if (matchAt < 0) misses++;
    else {
      countTo(bytes, start, progress);
      addLine(text, matchAt, progress);
    }
    at = stop + 1;
  }
}

/** Skips the lines before the first of several literals. */
function searchFromFirst(
  finders: readonly LiteralFinder[],
  searchAll: LineSearch,
  args: Parameters<LineSearch>,
): void {
  const [bytes, from, end, progress] = args;
  let first = end;
  for (const find of finders) {
    const hit = find(from, first);
    if (hit >= 0) first = hit;
  }
  if (first < end) searchAll(bytes, startOfLine(bytes, from, first), end, progress);
}

function searchDecoded(matcher: Matcher, decode: Decode, args: Parameters<LineSearch>): void {
  const [bytes, from, end, progress] = args;
  countTo(bytes, from, progress);
  const text = decode(bytes, from, end);
  const lines = matcher.wide && mayNeedWide(text, end - from, matcher.wide)
    ? matcher
    : { regex: matcher.regex, wide: null };
  for (let at = 0; at < text.length && hasBudget(progress);) {
    const feed = text.indexOf("\n", at);
    const stop = feed < 0 ? text.length : feed;
    const line = text.slice(at, stop > at && text.charCodeAt(stop - 1) === CARRIAGE_RETURN ? stop - 1 : stop);
    const matchAt = matchLine(lines, line, progress);
    if (matchAt >= 0) addLine(line, matchAt, progress);
    if (feed >= 0) progress.line++;
    progress.openChars = 0;
    at = stop + 1;
  }
  progress.counted = end;
}

/** Says whether the search goes on. */
export function hasBudget({ budget }: Progress): boolean {
  return budget.lines > 0 && budget.chars >= 0;
}

/**
 * Says quickly whether a line of the text may need the wide regular expression. As many units as bytes are
 * ASCII, or U+FFFD for broken bytes, which both take alike.
 */
function mayNeedWide(text: string, bytes: number, { when }: NonNullable<SearchPattern["wide"]>): boolean {
  if (text.length !== bytes) return true;
  for (const sign of ASCII_LIMITS) {
    if (when.test(sign) && text.includes(sign)) return true;
  }
  return false;
}

/** Characters of ASCII that Python and JavaScript take otherwise somewhere. */
const ASCII_LIMITS = ["\r", "\x1c", "\x1d", "\x1e", "\x1f"];

/** Returns the index of the first match, or -1. */
function matchLine(matcher: Matcher, line: string, progress: Progress): number {
  const regex = matcher.wide?.when.test(line) ? matcher.wide.regex : matcher.regex;
  if (line.length <= PIECE_CHARS) return regex.exec(line)?.index ?? -1;
  progress.pieces = true;
  for (let at = 0; at < line.length; at += PIECE_CHARS - OVERLAP_CHARS) {
    const match = regex.exec(line.slice(at, at + PIECE_CHARS));
    if (match) return at + match.index;
  }
  return -1;
}

function addLine(text: string, matchAt: number, progress: Progress): void {
  const clipped = clipLine(text, matchAt);
  progress.found.push({ ...clipped, line: progress.line, before: clipped.before + progress.openChars });
  progress.budget.lines--;
  progress.budget.chars -= countCharacters(clipped.shown) + 1;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

function startOfLine(bytes: Uint8Array, floor: number, at: number): number {
  let start = at;
  while (start > floor && bytes[start - 1] !== LINE_FEED) start--;
  return start;
}

/** Returns the index of the next line feed, or `end`. */
export function endOfLine(bytes: Uint8Array, at: number, end: number): number {
  let stop = at;
  while (stop < end && bytes[stop] !== LINE_FEED) stop++;
  return stop;
}

function endOfText(bytes: Uint8Array, start: number, stop: number): number {
  return stop > start && bytes[stop - 1] === CARRIAGE_RETURN ? stop - 1 : stop;
}

/** Moves the line number on to the line in which the byte `to` lies. */
export function countTo(bytes: Uint8Array, to: number, progress: Progress): void {
  let feeds = 0;
  for (let at = progress.counted; at < to; at++) {
    if (bytes[at] === LINE_FEED) feeds++;
  }
  if (feeds > 0) progress.openChars = 0;
  progress.line += feeds;
  progress.counted = Math.max(progress.counted, to);
}
