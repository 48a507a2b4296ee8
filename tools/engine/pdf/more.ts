import { countCharacters } from "../file/characters.ts";
import type { ToolContext } from "../../../schemas/context.ts";
import { createPacer } from "../pacer.ts";
import type { PdfRequest } from "./reading.ts";
import { countLineEnds, type PageScan } from "./scan.ts";
import { type PdfJsDocument, withPdfJs, withPdfJsPage } from "./pdfjs/engine.ts";
import { readNotes } from "./pdfjs/notes.ts";
import { readPdfJsText } from "./pdfjs/page_text.ts";

/** Longest time for additions to a text that PDFium has read, in milliseconds. */
const MAX_MS = 30_000;

const NOT_READ = "Values of forms and notes were not read: pdf.js, which reads them, failed";

/**
 * Adds to pages what PDFium does not show: the values of fields and the notes, and the text where it found no
 * text. Returns notes about it.
 */
export async function addMore(
  scans: readonly PageScan[],
  { bytes, request }: { bytes: Uint8Array; request: PdfRequest },
  { signal }: Pick<ToolContext, "signal">,
): Promise<string[]> {
  try {
    return await withPdfJs(
      { bytes, password: request.password },
      (document) => addTo(scans, document, signal),
    );
  } catch {
    // PDFium's text stays, even if pdf.js fails.
    signal.throwIfAborted();
    return scans.some(({ annotated }) => annotated) ? [NOT_READ] : [];
  }
}

async function addTo(
  scans: readonly PageScan[],
  document: PdfJsDocument,
  signal: AbortSignal,
): Promise<string[]> {
  const pacer = createPacer(signal);
  const end = Date.now() + MAX_MS;
  const helped: number[] = [];
  for (const scan of scans) {
    if (Date.now() > end) return [...helpNote(helped), tooLongNote(scan.page)];
    const wasEmpty = scan.state !== "text";
    await withPdfJsPage(document, scan.page, async (page) => {
      // The page is no longer needed.
      if (scan.state === "text" && scan.text === "") return;
      if (scan.mayHoldText) showText(scan, await readPdfJsText(page));
      if (wasEmpty && scan.state === "text") helped.push(scan.page);
      if (scan.annotated) showText(scan, ...await readNotes(page, scan.text));
    });
    if (pacer.due()) await pacer.rest();
  }
  return helpNote(helped);
}

function showText(scan: PageScan, ...lines: string[]): void {
  const text = [scan.text, ...lines].filter((part) => part !== "").join("\n");
  if (text === "") return;
  Object.assign(scan, { state: "text", text, chars: countCharacters(text), lineEnds: countLineEnds(text) });
}

function helpNote(pages: readonly number[]): string[] {
  if (pages.length === 0) return [];
  const what = pages.length === 1 ? `page ${pages[0]}` : `${pages.length} pages`;
  return [`PDFium found no text: a second reader, pdf.js, read that of ${what}; parts may be missing`];
}

function tooLongNote(page: number): string {
  return `Notes and values of forms were not read from page ${page} on: it took longer than ${
    MAX_MS / 1000
  } s`;
}
