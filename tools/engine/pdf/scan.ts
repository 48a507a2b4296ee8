import { countCharacters } from "../file/characters.ts";
import { type PdfDocument, withPage } from "./pdfium/document.ts";
import { PdfImages } from "./images.ts";
import { readPageText } from "./text/text.ts";

/** How many pages a thread takes at a time. */
const PAGES_A_TURN = 4;

/** What one page holds. Plain data: it crosses threads. */
export interface PageScan {
  page: number;
  state: "text" | "empty" | "damaged";
  /** Empty if the text is no longer needed. */
  text: string;
  /** Code points of its whole text. */
  chars: number;
  lineEnds: number;
  /** Keys of its images. */
  images: string[];
  /** It holds values of a form or notes, which its text may not show. */
  annotated: boolean;
  /** It shows no text, but is not only a picture. */
  mayHoldText: boolean;
}

/** The pages of a document, which several threads scan together. Plain data: it crosses threads. */
export interface ScanJob {
  pages: readonly number[];
  /** How much text is wanted, in code points. */
  maxChars: number;
  /** Pages taken, and characters found, by all threads. */
  counters: SharedArrayBuffer;
}

/** Makes a job of scanning pages. */
export function makeScanJob(pages: readonly number[], maxChars: number): ScanJob {
  return { pages, maxChars, counters: new SharedArrayBuffer(8) };
}

/** Scans the next pages of a job that no thread has taken yet; `null` if no page is left. */
export function scanNext(document: PdfDocument, job: ScanJob): PageScan[] | null {
  const counters = new Int32Array(job.counters);
  const first = Atomics.add(counters, 0, PAGES_A_TURN);
  if (first >= job.pages.length) return null;
  // What counts here was found on earlier pages: those taken later cannot be done before these are taken.
  let wanted = Atomics.load(counters, 1) < job.maxChars;
  const images = new PdfImages(document.pdfium);
  return job.pages.slice(first, first + PAGES_A_TURN).map((page) => {
    const scan = scanPage(document, page, images);
    if (!wanted) scan.text = "";
    wanted &&= Atomics.add(counters, 1, Math.min(scan.chars, job.maxChars)) < job.maxChars;
    return scan;
  });
}

function scanPage(document: PdfDocument, page: number, images: PdfImages): PageScan {
  const scan = withPage(document, page, (loaded): PageScan => {
    const text = readPageText(document, loaded, document.links.get(page));
    const state = text === "" ? "empty" : "text";
    return {
      page,
      state,
      text,
      chars: countCharacters(text),
      lineEnds: countLineEnds(text),
      images: images.keys(loaded),
      annotated: document.annotated.has(page),
      mayHoldText: state === "empty" && !images.isPicture(loaded),
    };
  });
  if (scan !== null) return scan;
  return {
    ...{ page, state: "damaged", text: "", chars: 0, lineEnds: 0, images: [] },
    ...{ annotated: false, mayHoldText: true },
  };
}

/** Counts the ends of lines in a text. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
