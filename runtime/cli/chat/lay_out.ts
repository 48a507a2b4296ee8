import { codesOf, MISLEADING } from "../../text/visible.ts";
import { widthOf } from "../show/tables/columns.ts";
import type { Draft } from "./edit.ts";

/** A draft as a terminal shows it. */
export interface Picture {
  rows: readonly PictureRow[];
  /** Row and column of the cursor, from 0. */
  row: number;
  column: number;
}

/** A row of a terminal; the cursor may stand behind its last character. */
export interface PictureRow {
  text: string;
  width: number;
  /** Units of the draft that come before this row. */
  start: number;
}

/** Where a draft is shown. */
export interface Frame {
  columns: number;
  /** What stands before the first row, and before each further line of the text. */
  prompt: string;
  indent: string;
}

const TAB = "    ";
const segmenter = new Intl.Segmenter();

/**
 * Lays a draft out in rows that are shorter than the terminal is wide, so that the terminal itself never breaks a line.
 */
export function layOut({ text, cursor }: Draft, { columns, prompt, indent }: Frame): Picture {
  const rows: PictureRow[] = [];
  const room = Math.max(1, columns - 1);
  let current: PictureRow = { text: prompt, width: widthOf(prompt), start: 0 };
  let place: { row: number; column: number } | null = null;
  let at = 0;
  const next = (lead: string) => {
    rows.push(current);
    current = { text: lead, width: widthOf(lead), start: at };
  };
  for (const { segment } of segmenter.segment(text)) {
    const isEnd = segment === "\n";
    const shown = isEnd ? "" : segment.replaceAll("\t", TAB).replace(MISLEADING, codesOf);
    const width = widthOf(shown);
    if (current.width + width > room && current.width > widthOf(indent)) next(indent);
    if (at === cursor) place = { row: rows.length, column: current.width };
    at += segment.length;
    current.text += shown;
    current.width += width;
    if (isEnd) next(indent);
    // A cursor in the middle of a character, where one was completed.
    if (place === null && at > cursor) place = { row: rows.length, column: current.width };
  }
  if (place === null && current.width > room && current.width > widthOf(indent)) next(indent);
  place ??= { row: rows.length, column: current.width };
  return { rows: [...rows, current], ...place };
}

/** Returns the part of a picture around its cursor that has at most so many rows. */
export function cutPicture({ rows, row, column }: Picture, height: number): Picture {
  const most = Math.max(1, height);
  if (rows.length <= most) return { rows, row, column };
  const start = Math.min(Math.max(0, row - Math.floor(most / 2)), rows.length - most);
  return { rows: rows.slice(start, start + most), row: row - start, column };
}

/** Returns the cursor's place in a draft one row higher or lower, `null` beyond the first and the last row. */
export function moveByRow(draft: Draft, by: 1 | -1, frame: Frame): number | null {
  const picture = layOut(draft, frame);
  const wanted = picture.row + by;
  if (picture.rows[wanted] === undefined) return null;
  const { start } = picture.rows[wanted];
  const end = picture.rows[wanted + 1]?.start ?? draft.text.length + 1;
  let found = start;
  let width = widthOf(wanted === 0 ? frame.prompt : frame.indent);
  for (const { segment, index } of segmenter.segment(draft.text.slice(start, end - 1))) {
    if (width >= picture.column) break;
    width += widthOf(segment.replaceAll("\t", TAB));
    found = start + index + segment.length;
  }
  return found;
}
