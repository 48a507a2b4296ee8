import { ToolError } from "../../../schemas/error.ts";
import type { Hunk, PatchLine } from "./patch.ts";
import { explainMissing } from "./explain_missing.ts";

/** Where a hunk goes. */
export interface Place {
  hunk: Hunk;
  /** Index of its first old line, or of the line before which it inserts. */
  start: number;
  /** The lines of the hunk that count, without loose empty ones. */
  lines: readonly PatchLine[];
  /** How many places fit, if the header's line number chose the nearest of them without naming it exactly. */
  nearestOf: number | null;
}

/** A hunk with all places that fit. */
interface Options {
  hunk: Hunk;
  lines: readonly PatchLine[];
  old: readonly string[];
  starts: readonly number[];
  nearestOf: number | null;
}

/** A stated line number decides if the second nearest place is this many times as far from it as the nearest. */
const CLEAR_MARGIN = 4;
const MAX_LISTED = 10;

/**
 * Finds the one place of every hunk: where its old lines stand exactly. Among equal places the header's line number
 * decides, then the order of the hunks.
 *
 * @throws {ToolError} `conflict` if a hunk fits nowhere or in several places, or two hunks change the same lines
 */
export function findPlaces(lines: readonly string[], hunks: readonly Hunk[]): Place[] {
  const index = indexLines(lines);
  const found = hunks.map((hunk) => decideByNumber(findStarts(lines, index, hunk)));
  const places = decideByOrder(found).map((options) => onlyPlace(options));
  refuseOverlaps(places);
  return places;
}

type LineIndex = ReadonlyMap<string, readonly number[]>;

function indexLines(lines: readonly string[]): LineIndex {
  const index = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = index.get(line);
    if (known) known.push(at);
    else index.set(line, [at]);
  }
  return index;
}

function findStarts(lines: readonly string[], index: LineIndex, hunk: Hunk): Options {
  for (const body of [hunk.lines, hunk.lines.slice(0, hunk.lines.length - hunk.looseBlanks)]) {
    const old = oldLines(body);
    const starts = old.length === 0 ? [insertionPoint(lines, hunk)] : matchBlock(lines, index, old);
    if (starts.length > 0) return { hunk, lines: body, old, starts, nearestOf: null };
  }
  throw notFound(lines, index, hunk);
}

function oldLines(body: readonly PatchLine[]): string[] {
  return body.filter((line) => line.kind !== "add").map((line) => line.text);
}

function newLines(body: readonly PatchLine[]): string[] {
  return body.filter((line) => line.kind !== "delete").map((line) => line.text);
}

/** Looks only where the rarest line of the block stands. */
function matchBlock(lines: readonly string[], index: LineIndex, block: readonly string[]): number[] {
  const standing = block.map((line) => index.get(line) ?? []);
  const counts = standing.map((positions) => positions.length);
  const rarest = counts.indexOf(counts.reduce((least, count) => Math.min(least, count), Infinity));
  return (standing[rarest] ?? [])
    .map((at) => at - rarest)
    .filter((start) => start >= 0 && block.every((line, offset) => lines[start + offset] === line));
}

/** Without old lines only the header says where: after line N for `-N,0`, else before it. */
function insertionPoint(lines: readonly string[], hunk: Hunk): number {
  if (hunk.oldStart === null) {
    if (lines.length === 0) return 0;
    const reason =
      `hunk #${hunk.number} only adds lines and does not say where: add a context line, or a header with ` +
      `the line number such as @@ -${lines.length},0 +${
        lines.length + 1
      },${hunk.lines.length} @@ for the end`;
    throw new ToolError("conflict", reason, { details: { hunk: hunk.number } });
  }
  const at = hunk.oldCount === 0 ? hunk.oldStart : Math.max(0, hunk.oldStart - 1);
  if (at > lines.length) {
    const reason =
      `hunk #${hunk.number} adds lines at line ${hunk.oldStart}, but the file has ${lines.length} lines`;
    throw new ToolError("conflict", reason, { details: { hunk: hunk.number, total_lines: lines.length } });
  }
  return at;
}

function notFound(lines: readonly string[], index: LineIndex, hunk: Hunk): ToolError {
  const old = oldLines(hunk.lines);
  const near = hunk.oldStart === null ? null : hunk.oldStart - 1;
  const { candidates, note } = explainMissing(lines, old, { near });
  const adds = hunk.lines.some((line) => line.kind === "add" && line.text.trim() !== "");
  const done = adds ? matchBlock(lines, index, newLines(hunk.lines)).map((start) => start + 1) : [];
  const notes = [note];
  if (done[0] !== undefined) notes.unshift(`The result of this hunk stands already at line ${done[0]}.`);
  const reason = `hunk #${hunk.number} context not found:\n${old.join("\n")}\n${notes.join("\n")}`;
  const details = { hunk: hunk.number, candidates, already_applied_at: done.slice(0, MAX_LISTED) };
  return new ToolError("conflict", reason, { details });
}

function decideByNumber(options: Options): Options {
  const { hunk, starts } = options;
  if (starts.length < 2 || hunk.oldStart === null) return options;
  const stated = hunk.oldStart - 1;
  const distance = (start: number) => Math.abs(start - stated);
  const [nearest, second] = [...starts].sort((a, b) => distance(a) - distance(b));
  if (nearest === undefined || second === undefined) return options;
  if (distance(nearest) === 0) return { ...options, starts: [nearest] };
  const clear = distance(second) >= distance(nearest) * CLEAR_MARGIN;
  return clear ? { ...options, starts: [nearest], nearestOf: starts.length } : options;
}

/**
 * Hunks stand in the order of the file: if this order leaves one place for each hunk, it takes these places.
 */
function decideByOrder(all: readonly Options[]): readonly Options[] {
  if (all.every(({ starts }) => starts.length === 1)) return all;
  const first = firstFits(all);
  const last = lastFits(all);
  if (!first || !last) return all;
  return all.map((options, at) => first[at] === last[at] ? { ...options, starts: [first[at]!] } : options);
}

function firstFits(all: readonly Options[]): number[] | null {
  const chosen: number[] = [];
  let from = 0;
  for (const { starts, old } of all) {
    const start = starts.find((at) => at >= from);
    if (start === undefined) return null;
    chosen.push(start);
    from = start + old.length;
  }
  return chosen;
}

function lastFits(all: readonly Options[]): number[] | null {
  const chosen: number[] = [];
  let until = Infinity;
  for (const { starts, old } of all.toReversed()) {
    const start = starts.findLast((at) => at + old.length <= until);
    if (start === undefined) return null;
    chosen.unshift(start);
    until = start;
  }
  return chosen;
}

function onlyPlace({ hunk, lines, old, starts, nearestOf }: Options): Place {
  const [start] = starts;
  if (start !== undefined && starts.length === 1) return { hunk, start, lines, nearestOf };
  const candidates = starts.slice(0, MAX_LISTED).map((at) => at + 1);
  const more = starts.length > MAX_LISTED ? " …" : "";
  const counts = `${old.length} +${candidates[0]},${newLines(lines).length}`;
  const reason =
    `hunk #${hunk.number} fits ${starts.length} places, at lines ${candidates.join(", ")}${more}: ` +
    `add context lines, or a header with the line number such as @@ -${candidates[0]},${counts} @@`;
  throw new ToolError("conflict", reason, { details: { hunk: hunk.number, candidates } });
}

/** Hunks may share context; they may not delete what another one names, nor add at the same place twice. */
function refuseOverlaps(places: readonly Place[]): void {
  const claims = new Map<number, { place: Place; deleted: boolean }>();
  const additions = new Map<number, Place>();
  for (const place of places) {
    let at = place.start;
    const anchored = place.lines.some((line) => line.kind !== "add");
    for (const { kind } of place.lines) {
      if (kind === "add") {
        const other = additions.get(at);
        if (anchored && other && other !== place) throw overlap(other, place, at);
        additions.set(at, place);
        continue;
      }
      const claim = claims.get(at);
      if (claim && (claim.deleted || kind === "delete")) throw overlap(claim.place, place, at);
      claims.set(at, { place, deleted: kind === "delete" });
      at++;
    }
  }
}

function overlap(one: Place, other: Place, at: number): ToolError {
  const numbers = [one.hunk.number, other.hunk.number];
  const reason = `hunks #${numbers[0]} and #${numbers[1]} both change line ${at + 1}: make them one hunk`;
  return new ToolError("conflict", reason, { details: { hunks: numbers, line: at + 1 } });
}
