import { countLineEnds, sliceLines } from "./lines.ts";
import { expandTabs, indexBeforeExpansion } from "./tabs.ts";

/** Most line numbers of occurrences that are named. */
const MAX_LINES = 100;
/** Most occurrences among expanded tabs that are checked. */
const MAX_CANDIDATES = 1_000;

/** Where a text was found. */
export interface Found {
  /** Occurrences that do not overlap; 2 if the only one overlaps another, because that is ambiguous as well. */
  count: number;
  /** 1-based lines in which the first 100 occurrences begin, each line once. */
  lines: number[];
  /** The first occurrence, as UTF-16 offsets into the searched text; `null` if the text does not occur. */
  first: { start: number; end: number } | null;
  /** The whole lines of the first occurrence, with `\n` as line end, if it was found only with its tabs expanded. */
  expandedFrom: string | null;
}

/** Options of {@linkcode findText}. */
export interface FindOptions {
  /** Searches again with tabs as spaces if the text does not occur as it is. @default false */
  expandTabs?: boolean;
}

/**
 * Finds a text exactly, but a `\n` in the sought text also matches CRLF. A text with `\r` is sought as it is.
 *
 * @param sought Must not be empty
 */
export function findText(text: string, sought: string, options: FindOptions = {}): Found {
  if (sought.includes("\r")) return found(scan(text, sought), (index) => index, sought.length);
  const unified = text.replaceAll("\r\n", "\n");
  const result = found(scan(unified, sought), (index) => offsetWithCarriages(text, index), sought.length);
  if (result.count > 0 || !options.expandTabs || !text.includes("\t")) return result;
  return findExpanded(text, unified, expandTabs(sought));
}

const NOTHING: Found = { count: 0, lines: [], first: null, expandedFrom: null };

interface Scan {
  count: number;
  lines: number[];
  first: number;
}

function scan(text: string, sought: string, accept = (_at: number) => true): Scan {
  const lines = new Set<number>();
  let count = 0;
  let first = -1;
  let line = 1;
  let passed = 0;
  const note = (at: number) => {
    if (count++ === 0) first = at;
    if (lines.size === MAX_LINES) return;
    line += countLineEnds(text.slice(passed, at));
    passed = at;
    lines.add(line);
  };
  for (let at = text.indexOf(sought); at >= 0;) {
    const accepted = accept(at);
    if (accepted) note(at);
    at = text.indexOf(sought, at + (accepted ? sought.length : 1));
  }
  const overlapping = count === 1 ? text.indexOf(sought, first + 1) : -1;
  if (overlapping >= 0 && accept(overlapping)) note(overlapping);
  return { count, lines: [...lines], first };
}

function found(result: Scan, toOffset: (index: number) => number, length: number): Found {
  const { count, lines, first } = result;
  const place = first < 0 ? null : { start: toOffset(first), end: toOffset(first + length) };
  return { count, lines, first: place, expandedFrom: null };
}

/** Returns the offset in a text of an index into the same text with `\n` for each CRLF. */
function offsetWithCarriages(text: string, index: number): number {
  let removed = 0;
  for (let at = text.indexOf("\r\n"); at >= 0 && at - removed < index; at = text.indexOf("\r\n", at + 2)) {
    removed++;
  }
  return index + removed;
}

/** An occurrence that begins or ends inside a tab does not count: half a tab cannot be replaced. */
function findExpanded(text: string, unified: string, sought: string): Found {
  const expanded = expandTabs(unified);
  const startOf = expansionReader(unified, expanded);
  const endOf = expansionReader(unified, expanded);
  let candidates = 0;
  const whole = (at: number) =>
    candidates++ < MAX_CANDIDATES && startOf(at) !== null && endOf(at + sought.length) !== null;
  const result = scan(expanded, sought, whole);
  const line = result.lines[0];
  // The text after the last candidate is not searched, so an earlier match may not be the only one.
  if (line === undefined || candidates > MAX_CANDIDATES) return NOTHING;
  const before = expansionReader(unified, expanded);
  const place = found(result, (index) => offsetWithCarriages(text, before(index) ?? 0), sought.length);
  return { ...place, expandedFrom: sliceLines(unified, line, line + countLineEnds(sought)) };
}

/** Returns a function from an index into the expanded text to the offset before expansion; fast for rising indexes. */
function expansionReader(unified: string, expanded: string): (at: number) => number | null {
  let line = 0;
  let expandedLine = 0;
  return (at) => {
    if (at < expandedLine) line = expandedLine = 0;
    for (let end = expanded.indexOf("\n", expandedLine); end >= 0 && end < at;) {
      expandedLine = end + 1;
      line = unified.indexOf("\n", line) + 1;
      end = expanded.indexOf("\n", expandedLine);
    }
    const end = unified.indexOf("\n", line);
    const index = indexBeforeExpansion(unified.slice(line, end < 0 ? undefined : end), at - expandedLine);
    return index === null ? null : line + index;
  };
}
