import { webAddress } from "../../web_address.ts";
import type { Pdfium } from "./library.ts";

/** PDFium's code for an action that opens an address. */
const OPENS_ADDRESS = 3;
const MAX_ADDRESS_BYTES = 4096;

/** A place on a page that leads to an address. */
export interface PageLink {
  address: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Reads where an annotation leads; `null` if it leads to no address of the web or of mail. */
export function readLink(pdfium: Pdfium, document: number, annotation: number): PageLink | null {
  const { call } = pdfium;
  const link = call.FPDFAnnot_GetLink(annotation);
  const action = link === 0 ? 0 : call.FPDFLink_GetAction(link);
  if (action === 0 || call.FPDFAction_GetType(action) !== OPENS_ADDRESS) return null;
  const address = webAddress(readAddress(pdfium, document, action));
  if (address === null) return null;
  return pdfium.borrow(16, (pointer) => {
    if (call.FPDFAnnot_GetRect(annotation, pointer) === 0) return null;
    const [left, top, right, bottom] = [0, 4, 8, 12].map((at) =>
      pdfium.view.getFloat32(pointer + at, true)
    ) as [
      number,
      number,
      number,
      number,
    ];
    return { address, left, top, right, bottom };
  });
}

function readAddress(pdfium: Pdfium, document: number, action: number): string {
  const size = pdfium.call.FPDFAction_GetURIPath(document, action, 0, 0);
  if (size <= 1 || size > MAX_ADDRESS_BYTES) return "";
  return pdfium.borrow(size, (pointer) => {
    pdfium.call.FPDFAction_GetURIPath(document, action, pointer, size);
    return new TextDecoder().decode(pdfium.bytes.slice(pointer, pointer + size - 1));
  });
}
