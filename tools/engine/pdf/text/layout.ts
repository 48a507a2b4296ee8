import { sharesLine, type TextSegment } from "./segments.ts";

/** Narrowest gap between two columns, in points. */
const LEAST_GUTTER = 8;
/** Cells are shorter than this, in characters; lines of columns that are drawn side by side are longer than that. */
const CELL_CHARS = 12;
const PROSE_CHARS = 25;
const PROSE_ROWS = 6;
const MAX_DEPTH = 6;

type Row = TextSegment[];
type Gutter = readonly [from: number, to: number];

/** Brings the pieces of a page into reading order, a line for each row: column after column, but tables row by row. */
export function layOut(segments: readonly TextSegment[]): string {
  return readRows(toRows(segments), 0).join("\n");
}

/** Rows from top to bottom, each from left to right. */
function toRows(segments: readonly TextSegment[]): Row[] {
  const rows: { span: { bottom: number; top: number }; row: Row }[] = [];
  for (const segment of [...segments].sort((a, b) => middle(b) - middle(a))) {
    const last = rows.at(-1);
    if (last && sharesLine(last.span, segment)) last.row.push(segment);
    else rows.push({ span: segment, row: [segment] });
  }
  return rows.map(({ row }) => row.sort((a, b) => a.left - b.left));
}

function middle({ bottom, top }: TextSegment): number {
  return (bottom + top) / 2;
}

function readRows(rows: readonly Row[], depth: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < rows.length;) {
    const { gutter, end } = depth < MAX_DEPTH ? findColumns(rows, at) : { gutter: null, end: at + 1 };
    if (gutter === null) lines.push(...rows.slice(at, end).map(lineOf));
    else {
      const band = rows.slice(at, end).flat();
      const [from] = gutter;
      lines.push(...readRows(toRows(band.filter(({ left }) => left < from)), depth + 1));
      lines.push(...readRows(toRows(band.filter(({ left }) => left >= from)), depth + 1));
    }
    at = end;
  }
  return lines;
}

function lineOf(row: Row): string {
  return row.map(({ text }) => text).join(" ");
}

/** Looks for columns that start at a row: the gutter between them and the row after their last. */
function findColumns(rows: readonly Row[], start: number): { gutter: Gutter | null; end: number } {
  for (const first of gapsOf(rows[start]!)) {
    let gutter = first;
    let end = start + 1;
    for (; end < rows.length; end++) {
      const rest = narrow(gutter, rows[end]!);
      if (rest === null) break;
      gutter = rest;
    }
    if (isBetweenColumns(rows.slice(start, end), gutter)) return { gutter, end };
  }
  return { gutter: null, end: start + 1 };
}

function gapsOf(row: Row): Gutter[] {
  const gaps = row.slice(1).map((segment, index) => [row[index]!.right, segment.left] as const);
  return gaps.filter(([from, to]) => to - from >= LEAST_GUTTER).sort((a, b) => (b[1] - b[0]) - (a[1] - a[0]));
}

/** What a row leaves of a gutter: the widest part that it does not cover. */
function narrow([from, to]: Gutter, row: Row): Gutter | null {
  let best: Gutter | null = null;
  let free = from;
  for (const { left, right } of [...row, { left: to, right: to }]) {
    const end = Math.min(left, to);
    if (end - free >= LEAST_GUTTER && (best === null || end - free > best[1] - best[0])) best = [free, end];
    free = Math.max(free, right);
  }
  return best;
}

function isBetweenColumns(rows: readonly Row[], [from]: Gutter): boolean {
  const sides = rows.map((
    row,
  ) => [row.filter(({ left }) => left < from), row.filter(({ left }) => left >= from)]);
  const both = sides.filter(([left, right]) => left!.length > 0 && right!.length > 0).length;
  const [leftChars, rightChars] = [0, 1].map((side) => medianChars(sides.map((parts) => parts[side]!)));
  const chars = Math.min(leftChars!, rightChars!);
  if (isDrawnInTurn(rows.flat(), from)) {
    return !(chars < CELL_CHARS && both >= rows.length * 0.6) && rows.length > 2;
  }
  return chars >= PROSE_CHARS && rows.length >= PROSE_ROWS;
}

/** Says whether all of one side is drawn before the other side. */
function isDrawnInTurn(segments: Row, from: number): boolean {
  const sides = segments.sort((a, b) => a.order - b.order).map(({ left }) => left < from);
  return sides.filter((side, index) => index > 0 && side !== sides[index - 1]).length === 1;
}

function medianChars(rows: readonly Row[]): number {
  const lengths = rows.filter((row) => row.length > 0).map((row) => lineOf(row).length).sort((a, b) => a - b);
  return lengths[lengths.length >> 1] ?? 0;
}
