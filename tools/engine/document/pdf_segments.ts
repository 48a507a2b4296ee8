import type { Pdfium } from "./pdf_library.ts";

/** Characters on one line without a wide gap, in points from the lower left corner. */
export interface TextSegment {
  text: string;
  left: number;
  right: number;
  bottom: number;
  top: number;
  /** Place in the order in which the page draws. */
  order: number;
}

/** A gap of so many heights of a line parts two cells; of so many, two words. */
const CELL_GAP = 1.2;
const WORD_GAP = 0.12;
/** Least height that counts, in points: dots and dashes have next to none. */
const LEAST_HEIGHT = 3;
/** PDFium's code for a hyphen at the end of a line whose word goes on, and its mark for it in whole texts. */
const HYPHEN = 2;
export const LINE_HYPHEN = "\ufffe";
const BLANKS: ReadonlySet<number> = new Set([0, 9, 10, 13, 32, 0xa0]);

/** Takes the characters of a page that PDFium has opened for text, piece by piece in the order in which they are drawn. */
export function readSegments(pdfium: Pdfium, textPage: number, count: number): TextSegment[] {
  const segments: TextSegment[] = [];
  const { call } = pdfium;
  pdfium.borrow(16, (pointer) => {
    let view = pdfium.view;
    let blank = false;
    for (let index = 0; index < count; index++) {
      const code = call.FPDFText_GetUnicode(textPage, index);
      if (BLANKS.has(code)) {
        blank = true;
        continue;
      }
      if (!call.FPDFText_GetLooseCharBox(textPage, index, pointer)) continue;
      if (view.buffer.byteLength === 0) view = pdfium.view;
      const box = {
        left: view.getFloat32(pointer, true),
        top: view.getFloat32(pointer + 4, true),
        right: view.getFloat32(pointer + 8, true),
        bottom: view.getFloat32(pointer + 12, true),
      };
      addCharacter(segments, { text: toText(code), ...box, blank });
      blank = false;
    }
  });
  return segments;
}

type Character = Omit<TextSegment, "order"> & { blank: boolean };

function addCharacter(segments: TextSegment[], { blank, ...char }: Character): void {
  const last = segments.at(-1);
  const height = last ? Math.max(LEAST_HEIGHT, last.top - last.bottom, char.top - char.bottom) : 0;
  const gap = last ? char.left - last.right : 0;
  if (!last || !sharesLine(last, char) || gap > CELL_GAP * height || gap < -height) {
    segments.push({ ...char, order: segments.length });
    return;
  }
  if (blank || gap > WORD_GAP * height) last.text += " ";
  last.text += char.text;
  last.left = Math.min(last.left, char.left);
  last.right = Math.max(last.right, char.right);
  last.bottom = Math.min(last.bottom, char.bottom);
  last.top = Math.max(last.top, char.top);
}

/** Two things stand on one line if they share half of the height of the lower one. */
export function sharesLine(
  a: Pick<TextSegment, "bottom" | "top">,
  b: Pick<TextSegment, "bottom" | "top">,
): boolean {
  const shared = Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom);
  const height = Math.min(a.top - a.bottom, b.top - b.bottom);
  if (height >= 1) return shared >= height / 2;
  return shared >= -LEAST_HEIGHT;
}

function toText(code: number): string {
  if (code === HYPHEN) return LINE_HYPHEN;
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}
