import { tidy } from "../text/text.ts";
import type { PdfJsPage, PdfJsText } from "./engine.ts";

/** A step up or down of so many heights begins a line. */
const LINE_STEP = 0.6;
/** Characters read of one page: no result holds more. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Returns the pieces of text of a page in the order in which they are drawn. */
export async function* readPieces(page: PdfJsPage): AsyncGenerator<PdfJsText> {
  let chars = 0;
  for await (const { items } of page.streamTextContent()) {
    yield* items;
    chars += items.reduce((sum, { str }) => sum + str.length, 0);
    if (chars > MAX_CHARS) return;
  }
}

/**
 * Returns the text of a page, a line break after each line; "" if it has no text. pdf.js sets the blanks
 * itself.
 */
export async function readPdfJsText(page: PdfJsPage): Promise<string> {
  let text = "";
  let last: PdfJsText | undefined;
  for await (const item of readPieces(page)) {
    // An empty piece only ends a line.
    if (item.str !== "") {
      if (last !== undefined && beginsLine(last, item) && !text.endsWith("\n")) text += "\n";
      text += item.str;
      last = item;
    }
    if (item.hasEOL && !text.endsWith("\n")) text += "\n";
  }
  return tidy(text);
}

function beginsLine(last: PdfJsText, next: PdfJsText): boolean {
  const step = Math.abs((next.transform[5] ?? 0) - (last.transform[5] ?? 0));
  return step > LINE_STEP * Math.max(last.height, next.height, 1);
}
