/** A place that resembles the wanted text. */
export interface Candidate {
  /** First line of the place, from 1. */
  line: number;
  /** What stands there instead. */
  difference: string;
}

const MAX_CANDIDATES = 3;
const MAX_SHOWN_CHARS = 120;
const LEAST_LIKENESS = 0.4;
const LEAST_SHARE = 0.1;

/**
 * Finds the places that hold most characters of a block, without white space. The longest line also counts
 * where only some of its words are there.
 *
 * @param options.near Index of a line; among equal places, the nearest to it comes first
 */
export function closestPlaces(
  lines: readonly string[],
  block: readonly string[],
  options: { near?: number | null } = {},
): Candidate[] {
  const { near } = options;
  const distance = (start: number) => typeof near === "number" ? Math.abs(start - near) : start;
  const scores = new Map<number, number>();
  addEqualLines(scores, lines, block);
  addLongestLine(scores, lines, block);
  const least = LEAST_SHARE * block.reduce((sum, line) => sum + normalize(line).length, 0);
  return [...scores]
    .filter(([, score]) => score >= least)
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || distance(a) - distance(b))
    .slice(0, MAX_CANDIDATES)
    .map(([start]) => ({ line: start + 1, difference: describeDifference(lines, block, start) }));
}

/** Returns the candidates as text for a message, a line each. */
export function describeCandidates(candidates: readonly Candidate[]): string {
  if (candidates.length === 0) return "Nothing in the file resembles it: read the file again.";
  const list = candidates.map(({ line, difference }) => `  line ${line}: ${difference}`);
  return ["Closest places:", ...list].join("\n");
}

function normalize(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

/** By the index at which the block would begin. */
type Scores = Map<number, number>;

function addScore(scores: Scores, start: number, score: number): void {
  if (start >= 0) scores.set(start, (scores.get(start) ?? 0) + score);
}

function addEqualLines(scores: Scores, lines: readonly string[], block: readonly string[]): void {
  const offsets = new Map<string, number[]>();
  for (const [offset, line] of block.entries()) {
    const text = normalize(line);
    if (text !== "") offsets.set(text, [...offsets.get(text) ?? [], offset].slice(0, MAX_CANDIDATES));
  }
  for (const [at, line] of lines.entries()) {
    const text = normalize(line);
    for (const offset of offsets.get(text) ?? []) addScore(scores, at - offset, text.length);
  }
}

function addLongestLine(scores: Scores, lines: readonly string[], block: readonly string[]): void {
  const longest = block.reduce((best, line) => line.length > best.length ? line : best, "");
  const offset = block.indexOf(longest);
  const wanted = wordsOf(longest);
  if (wanted.size === 0) return;
  for (const [at, line] of lines.entries()) {
    const score = likeness(wanted, wordsOf(line.slice(0, 4 * longest.length)));
    if (score >= LEAST_LIKENESS) addScore(scores, at - offset, score * normalize(longest).length);
  }
}

function wordsOf(line: string): Set<string> {
  return new Set(line.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
}

/** Share of common words, 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) {
    if (b.has(word)) common++;
  }
  return 2 * common / (a.size + b.size || 1);
}

function describeDifference(lines: readonly string[], block: readonly string[], start: number): string {
  const offset = block.findIndex((line, at) => lines[start + at] !== line);
  const wanted = block[offset] ?? "";
  const actual = lines[start + offset];
  const line = start + offset + 1;
  if (actual === undefined) return `the file ends before line ${line}`;
  const what = normalize(actual) === normalize(wanted) ? "differs in white space" : "differs";
  return `line ${line} ${what}, the file has ${quote(actual)}, not ${quote(wanted)}`;
}

function quote(text: string): string {
  const chars = [...text.slice(0, 2 * MAX_SHOWN_CHARS)];
  return JSON.stringify(
    chars.length > MAX_SHOWN_CHARS ? chars.slice(0, MAX_SHOWN_CHARS).join("") + "…" : text,
  );
}
