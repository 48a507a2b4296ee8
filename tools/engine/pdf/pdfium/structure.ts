import type { Pdfium } from "./library.ts";
import { readData } from "./strings.ts";

const MAX_ELEMENTS = 20_000;
const MAX_DEPTH = 100;

/** The text that an element of the structure has in place of its content. */
export interface StructuredText {
  /** The same for all content of one element. */
  key: string;
  text: string;
}

/** Returns the texts of a page's structure, by the numbers of the content that they stand for. */
export function structuredTexts(pdfium: Pdfium, page: number): ReadonlyMap<number, StructuredText> {
  const { call } = pdfium;
  const found = new Map<number, StructuredText>();
  let left = MAX_ELEMENTS;
  const visit = (element: number, above: StructuredText | null, depth: number) => {
    if (element === 0 || depth > MAX_DEPTH || left-- <= 0) return;
    const text = above ? null : readText(pdfium, element);
    const own = text === null ? above : { key: `element ${element}`, text };
    if (own) {
      const count = call.FPDF_StructElement_GetMarkedContentIdCount(element);
      for (let at = 0; at < count; at++) {
        found.set(call.FPDF_StructElement_GetMarkedContentIdAtIndex(element, at), own);
      }
    }
    const children = call.FPDF_StructElement_CountChildren(element);
    for (let at = 0; at < children; at++) {
      const content = own ? call.FPDF_StructElement_GetChildMarkedContentID(element, at) : -1;
      if (own && content >= 0) found.set(content, own);
      visit(call.FPDF_StructElement_GetChildAtIndex(element, at), own, depth + 1);
    }
  };
  const tree = call.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return found;
  const count = call.FPDF_StructTree_CountChildren(tree);
  for (let at = 0; at < count; at++) visit(call.FPDF_StructTree_GetChildAtIndex(tree, at), null, 0);
  call.FPDF_StructTree_Close(tree);
  return found;
}

function readText(pdfium: Pdfium, element: number): string | null {
  const bytes = readData(pdfium, (buffer, size, length) => {
    const needed = pdfium.call.FPDF_StructElement_GetActualText(element, buffer, size);
    pdfium.view.setUint32(length, needed, true);
    return needed;
  });
  return bytes && new TextDecoder("utf-16le").decode(bytes.subarray(0, -2));
}
