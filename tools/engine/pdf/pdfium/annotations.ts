import type { Pdfium } from "./library.ts";
import { type PageLink, readLink } from "./links.ts";

/** Most annotations that are checked on one page; a page with more counts as holding notes. */
const MAX_ANNOTATIONS = 1_000;
/** PDFium's codes for kinds of annotations. */
const LINK = 2;
const FREE_TEXT = 3;
const WIDGET = 20;
/** Unknown ones, links, and popups, which repeat what their note says. */
const WITHOUT_WORDS: ReadonlySet<number> = new Set([0, LINK, 16]);
/** A field has its value itself, or from the field above it. */
const FIELD_KEYS = ["V", "Parent"];
const NOTE_KEYS = ["Contents"];

/** What lies over a page. */
export interface Annotations {
  /** It holds notes, or form fields with a value. */
  holdsNotes: boolean;
  links: PageLink[];
}

/** Looks at what lies over a loaded page. */
export function readAnnotations(pdfium: Pdfium, document: number, page: number): Annotations {
  const { call } = pdfium;
  const count = call.FPDFPage_GetAnnotCount(page);
  const found: Annotations = { holdsNotes: count > MAX_ANNOTATIONS, links: [] };
  for (let index = 0; index < Math.min(count, MAX_ANNOTATIONS); index++) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    try {
      const link = call.FPDFAnnot_GetSubtype(annotation) === LINK
        ? readLink(pdfium, document, annotation)
        : null;
      if (link) found.links.push(link);
      found.holdsNotes ||= hasWords(pdfium, annotation);
    } finally {
      call.FPDFPage_CloseAnnot(annotation);
    }
  }
  return found;
}

function hasWords(pdfium: Pdfium, annotation: number): boolean {
  const kind = pdfium.call.FPDFAnnot_GetSubtype(annotation);
  if (WITHOUT_WORDS.has(kind)) return false;
  if (kind === FREE_TEXT) return true;
  return (kind === WIDGET ? FIELD_KEYS : NOTE_KEYS).some((key) => hasKey(pdfium, annotation, key));
}

function hasKey(pdfium: Pdfium, annotation: number, key: string): boolean {
  const name = new TextEncoder().encode(`${key}\0`);
  return pdfium.borrow(name.length, (pointer) => {
    pdfium.bytes.set(name, pointer);
    return pdfium.call.FPDFAnnot_HasKey(annotation, pointer) !== 0;
  });
}
