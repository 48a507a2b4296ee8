import { countCharacters } from "../file/characters.ts";
import type { ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { createPacer } from "../pacer.ts";
import { cappedNote, joinTexts, MAX_PAGES } from "./join.ts";
import { selectPages } from "./page_ranges.ts";
import { cleanMetadata, METADATA } from "./pdfium/document.ts";
import { MAX_PAGE_COUNT, tooManyPages } from "./pdfium/page_claim.ts";
import type { PdfReading, PdfRequest } from "./reading.ts";
import { type PdfJsDocument, type PdfJsPage, withPdfJs, withPdfJsPage } from "./pdfjs/engine.ts";
import { mendEnd } from "./pdfjs/mend.ts";
import { readNotes } from "./pdfjs/notes.ts";
import { readPdfJsText } from "./pdfjs/page_text.ts";
import { countLineEnds, type PageScan } from "./scan.ts";

const NOTE = "The PDF is damaged: a second reader, pdf.js, read its text; parts may be missing, " +
  "its images are not listed and its pages cannot be drawn";

type Reader = Pick<ToolContext, "progress" | "signal">;

/**
 * Reads the text of a PDF that PDFium refused.
 *
 * @param options.refusal PDFium's refusal
 * @throws {ToolError} The refusal, if pdf.js finds no text either; `invalid_input` for wrong page lists; `limit_exceeded`
 * for more than 100,000 pages
 */
export async function readRefused(
  bytes: Uint8Array,
  { request, refusal }: { request: PdfRequest; refusal: ToolError },
  context: Reader,
): Promise<PdfReading> {
  const attempt = (bytes: Uint8Array) =>
    withPdfJs({ bytes, password: request.password }, (document) => read(document, request, context))
      .catch((error) => {
        context.signal.throwIfAborted();
        if (error instanceof ToolError) throw error;
        return null;
      });
  const found = await attempt(bytes);
  if (found !== null) return found;
  const mended = mendEnd(bytes);
  const again = mended && await attempt(mended);
  if (again !== null) return again;
  throw refusal;
}

async function read(
  document: PdfJsDocument,
  request: PdfRequest,
  context: Reader,
): Promise<PdfReading | null> {
  const pageCount = document.numPages;
  if (pageCount === 0) return null;
  if (pageCount > MAX_PAGE_COUNT) throw tooManyPages(pageCount);
  const named = { name: "pages", list: request.pages ?? "1-" };
  const pages = selectPages(named, { pageCount, limit: MAX_PAGES });
  const scans = await scanPages(document, { pages, maxChars: request.maxChars }, context);
  if (scans.every(({ state }) => state !== "text")) return null;
  const isCapped = pages.length === MAX_PAGES && pages.at(-1)! < pageCount;
  return {
    pageCount,
    pagesRead: pages.length,
    metadata: await readMetadata(document),
    imageCount: 0,
    imagePaths: [],
    renderedPages: [],
    notes: [NOTE, ...(isCapped ? [cappedNote(pages, pageCount)] : [])],
    ...joinTexts(scans, { maxChars: request.maxChars, isCapped, advice: "" }),
  };
}

async function scanPages(
  document: PdfJsDocument,
  { pages, maxChars }: { pages: readonly number[]; maxChars: number },
  { progress, signal }: Reader,
): Promise<PageScan[]> {
  const scans: PageScan[] = [];
  const pacer = createPacer(signal);
  let chars = 0;
  for (const page of pages) {
    const scan = makeScan(page, await withPdfJsPage(document, page, readPage));
    if (chars > maxChars) scan.text = "";
    chars += scan.chars;
    scans.push(scan);
    progress({ message: "pages", done: scans.length, total: pages.length });
    if (pacer.due()) await pacer.rest();
  }
  return scans;
}

async function readPage(page: PdfJsPage): Promise<string> {
  const text = await readPdfJsText(page);
  const notes = await readNotes(page, text).catch(() => []);
  return [text, ...notes].filter((part) => part !== "").join("\n");
}

function makeScan(page: number, found: string | null): PageScan {
  const text = found ?? "";
  return {
    page,
    state: found === null ? "damaged" : text === "" ? "empty" : "text",
    text,
    chars: countCharacters(text),
    lineEnds: countLineEnds(text),
    images: [],
    annotated: false,
    mayHoldText: false,
  };
}

/** A damaged document may have no readable metadata. */
async function readMetadata(document: PdfJsDocument): Promise<Record<string, string>> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} as Record<string, unknown> }));
  return cleanMetadata(METADATA.map((tag) => [tag, typeof info[tag] === "string" ? info[tag] : ""]));
}
