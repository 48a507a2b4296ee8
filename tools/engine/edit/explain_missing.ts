import { ToolError } from "../../../schemas/error.ts";
import { lineNumberAt } from "../file/text_file.ts";
import { findLookAlikes } from "./look_alike.ts";

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

/** Why a text was not found, for a message. */
export interface Missing {
  candidates: Candidate[];
  /** Some lines that name the closest places. */
  note: string;
}

/** A number before a line, as views and searches print them. */
const NUMBERED = /^\s*(\d+)(?:\t|: ?|\u2192| ?\| ?)/;

/**
 * Says what stands in a file in place of a text that is not there: the text in other characters that look the same, the
 * text without line numbers that were copied with it, or else the places that resemble it most.
 *
 * @param lines The lines of the file, without their ends
 * @param block Those of the text
 */
export function explainMissing(
  lines: readonly string[],
  block: readonly string[],
  options: { near?: number | null } = {},
): Missing {
  const text = lines.join("\n");
  const bare = withoutNumbers(block);
  const at = bare === null ? -1 : text.indexOf(bare.join("\n"));
  // A line may well begin with a number and a colon of its own.
  const plain = at >= 0 || block.length > 1 || /^\s*\d+[\t\u2192]/.test(block[0] ?? "") ? bare : null;
  const wanted = plain ?? block;
  const alike = at >= 0
    ? [{ line: lineNumberAt(text, at), difference: "it stands there without the numbers" }]
    : findLookAlikes(text, wanted.join("\n"));
  const candidates = alike.length > 0 ? alike : closestPlaces(lines, wanted, options);
  const first = plain === null
    ? ""
    : "It begins with line numbers, which are not in the file: leave them out.\n";
  return { candidates, note: first + describeCandidates(candidates) };
}

/** The error of an editor whose text is not in the file: its words, and the closest places if there are any. */
export function notThere(text: string, oldText: string, words: string): ToolError {
  const [lines = [], block = []] = [text, oldText].map((one) => one.replaceAll("\r\n", "\n").split("\n"));
  const { candidates, note } = explainMissing(lines, block);
  const message = candidates.length === 0 ? words : `${words}\n${note}`;
  return new ToolError("not_found", message, { details: { candidates } });
}

/** Returns lines without the numbers before all of them; `null` if they are no numbers of lines that follow each other. */
function withoutNumbers(block: readonly string[]): string[] | null {
  const numbered = block.map((line) => NUMBERED.exec(line));
  const first = Number(numbered[0]?.[1]);
  const isList = numbered.every((found, at) =>
    found === null ? at === block.length - 1 && at > 0 && block[at] === "" : Number(found[1]) === first + at
  );
  return isList ? block.map((line) => line.replace(NUMBERED, "")) : null;
}

/**
 * Finds the places that hold most characters of a block, without white space. The longest line also counts
 * where only some of its words are there.
 *
 * @param options.near Index of a line; among equal places, the nearest to it comes first
 */
function closestPlaces(
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
function describeCandidates(candidates: readonly Candidate[]): string {
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
