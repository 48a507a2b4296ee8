import { layOut } from "./pdf_layout.ts";
import type { Pdfium } from "./pdf_library.ts";
import { readSegments } from "./pdf_segments.ts";

/** PDFium's mark for a hyphen at the end of a line, whose word goes on. */
const LINE_HYPHEN = /\ufffe\n?(\S*)[ \n]?/g;
// deno-lint-ignore no-control-regex
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f\uffff]/g;
/** Typesetters draw an accent by itself before its letter, and PDFium may take the step back for a blank. */
const ACCENT_FIRST = / ?([´¨ˆ˜¯˘˙˚ˇ])(\p{L})/gu;
const COMBINING: Readonly<Record<string, string>> = {
  "´": "\u0301",
  "¨": "\u0308",
  "ˆ": "\u0302",
  "˜": "\u0303",
  "¯": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "˚": "\u030a",
  "ˇ": "\u030c",
};
/** Right-to-left text, which PDFium brings into the order of reading. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Pages of more pieces than this are drawings. */
const MAX_RECTS = 4_000;
/** Pieces side by side with so many heights between them are cells or columns. */
const GAP = 1.2;
const SHORT_PAGE_ROWS = 10;
/** Rows nearer to each other than this, in points, are one. */
const LEAST_ROW = 4;

/** Returns the text of a loaded page in reading order, a line break after each line; "" if it has no text layer. */
export function readPageText(pdfium: Pdfium, page: number): string {
  const { call } = pdfium;
  const textPage = call.FPDFText_LoadPage(page);
  if (textPage === 0) return "";
  try {
    const count = call.FPDFText_CountChars(textPage);
    if (count <= 0) return "";
    const raw = rawText(pdfium, textPage, count);
    return tidy(hasCells(pdfium, textPage) ? laidOut(pdfium, textPage, { count, raw }) : raw);
  } finally {
    call.FPDFText_ClosePage(textPage);
  }
}

function rawText(pdfium: Pdfium, textPage: number, count: number): string {
  return pdfium.borrow((count + 1) * 2, (pointer) => {
    const written = pdfium.call.FPDFText_GetText(textPage, 0, count, pointer);
    const end = pointer + Math.max(0, written - 1) * 2;
    return new TextDecoder("utf-16le").decode(pdfium.bytes.subarray(pointer, end));
  });
}

/** Tells whether something stands beside something else with a wide gap between: PDFium's own order may fail there. */
function hasCells(pdfium: Pdfium, textPage: number): boolean {
  const { call } = pdfium;
  const count = call.FPDFText_CountRects(textPage, 0, -1);
  if (count > MAX_RECTS) return false;
  const rects: Rect[] = [];
  pdfium.borrow(32, (pointer) => {
    let { view } = pdfium;
    for (let index = 0; index < count; index++) {
      call.FPDFText_GetRect(textPage, index, pointer, pointer + 8, pointer + 16, pointer + 24);
      if (view.buffer.byteLength === 0) view = pdfium.view;
      const at = (offset: number) => view.getFloat64(pointer + offset, true);
      rects.push({ left: at(0), top: at(8), right: at(16), bottom: at(24) });
    }
  });
  return hasGaps(rects);
}

type Rect = Record<"left" | "top" | "right" | "bottom", number>;

/** The first and the last row are often a page's head and foot, which need no care. */
function hasGaps(rects: Rect[]): boolean {
  rects.sort((a, b) => b.bottom - a.bottom || a.left - b.left);
  const [first, last] = [rects[0]?.bottom, rects.at(-1)?.bottom];
  const isShort = new Set(rects.map(({ bottom }) => Math.round(bottom))).size <= SHORT_PAGE_ROWS;
  return rects.some((rect, index) => {
    const next = rects[index + 1];
    if (next === undefined || next.top <= rect.bottom) return false;
    if (!isShort && (next.top > first! || rect.bottom - last! < LEAST_ROW)) return false;
    const gap = Math.max(next.left - rect.right, rect.left - next.right);
    return gap > GAP * Math.max(rect.top - rect.bottom, next.top - next.bottom);
  });
}

function laidOut(pdfium: Pdfium, textPage: number, { count, raw }: { count: number; raw: string }): string {
  if (RIGHT_TO_LEFT.test(raw)) return raw;
  const segments = readSegments(pdfium, textPage, count);
  const single = segments.filter(({ text }) => text.length === 1).length;
  // Text that runs upwards falls apart.
  return single > segments.length / 2 ? raw : layOut(segments);
}

function tidy(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(LINE_HYPHEN, "$1\n").replace(CONTROLS, "")
    .replace(/[ \t]+$/gm, "").trimEnd().replace(ACCENT_FIRST, composed);
}

function composed(match: string, accent: string, letter: string): string {
  const whole = (letter + COMBINING[accent]).normalize("NFC");
  return whole.length === 1 ? whole : match;
}
