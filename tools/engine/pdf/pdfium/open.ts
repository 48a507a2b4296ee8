import { ToolError } from "../../../../schemas/error.ts";
import { damagedError, openPdf, type PdfDocument } from "./document.ts";
import { Pdfium } from "./library.ts";

/** A PDFium with more memory than this, in bytes, is dropped. */
const MAX_KEPT_BYTES = 48 * 1024 * 1024;
/** PDFium for the next document: a new one each time would hold much memory until garbage collection. */
const idle: Pdfium[] = [];

/**
 * Does some work on a PDF in a PDFium that holds no other document.
 *
 * @throws {ToolError} `invalid_input` for damaged files and wrong passwords; `limit_exceeded` for what would burst
 */
export async function withPdf<T>(
  { bytes, password }: { bytes: Uint8Array; password: string | undefined },
  work: (document: PdfDocument) => Promise<T>,
): Promise<T> {
  const pdfium = idle.pop() ?? await Pdfium.open();
  try {
    const result = await work(openPdf(pdfium, bytes, password));
    if (!pdfium.burst && pdfium.bytes.length <= MAX_KEPT_BYTES) {
      pdfium.reset();
      idle.push(pdfium);
    }
    return result;
  } catch (error) {
    if (error instanceof ToolError || !isEngineError(error)) throw error;
    throw engineError(error, pdfium);
  }
}

function isEngineError(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

/** PDFium aborts when it cannot go on; it is not used after that. */
function engineError(error: unknown, { burst }: Pdfium): ToolError {
  if (burst || error instanceof RangeError) {
    return new ToolError(
      "limit_exceeded",
      "The PDF needs too much memory when it is unpacked: it was refused",
      {
        cause: error,
      },
    );
  }
  return damagedError("The PDF is damaged: the PDF engine broke off while it read it", error);
}
