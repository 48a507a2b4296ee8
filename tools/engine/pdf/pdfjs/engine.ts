import { boundMemory } from "./bounded.ts";

/** A module by itself, which the binary holds compressed. */
const pdfjs = await import("unpdf/pdfjs");

/** Largest image that is unpacked, in pixels: the text needs no images. */
const MAX_IMAGE_PIXELS = 1;

/** A document that is open in pdf.js; pages are numbered from 1. */
export interface PdfJsDocument {
  numPages: number;
  getPage(page: number): Promise<PdfJsPage>;
  getMetadata(): Promise<{ info: Record<string, unknown> }>;
}

/** A page that is open in pdf.js. */
export interface PdfJsPage {
  streamTextContent(): ReadableStream<{ items: PdfJsText[] }>;
  getAnnotations(): Promise<PdfJsAnnotation[]>;
  cleanup(): void;
}

/** A piece of text where it stands, in points. */
export interface PdfJsText {
  str: string;
  /** The last is the height of its base line. */
  transform: number[];
  height: number;
  hasEOL: boolean;
}

/** A note, a link or a field of a form. In damaged files any field may be missing. */
export interface PdfJsAnnotation {
  subtype?: string;
  annotationFlags?: number;
  contentsObj?: { str: string };
  /** The text of its picture. */
  textContent?: string[];
  fieldName?: string;
  fieldType?: string;
  fieldValue?: unknown;
  /** Values of a list and how they are shown. */
  options?: { exportValue: string; displayValue: string }[];
  checkBox?: boolean;
  radioButton?: boolean;
  pushButton?: boolean;
  password?: boolean;
  /** The value of the radio button, where the field has that of the one that is on. */
  buttonValue?: string | null;
}

/**
 * Does some work on a PDF in pdf.js: it is slower than PDFium but reads more damaged files. Import it only
 * where PDFium is not enough: loading it takes time and memory. Throws pdf.js's own errors, and
 * `limit_exceeded` for what would burst.
 *
 * @param file.password Tried first; then the file is tried without it: some files need it only for changes
 */
export function withPdfJs<T>(
  file: { bytes: Uint8Array; password: string | undefined },
  work: (document: PdfJsDocument) => Promise<T>,
): Promise<T> {
  return boundMemory(() => tryPasswords(file, work));
}

/** Does some work on a page; returns `null` if it cannot be done. */
export async function withPdfJsPage<T>(
  document: PdfJsDocument,
  page: number,
  work: (page: PdfJsPage) => Promise<T>,
): Promise<T | null> {
  try {
    const open = await document.getPage(page);
    const done = await work(open);
    open.cleanup();
    return done;
  } catch {
    // If one page is damaged, the others may still be whole.
    return null;
  }
}

async function tryPasswords<T>(
  { bytes, password }: { bytes: Uint8Array; password: string | undefined },
  work: (document: PdfJsDocument) => Promise<T>,
): Promise<T> {
  const attempts = password === undefined || password === "" ? [undefined] : [password, undefined];
  for (const [index, attempt] of attempts.entries()) {
    const task = open(bytes, attempt);
    try {
      const document = await task.promise.catch((error) => {
        if (index === attempts.length - 1 || error?.name !== "PasswordException") throw error;
        return null;
      });
      if (document !== null) return await work(document as unknown as PdfJsDocument);
    } finally {
      await task.destroy();
    }
  }
  throw new TypeError("No password was tried");
}

function open(bytes: Uint8Array, password: string | undefined) {
  return pdfjs.getDocument({
    // pdf.js takes over the memory that it gets, so it gets a copy.
    data: new Uint8Array(bytes),
    ...(password === undefined ? {} : { password }),
    verbosity: pdfjs.VerbosityLevel.ERRORS,
    maxImageSize: MAX_IMAGE_PIXELS,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
  });
}
