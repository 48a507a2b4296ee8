import { ToolError } from "../../../../schemas/error.ts";
import type { Pdfium } from "./library.ts";
import { readAnnotations } from "./annotations.ts";
import type { PageLink } from "./links.ts";
import { MAX_PAGE_COUNT, tooManyPages } from "./page_claim.ts";

/** How a page is flattened for looking at it, and that there was something to flatten. */
const FOR_DISPLAY = 0;
const FLATTENED = 1;
const PASSWORD_ERROR = 4;
const SECURITY_ERROR = 5;
const DAMAGED = "damaged";
const MAX_TRIED_PAGES = 1_000;
const MAX_SCANNED_BYTES = 1024 * 1024;
const MAX_TREE_DEPTH = 500;
const MAX_METADATA_CHARS = 1_000;
/** What a document may say about itself, as its information dictionary names it. */
export const METADATA = [
  "Title",
  "Author",
  "Subject",
  "Keywords",
  "Creator",
  "Producer",
  "CreationDate",
  "ModDate",
];

/** A PDF that is open in a PDFium. */
export interface PdfDocument {
  pdfium: Pdfium;
  handle: number;
  pageCount: number;
  /** The form has filled fields, which are not part of their pages yet. */
  hasForm: boolean;
  /** Pages loaded so far that hold values of a form or notes: their words may be missing in the pages. */
  annotated: Set<number>;
  /** Links of the pages loaded so far. */
  links: Map<number, readonly PageLink[]>;
}

/**
 * Opens a PDF.
 *
 * @throws {ToolError} `invalid_input` if it cannot be opened, or not with this password; `limit_exceeded` for more than
 * 100,000 pages
 */
export function openPdf(pdfium: Pdfium, bytes: Uint8Array, password: string | undefined): PdfDocument {
  const file = { pointer: pdfium.place(bytes), size: bytes.length };
  const attempts = password === undefined || password === "" ? [null] : [...spellings(password), null];
  let handle = 0;
  for (const attempt of attempts) {
    handle = load(pdfium, file, attempt);
    if (handle !== 0) break;
    const error = pdfium.call.FPDF_GetLastError();
    if (error !== PASSWORD_ERROR) throw damaged(error);
  }
  if (handle === 0) throw passwordError(password);
  const pageCount = pdfium.call.FPDF_GetPageCount(handle);
  if (pageCount > MAX_PAGE_COUNT) throw tooManyPages(pageCount);
  const hasForm = pdfium.call.FPDF_GetFormType(handle) > 0;
  const document = { pdfium, handle, pageCount, hasForm, annotated: new Set<number>(), links: new Map() };
  if (!hasPage(document)) {
    refuseCircle(bytes);
    throw noPages();
  }
  return document;
}

/** Throws `limit_exceeded` if the page tree leads in a circle: for a file without text, which is not worth saving. */
export function refuseCircle(bytes: Uint8Array): void {
  if (!hasCircle(bytes)) return;
  throw new ToolError("limit_exceeded", "The PDF has a page tree that leads in a circle: it was refused");
}

/** Does some work on a page, numbered from 1; returns `null` if the page cannot be loaded. */
export function withPage<T>(
  document: PdfDocument,
  page: number,
  work: (page: number) => T,
): T | null {
  const { pdfium } = document;
  const loaded = loadPage(document, page - 1);
  if (loaded === 0) return null;
  try {
    return work(loaded);
  } finally {
    pdfium.call.FPDF_ClosePage(loaded);
  }
}

/** Makes the content of fields a part of the page, which must then be loaded again. */
function loadPage({ pdfium, handle, hasForm, annotated, links }: PdfDocument, index: number): number {
  const loaded = pdfium.call.FPDF_LoadPage(handle, index);
  // A flattened annotation is no longer an annotation.
  if (loaded !== 0) {
    const found = readAnnotations(pdfium, handle, loaded);
    if (found.holdsNotes) annotated.add(index + 1);
    links.set(index + 1, found.links);
  }
  if (loaded === 0 || !hasForm || pdfium.call.FPDFPage_Flatten(loaded, FOR_DISPLAY) !== FLATTENED) {
    return loaded;
  }
  pdfium.call.FPDF_ClosePage(loaded);
  return pdfium.call.FPDF_LoadPage(handle, index);
}

/** Returns what the document says about itself, such as title and author. */
export function readMetadata(document: PdfDocument): Record<string, string> {
  return cleanMetadata(METADATA.map((tag) => [tag, metaText(document, tag)]));
}

/** Leaves out empty values and shortens each of the others to one line. */
export function cleanMetadata(
  entries: readonly (readonly [tag: string, value: string])[],
): Record<string, string> {
  const clean = entries.map(([tag, value]) =>
    [tag, value.replace(/[\s\p{Cc}]+/gu, " ").trim().slice(0, MAX_METADATA_CHARS)] as const
  );
  return Object.fromEntries(clean.filter(([, value]) => value !== ""));
}

/** Looks for a page that can be loaded; if the first thousand cannot, it stops. */
function hasPage(document: PdfDocument): boolean {
  const last = Math.min(document.pageCount, MAX_TRIED_PAGES);
  for (let page = 1; page <= last; page++) {
    if (withPage(document, page, () => true)) return true;
  }
  return false;
}

/** Tells whether a branch of the page tree holds itself, as far as it is written without compression. */
function hasCircle(bytes: Uint8Array): boolean {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, MAX_SCANNED_BYTES));
  const kids = new Map<string, string[]>();
  for (const [, id, body] of text.matchAll(/\b(\d+) \d+ obj\b([^]*?)\bendobj\b/g)) {
    const list = /\/Kids\s*\[([^\]]*)\]/.exec(body!)?.[1];
    if (list !== undefined) kids.set(id!, [...list.matchAll(/(\d+) \d+ R/g)].map(([, kid]) => kid!));
  }
  const done = new Set<string>();
  const above = new Set<string>();
  const leadsBack = (id: string): boolean => {
    if (above.has(id)) return true;
    if (done.has(id) || above.size > MAX_TREE_DEPTH) return false;
    above.add(id);
    const found = (kids.get(id) ?? []).some(leadsBack);
    above.delete(id);
    done.add(id);
    return found;
  };
  return [...kids.keys()].some(leadsBack);
}

function noPages(): ToolError {
  return damagedError("The PDF is damaged: it has no page that can be read");
}

/** Older files take the password in Latin-1, newer ones in UTF-8. */
function spellings(password: string): Uint8Array[] {
  const utf8 = new TextEncoder().encode(password);
  if (!/^[\0-\xff]*$/.test(password) || utf8.length === password.length) return [utf8];
  return [utf8, Uint8Array.from(password, (char) => char.charCodeAt(0))];
}

function load(pdfium: Pdfium, file: { pointer: number; size: number }, password: Uint8Array | null): number {
  if (password === null) return pdfium.call.FPDF_LoadMemDocument(file.pointer, file.size, 0);
  return pdfium.borrow(password.length + 1, (pointer) => {
    pdfium.bytes.set([...password, 0], pointer);
    return pdfium.call.FPDF_LoadMemDocument(file.pointer, file.size, pointer);
  });
}

function damaged(error: number): ToolError {
  if (error === SECURITY_ERROR) {
    return damagedError("The PDF is encrypted in a way that is not supported");
  }
  return damagedError(
    "The PDF is damaged or cut off: its structure cannot be read; fetch it again, or repair it with qpdf in Bash",
  );
}

/** Returns the failure for a PDF that PDFium cannot read: another reader may succeed. */
export function damagedError(message: string, cause?: unknown): ToolError {
  return new ToolError("invalid_input", message, { details: { reason_detail: DAMAGED }, cause });
}

/** Tells whether PDFium could not read a PDF, other than for its password or size. */
export function isDamaged(error: unknown): error is ToolError {
  return error instanceof ToolError && error.details.reason_detail === DAMAGED;
}

function passwordError(password: string | undefined): ToolError {
  const message = password === undefined || password === ""
    ? "The PDF is encrypted: pass its password as the argument password"
    : "The PDF is encrypted and the password given is wrong: pass the right one as the argument password";
  return new ToolError("invalid_input", message, {
    details: { argument: "password", reason_detail: password ? "wrong_password" : "no_password" },
  });
}

function metaText({ pdfium, handle }: PdfDocument, tag: string): string {
  const name = new TextEncoder().encode(`${tag}\0`);
  return pdfium.borrow(name.length, (tagPointer) => {
    pdfium.bytes.set(name, tagPointer);
    const size = pdfium.call.FPDF_GetMetaText(handle, tagPointer, 0, 0);
    if (size <= 2) return "";
    return pdfium.borrow(size, (pointer) => {
      pdfium.call.FPDF_GetMetaText(handle, tagPointer, pointer, size);
      return new TextDecoder("utf-16le").decode(pdfium.bytes.slice(pointer, pointer + size - 2));
    });
  });
}
