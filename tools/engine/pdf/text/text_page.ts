import type { Pdfium } from "../pdfium/library.ts";
import type { PageLink } from "../pdfium/links.ts";

/** PDFium's code for a hyphen at the end of a line whose word goes on, and its mark for it in whole texts. */
const HYPHEN = 2;
const LINE_HYPHEN = "\ufffe";

/** A page that PDFium has opened for text. */
export class TextPage {
  readonly pdfium: Pdfium;
  readonly handle: number;
  /** How many characters PDFium counts. */
  readonly count: number;
  /** The whole text in PDFium's order, lines ended by CR LF, with U+FFFE for the hyphen of a word that goes on. */
  readonly text: string;
  /** The text has one UTF-16 unit for each character: some of PDFium's characters may have zero or two. */
  readonly isEven: boolean;

  private constructor(pdfium: Pdfium, handle: number) {
    this.pdfium = pdfium;
    this.handle = handle;
    this.count = Math.max(0, pdfium.call.FPDFText_CountChars(handle));
    const text = this.#read();
    this.isEven = text.length === this.count && !/[\ud800-\udfff]/.test(text);
    this.text = this.isEven ? this.#withoutUnknown(text) : text;
  }

  /** Opens a loaded page for the time of some work; returns `null` if it cannot be opened. */
  static use<T>(pdfium: Pdfium, page: number, work: (page: TextPage) => T): T | null {
    const handle = pdfium.call.FPDFText_LoadPage(page);
    if (handle === 0) return null;
    try {
      return work(new TextPage(pdfium, handle));
    } finally {
      pdfium.call.FPDFText_ClosePage(handle);
    }
  }

  /** Returns one of PDFium's characters. */
  characterAt(index: number): string {
    if (this.isEven) return this.text.charAt(index);
    const code = this.pdfium.call.FPDFText_GetUnicode(this.handle, index);
    if (code === HYPHEN) return LINE_HYPHEN;
    return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
  }

  /** Returns the text in a part of the page, in points from the lower left corner. */
  textIn({ left, top, right, bottom }: PageLink): string {
    const { pdfium, handle } = this;
    const get = (pointer: number, length: number) =>
      pdfium.call.FPDFText_GetBoundedText(handle, left, top, right, bottom, pointer, length);
    const length = get(0, 0);
    if (length <= 0) return "";
    return pdfium.borrow((length + 1) * 2, (pointer) => {
      const end = pointer + Math.max(0, get(pointer, length)) * 2;
      return new TextDecoder("utf-16le").decode(pdfium.bytes.slice(pointer, end));
    });
  }

  #read(): string {
    const { pdfium, handle, count } = this;
    return pdfium.borrow((count + 1) * 2, (pointer) => {
      const written = pdfium.call.FPDFText_GetText(handle, 0, count, pointer);
      const end = pointer + Math.max(0, written - 1) * 2;
      return new TextDecoder("utf-16le", { ignoreBOM: true }).decode(pdfium.bytes.subarray(pointer, end));
    });
  }

  /** PDFium marks characters without a meaning as hyphens, too. */
  #withoutUnknown(text: string): string {
    const { pdfium, handle } = this;
    const isHyphen = (index: number) => pdfium.call.FPDFText_GetUnicode(handle, index) === HYPHEN;
    return text.replaceAll(LINE_HYPHEN, (mark, index) => isHyphen(index) ? mark : "\0");
  }
}
