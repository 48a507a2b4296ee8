import type { PdfDocument } from "./document.ts";
import type { Pdfium } from "./library.ts";
import { decodeTextString, readData } from "./strings.ts";
import { structuredTexts } from "./structure.ts";

/** PDFium's codes for kinds of objects. */
const TEXT = 1;
const FORM = 5;
/** Most objects of a page that are looked at. */
const MAX_OBJECTS = 100_000;
const KEY = "ActualText\0";
const FONT = "Helvetica\0";
/** Stands on the page for a text, which its font may not have. */
const PLACEHOLDER = /\xa4(\d+)\xa4/g;
/** Text that PDFium itself puts in place: right-to-left, which it brings into order, blanks and soft hyphens. */
const LEFT_TO_PDFIUM = /^[\s\xad]+$|[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Width of a glyph that is not drawn, in heights. */
const NO_WIDTH = 0.1;

type Matrix = readonly [number, number, number, number, number, number];

/** A piece of a page. */
interface Piece {
  object: number;
  kind: number;
  /** Its place on the page. */
  index: number;
}

/** Pieces in whose place a text is read. */
interface Replaced {
  text: string;
  pieces: Piece[];
  /** The piece that is drawn after them. */
  next: Piece | null;
}

/**
 * Puts placeholders in place of the pieces of a loaded page for which it has another text, /ActualText: of a mark around
 * them, or of an element of the structure.
 *
 * @returns The texts, for {@linkcode restoreActualText}
 */
export function placeActualText({ pdfium, handle }: PdfDocument, page: number): string[] {
  const groups = findReplaced(pdfium, page);
  for (const [index, { text, pieces, next }] of [...groups.entries()].toReversed()) {
    const [first] = pieces;
    const made = text === "" || !first ? 0 : makePlaceholder(pdfium, { handle, index, pieces, next });
    for (const { object, kind } of pieces.toReversed()) {
      if (kind === TEXT) pdfium.call.FPDFPage_RemoveObject(page, object);
    }
    if (made !== 0) pdfium.call.FPDFPage_InsertObjectAtIndex(page, made, first!.index);
  }
  return groups.map(({ text }) => text);
}

/** Puts the texts in place of their placeholders. */
export function restoreActualText(text: string, texts: readonly string[]): string {
  if (texts.length === 0) return text;
  return text.replace(PLACEHOLDER, (mark, index) => texts[Number(index)] ?? mark);
}

function findReplaced(pdfium: Pdfium, page: number): Replaced[] {
  const groups = new Map<string, Replaced>();
  const marks = new Map<number, string | null>();
  let structured: ReturnType<typeof structuredTexts> | undefined;
  let last: Replaced | null = null;
  for (const piece of piecesOf(pdfium, page)) {
    if (last) last.next = piece;
    last = null;
    let found = markedText(pdfium, piece.object, marks);
    if (found === null) {
      const content = pdfium.call.FPDFPageObj_GetMarkedContentID(piece.object);
      if (content < 0) continue;
      structured ??= structuredTexts(pdfium, page);
      found = structured.get(content) ?? null;
    }
    if (found === null || LEFT_TO_PDFIUM.test(found.text)) continue;
    const group: Replaced = groups.get(found.key) ?? { text: found.text, pieces: [], next: null };
    groups.set(found.key, last = group);
    group.pieces.push(piece);
  }
  return [...groups.values()];
}

/** Texts inside of forms are left to PDFium, which ends a line where it goes from a form to its page. */
function piecesOf(pdfium: Pdfium, page: number): Piece[] {
  const { call } = pdfium;
  const count = Math.min(call.FPDFPage_CountObjects(page), MAX_OBJECTS);
  return Array.from({ length: count }, (_, index) => {
    const object = call.FPDFPage_GetObject(page, index);
    return { object, index, kind: object === 0 ? 0 : call.FPDFPageObj_GetType(object) };
  }).filter(({ kind }) => kind !== 0 && kind !== FORM);
}

/** Returns the text of the outermost mark that has one. */
function markedText(
  pdfium: Pdfium,
  object: number,
  marks: Map<number, string | null>,
): { key: string; text: string } | null {
  const { call } = pdfium;
  const count = call.FPDFPageObj_CountMarks(object);
  for (let at = 0; at < count; at++) {
    const mark = call.FPDFPageObj_GetMark(object, at);
    if (!marks.has(mark)) marks.set(mark, textOfMark(pdfium, mark));
    const text = marks.get(mark) ?? null;
    if (text !== null) return { key: `mark ${mark}`, text };
  }
  return null;
}

function textOfMark(pdfium: Pdfium, mark: number): string | null {
  const key = new TextEncoder().encode(KEY);
  return pdfium.borrow(key.length, (name) => {
    pdfium.bytes.set(key, name);
    const read = (buffer: number, size: number, length: number) =>
      pdfium.call.FPDFPageObjMark_GetParamBlobValue(mark, name, buffer, size, length);
    const bytes = readData(pdfium, read);
    return bytes && decodeTextString(bytes);
  });
}

/** Makes a text that stands where the pieces stand, as wide as they are; 0 if it cannot be made. */
function makePlaceholder(
  pdfium: Pdfium,
  { handle, index, pieces, next }: Omit<Replaced, "text"> & { handle: number; index: number },
): number {
  const [first] = pieces as [Piece];
  const boxes = pieces.map((piece) => boxOf(pdfium, piece.object));
  const [box] = boxes as [Box];
  const height = Math.max(1, box.top - box.bottom);
  const right = rightOf(boxes, next && boxOf(pdfium, next.object));
  const size = first.kind === TEXT ? fontSizeOf(pdfium, first.object) : height;
  const matrix: Matrix = first.kind === TEXT
    ? matrixOf(pdfium, first.object)
    : [1, 0, 0, 1, box.left, box.bottom];
  const made = newText(pdfium, { handle, size, text: `\xa4${index}\xa4` });
  if (made === 0) return 0;
  setMatrix(pdfium, made, matrix);
  const own = boxOf(pdfium, made);
  const [a, b, c, d, e, f] = matrix;
  const isUpright = Math.abs(a) >= Math.abs(b);
  const target = isUpright ? right - box.left : box.top - box.bottom;
  const natural = isUpright ? own.right - own.left : own.top - own.bottom;
  const scale = Math.max(target, 0.1) / Math.max(natural, 0.1);
  setMatrix(pdfium, made, [a * scale, b * scale, c, d, e, f]);
  return made;
}

/** A glyph that a font does not have may have no width, but the next piece stands behind where it would end. */
function rightOf(boxes: readonly Box[], next: Box | null): number {
  const [first] = boxes as [Box];
  const isBeside = ({ bottom, top }: Box) => bottom < first.top && top > first.bottom;
  const right = Math.max(...boxes.filter((box) => box === first || isBeside(box)).map((box) => box.right));
  const height = Math.max(first.top - first.bottom, next ? next.top - next.bottom : 0);
  const hasWidth = right - first.left > NO_WIDTH * height;
  return !hasWidth && next && next.left > right && next.left - right < height ? next.left : right;
}

function newText(
  pdfium: Pdfium,
  { handle, size, text }: { handle: number; size: number; text: string },
): number {
  const { call } = pdfium;
  const font = new TextEncoder().encode(FONT);
  const made = pdfium.borrow(font.length, (pointer) => {
    pdfium.bytes.set(font, pointer);
    return call.FPDFPageObj_NewTextObj(handle, pointer, size);
  });
  if (made === 0) return 0;
  return pdfium.borrow((text.length + 1) * 2, (pointer) => {
    [...text, "\0"].forEach((character, at) =>
      pdfium.view.setUint16(pointer + at * 2, character.charCodeAt(0), true)
    );
    return call.FPDFText_SetText(made, pointer) === 0 ? 0 : made;
  });
}

interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

function boxOf(pdfium: Pdfium, object: number): Box {
  const read = (at: number) => pdfium.call.FPDFPageObj_GetBounds(object, at, at + 4, at + 8, at + 12);
  const [left = 0, bottom = 0, right = 0, top = 0] = readFloats(pdfium, 4, read);
  return { left, bottom, right, top };
}

function matrixOf(pdfium: Pdfium, object: number): Matrix {
  return readFloats(pdfium, 6, (at) => pdfium.call.FPDFPageObj_GetMatrix(object, at)) as unknown as Matrix;
}

function fontSizeOf(pdfium: Pdfium, object: number): number {
  const [size = 0] = readFloats(pdfium, 1, (at) => pdfium.call.FPDFTextObj_GetFontSize(object, at));
  return size > 0 ? size : 1;
}

function setMatrix(pdfium: Pdfium, object: number, matrix: Matrix): void {
  pdfium.borrow(24, (pointer) => {
    matrix.forEach((value, at) => pdfium.view.setFloat32(pointer + at * 4, value, true));
    pdfium.call.FPDFPageObj_SetMatrix(object, pointer);
  });
}

function readFloats(pdfium: Pdfium, count: number, read: (pointer: number) => number): number[] {
  return pdfium.borrow(count * 4, (pointer) => {
    pdfium.bytes.fill(0, pointer, pointer + count * 4);
    read(pointer);
    const { view } = pdfium;
    return Array.from({ length: count }, (_, at) => view.getFloat32(pointer + at * 4, true));
  });
}
