import { type Box, TextBoxes } from "./boxes.ts";
import { layOut } from "./layout.ts";
import { placeActualText, restoreActualText } from "../pdfium/actual_text.ts";
import type { PdfDocument } from "../pdfium/document.ts";
import type { PageLink } from "../pdfium/links.ts";
import { readSegments, sharesLine } from "./segments.ts";
import { TextPage } from "./text_page.ts";

/** A hyphen at the end of a line, whose word goes on. */
const HYPHENATED = /\ufffe\n?(\S*)[ \n]?/g;
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
const MAX_OBJECTS = 4_000;
/** Pieces side by side with so many heights between them are cells or columns. */
const GAP = 1.2;
/** Columns of text have at least so many rows. */
const LEAST_COLUMN_ROWS = 6;
const SHORT_PAGE_ROWS = 10;
/** Rows nearer to each other than this, in points, are one. */
const LEAST_ROW = 4;

/**
 * Returns the text of a loaded page in reading order, a line break after each line, then a line for each link whose
 * address does not stand in the text; "" if it has no text layer.
 */
export function readPageText(document: PdfDocument, page: number, links: readonly PageLink[] = []): string {
  const actual = placeActualText(document, page);
  const read = (text: string) => restoreActualText(tidy(text), actual);
  return TextPage.use(document.pdfium, page, (open) => {
    const text = read(needsLayout(open) ? laidOut(open) : open.text);
    if (text === "" || links.length === 0) return text;
    const shown = text.replace(/\s+/g, "");
    const unseen = links.filter(({ address }) => !shown.includes(address.replace(/^mailto:/, "")));
    const lines = unseen.map((link) => {
      const words = read(open.textIn(link)).replace(/\s+/g, " ").trim();
      return `[link] ${words === "" ? "" : `${words} `}${link.address}`;
    });
    return [text, ...new Set(lines)].join("\n");
  }) ?? "";
}

/**
 * Tells whether PDFium's own order may be wrong: pieces stand side by side with a wide gap, and they are not
 * drawn row by row or may be columns.
 */
function needsLayout(page: TextPage): boolean {
  const boxes = TextBoxes.use(page, (boxes) => boxes.ofObjects(0, -1, MAX_OBJECTS));
  const gaps = countGaps(boxes);
  return gaps >= (isDrawnByRows(boxes) ? LEAST_COLUMN_ROWS : 1);
}

function isDrawnByRows(boxes: readonly Box[]): boolean {
  return boxes.every((box, index) => {
    const before = boxes[index - 1];
    if (before === undefined) return true;
    return sharesLine(before, box) ? box.left >= before.left : box.top < before.top;
  });
}

/** The first and the last row are often a page's head and foot, which do not count. */
function countGaps(boxes: readonly Box[]): number {
  const rows = boxes.toSorted((a, b) => b.bottom - a.bottom || a.left - b.left);
  const [first, last] = [rows[0]?.bottom, rows.at(-1)?.bottom];
  const isShort = new Set(rows.map(({ bottom }) => Math.round(bottom))).size <= SHORT_PAGE_ROWS;
  return rows.filter((box, index) => {
    const next = rows[index + 1];
    if (next === undefined || next.top <= box.bottom) return false;
    if (!isShort && (next.top > first! || box.bottom - last! < LEAST_ROW)) return false;
    const gap = Math.max(next.left - box.right, box.left - next.right);
    return gap > GAP * Math.max(box.top - box.bottom, next.top - next.bottom);
  }).length;
}

function laidOut(page: TextPage): string {
  if (RIGHT_TO_LEFT.test(page.text)) return page.text;
  const segments = readSegments(page);
  const single = segments.filter(({ text }) => text.length === 1).length;
  // Text that runs upwards falls apart.
  return single > segments.length / 2 ? page.text : layOut(segments);
}

/** Changes the marks of lines, hyphens, accents and blanks to what a reader expects. */
export function tidy(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(HYPHENATED, "$1\n").replace(CONTROLS, "")
    .replace(/[ \t]+$/gm, "").trimEnd().replace(ACCENT_FIRST, composed);
}

function composed(match: string, accent: string, letter: string): string {
  const whole = (letter + COMBINING[accent]).normalize("NFC");
  return whole.length === 1 ? whole : match;
}
