import { type Box, TextBoxes } from "./boxes.ts";
import type { TextPage } from "./text_page.ts";

/** Characters on one line without a wide gap, in points from the lower left corner. */
export interface TextSegment extends Box {
  text: string;
  /** Place in the order in which the page draws. */
  order: number;
}

/** Gap between two cells, and between two words, in heights of a line. */
const CELL_GAP = 1.2;
const WORD_GAP = 0.12;
/** Least height that counts, in points: dots and dashes have almost no height. */
const LEAST_HEIGHT = 3;
/** Lines as PDFium parts them: a hyphen whose word goes on ends one, too. */
const LINE = /[^\r\n\ufffe]*\ufffe|[^\r\n\ufffe]+/g;
const BLANK = /[\0\t\n\r \xa0]/;
const ODD_BLANKS = /[\0\t\n\r \xa0]{2,}|[\0\t\xa0]/g;

/** Takes the text of an open page, piece by piece in the order in which it is drawn. */
export function readSegments(page: TextPage): TextSegment[] {
  const segments: TextSegment[] = [];
  TextBoxes.use(page, (boxes) => {
    const { count, text } = page;
    if (!page.isEven) return addCharacters(segments, { page, boxes, from: 0, to: count });
    for (const { 0: line, index } of text.matchAll(LINE)) {
      const from = index + line.length - line.trimStart().length;
      const to = index + line.trimEnd().length;
      if (from < to) addLine(segments, { page, boxes, from, to });
    }
  });
  return segments;
}

/** Some of the characters of a page. */
interface Range {
  page: TextPage;
  boxes: TextBoxes;
  from: number;
  to: number;
}

/** Most lines have no gap and are taken whole: to ask PDFium for each character takes long. */
function addLine(segments: TextSegment[], range: Range): void {
  const { page, from, to } = range;
  const whole = boxOfWhole(range);
  if (whole === null) return addCharacters(segments, range);
  const text = page.text.slice(from, to).replace(ODD_BLANKS, " ");
  addPiece(segments, { text, ...whole, blank: isBlankBefore(range) });
}

function addCharacters(segments: TextSegment[], range: Range): void {
  let blank = isBlankBefore(range);
  for (let index = range.from; index < range.to; index++) {
    const text = range.page.characterAt(index);
    const box = BLANK.test(text) ? null : range.boxes.ofCharacter(index);
    if (box !== null) addPiece(segments, { text, ...box, blank });
    blank = box === null;
  }
}

function isBlankBefore({ page, from }: Range): boolean {
  return from > 0 && BLANK.test(page.characterAt(from - 1));
}

/**
 * Returns the box of a line that runs from left to right without a wide gap or a missing blank; `null` for
 * others.
 */
function boxOfWhole({ page, boxes, from, to }: Range): Box | null {
  const [first, last] = [boxes.ofCharacter(from), boxes.ofCharacter(to - 1)];
  if (first === null || last === null || !sharesLine(first, last)) return null;
  const whole = union(first, last);
  const height = heightOf(whole);
  let right = first.left;
  let wordGaps = 0;
  for (const part of boxes.ofObjects(from, to - from)) {
    const gap = part.left - right;
    if (!sharesLine(whole, part) || isApart(gap, height)) return null;
    if (gap > WORD_GAP * height) wordGaps++;
    right = part.right;
  }
  const blanks = wordGaps === 0 ? 0 : page.text.slice(from, to).split(BLANK).length - 1;
  return wordGaps > blanks ? null : whole;
}

/** Adds characters that stand together; `blank` is whether there is one in front of them. */
function addPiece(
  segments: TextSegment[],
  { blank, ...piece }: Omit<TextSegment, "order"> & { blank: boolean },
): void {
  const last = segments.at(-1);
  const height = last ? Math.max(heightOf(last), heightOf(piece)) : 0;
  const gap = last ? piece.left - last.right : 0;
  if (!last || !sharesLine(last, piece) || isApart(gap, height)) {
    segments.push({ ...piece, order: segments.length });
    return;
  }
  if (blank || gap > WORD_GAP * height) last.text += " ";
  last.text += piece.text;
  Object.assign(last, union(last, piece));
}

function heightOf({ bottom, top }: Box): number {
  return Math.max(LEAST_HEIGHT, top - bottom);
}

function isApart(gap: number, height: number): boolean {
  return gap > CELL_GAP * height || gap < -height;
}

function union(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    right: Math.max(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
    top: Math.max(a.top, b.top),
  };
}

/** Two things stand on one line if they share half of the height of the lower one. */
export function sharesLine(
  a: Pick<Box, "bottom" | "top">,
  b: Pick<Box, "bottom" | "top">,
): boolean {
  const shared = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom);
  const height = Math.min(a.top - a.bottom, b.top - b.bottom);
  if (height >= 1) return shared >= height / 2;
  return shared >= -LEAST_HEIGHT;
}
