import type { Artifacts, ToolContext } from "../../../schemas/context.ts";
import { ToolError } from "../../../schemas/error.ts";
import { createPacer } from "../pacer.ts";
import { selectPages } from "./page_ranges.ts";
import { isDamaged, type PdfDocument, readMetadata, refuseCircle, withPage } from "./pdfium/document.ts";
import { drawPage } from "./draw.ts";
import { PdfImages } from "./images.ts";
import { cappedNote, joinTexts, MAX_PAGES } from "./join.ts";
import { withPdf } from "./pdfium/open.ts";
import type { PdfReading, PdfRequest } from "./reading.ts";
import { makeScanJob, type PageScan, scanNext } from "./scan.ts";
import type { ScanAnswer, ScanRequest } from "./thread.ts";

const MAX_DRAWN_PAGES = 50;
/** Fewer pages are read faster by one thread. */
const LEAST_SHARED_PAGES = 64;

/** What to do about a page without text. */
const ADVICE = "; use render_pages to see it as an image";

type Reader = Pick<ToolContext, "artifacts" | "progress" | "signal" | "threads">;

/**
 * Reads a PDF: its text page by page, its images and drawn pages, which become artifacts. A helper thread, if there is
 * one, takes its part of long documents. PDFium reads; where it fails or does not show the words of fields and notes,
 * pdf.js helps.
 *
 * @throws {ToolError} `invalid_input` for damaged files, wrong passwords and wrong page lists; `limit_exceeded` for what
 * would burst
 */
export async function readPdf(bytes: Uint8Array, request: PdfRequest, context: Reader): Promise<PdfReading> {
  const file = { bytes, password: request.password };
  try {
    return await withPdf(file, (document) => read(document, { bytes, request }, context));
  } catch (error) {
    if (!isDamaged(error)) throw error;
    const { readRefused } = await import("./refused.ts");
    return readRefused(bytes, { request, refusal: error }, context);
  }
}

async function read(
  document: PdfDocument,
  { bytes, request }: { bytes: Uint8Array; request: PdfRequest },
  context: Reader,
): Promise<PdfReading> {
  const { pageCount } = document;
  const named = { name: "pages", list: request.pages ?? "1-" };
  const pages = selectPages(named, { pageCount, limit: MAX_PAGES });
  const drawn = pagesToDraw(document, request.renderPages);
  const scans = await scanPages(document, { bytes, request, pages }, context);
  if (scans.every(({ state }) => state !== "text")) refuseCircle(bytes);
  const more = await readMore(scans, { bytes, request }, context);
  const { notes, ...images } = await takeImages(document, { scans, max: request.maxImages }, context);
  const isCapped = pages.length === MAX_PAGES && pages.at(-1)! < pageCount;
  return {
    pageCount,
    pagesRead: pages.length,
    metadata: readMetadata(document),
    ...images,
    renderedPages: await drawPages(document, drawn, context),
    notes: [
      ...more,
      ...notes,
      ...attachmentNotes(document),
      ...(isCapped ? [cappedNote(pages, pageCount)] : []),
    ],
    ...joinTexts(scans, { maxChars: request.maxChars, isCapped, advice: ADVICE }),
  };
}

/** Adds what only pdf.js finds, and loads pdf.js only if needed; returns notes about it. */
async function readMore(
  scans: PageScan[],
  file: { bytes: Uint8Array; request: PdfRequest },
  context: Reader,
): Promise<string[]> {
  const isEmpty = scans.every(({ state }) => state !== "text");
  const pages = scans.filter(({ annotated, mayHoldText }) => annotated || (isEmpty && mayHoldText));
  if (pages.length === 0) return [];
  const { addMore } = await import("./more.ts");
  return addMore(pages, file, context);
}

interface Scanning {
  bytes: Uint8Array;
  request: PdfRequest;
  pages: readonly number[];
}

/** Scans the pages, on this thread and the helper, and returns them in order. */
async function scanPages(
  document: PdfDocument,
  { bytes, request, pages }: Scanning,
  context: Reader,
): Promise<PageScan[]> {
  const job = makeScanJob(pages, request.maxChars);
  const [helper] = pages.length < LEAST_SHARED_PAGES ? [] : context.threads;
  const helped = helper ? askHelper(helper, { bytes: shared(bytes), password: request.password, job }) : null;
  const all: PageScan[] = [];
  const pacer = createPacer(context.signal);
  for (let scans = scanNext(document, job); scans !== null; scans = scanNext(document, job)) {
    all.push(...scans);
    context.progress({ message: "pages", done: all.length, total: pages.length });
    if (pacer.due()) await pacer.rest();
  }
  if (helped) all.push(...await helped);
  return all.sort((a, b) => a.page - b.page);
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}

function askHelper(port: MessagePort, request: ScanRequest): Promise<PageScan[]> {
  const { promise, resolve, reject } = Promise.withResolvers<PageScan[]>();
  // This thread may fail first, and then no code waits for it.
  promise.catch(() => {});
  const all: PageScan[] = [];
  port.onmessage = ({ data }: MessageEvent<ScanAnswer>) => {
    if ("scans" in data) all.push(...data.scans);
    else if (data.end === null) resolve(all);
    else reject(new ToolError(data.end.code, data.end.message, data.end));
  };
  port.postMessage(request);
  return promise;
}

/** Writes the first images of the document, each once. */
async function takeImages(
  document: PdfDocument,
  { scans, max }: { scans: readonly PageScan[]; max: number },
  { artifacts }: Reader,
): Promise<Pick<PdfReading, "imageCount" | "imagePaths" | "notes">> {
  const finder = new PdfImages(document.pdfium);
  const numbers = new Map<string, number>();
  const imagePaths: string[] = [];
  const notes: string[] = [];
  for (const { page, images } of scans) {
    const fresh = images.filter((key) => !numbers.has(key));
    for (const key of fresh) numbers.set(key, numbers.size + 1);
    if (fresh.length === 0 || imagePaths.length >= max) continue;
    const found = withPage(
      document,
      page,
      (
        loaded,
      ) => [...finder.extract(loaded, new Set(fresh.slice(0, max - imagePaths.length + fresh.length)))],
    ) ?? [];
    for (const [key, file] of found) {
      const number = numbers.get(key)!;
      if (typeof file === "string") notes.push(`Image ${number} on page ${page} was not written: ${file}`);
      else if (imagePaths.length < max) {
        const name = `page-${page}-image-${number}.${file.suffix}`;
        imagePaths.push(await writeImage(artifacts, { name, bytes: file.bytes }));
      }
    }
  }
  return { imageCount: numbers.size, imagePaths, notes };
}

function attachmentNotes({ pdfium, handle }: PdfDocument): string[] {
  const count = pdfium.call.FPDFDoc_GetAttachmentCount(handle);
  if (count <= 0) return [];
  return [`Not in the text: ${count === 1 ? "1 embedded file" : `${count} embedded files`}`];
}

function pagesToDraw({ pageCount }: PdfDocument, list: string | undefined): number[] {
  if (list === undefined) return [];
  const pages = selectPages({ name: "render_pages", list }, { pageCount, limit: MAX_DRAWN_PAGES + 1 });
  if (pages.length <= MAX_DRAWN_PAGES) return pages;
  throw new ToolError(
    "limit_exceeded",
    `render_pages names more than ${MAX_DRAWN_PAGES} pages: ask for fewer at a time`,
  );
}

async function writeImage(artifacts: Artifacts, image: { name: string; bytes: Uint8Array }): Promise<string> {
  const { path } = await artifacts.write(image.name, image.bytes);
  return path;
}

async function drawPages(
  document: PdfDocument,
  pages: readonly number[],
  context: Reader,
): Promise<PdfReading["renderedPages"]> {
  const drawn: PdfReading["renderedPages"] = [];
  const pacer = createPacer(context.signal);
  for (const page of pages) {
    const bytes = drawPage(document, page);
    drawn.push({ page, path: await writeImage(context.artifacts, { name: `page-${page}.png`, bytes }) });
    context.progress({ message: "pages", done: drawn.length, total: pages.length });
    if (pacer.due()) await pacer.rest();
  }
  return drawn;
}
