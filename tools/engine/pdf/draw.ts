import { ToolError } from "../../../schemas/error.ts";
import { readBitmap } from "./pdfium/bitmap.ts";
import { type PdfDocument, withPage } from "./pdfium/document.ts";
import { PdfImages } from "./images.ts";
import { encodePng } from "../encode_png.ts";

/** Longest edge of a drawn page, in pixels: vision models see no more. */
const MAX_EDGE = 1568;
/** Largest enlargement: 300 dots per inch. */
const MAX_SCALE = 300 / 72;
/** Most pixels of all images on a page: what PDFium unpacks for a picture of it. */
const MAX_IMAGE_PIXELS = 200_000_000;
const BGRX = 3;
const WHITE = 0xffffffff | 0;
const WITH_ANNOTATIONS = 1;

/**
 * Draws a page, numbered from 1, as PNG.
 *
 * @throws {ToolError} `invalid_input` if the page cannot be drawn; `limit_exceeded` for images of more than 200 megapixels
 */
export function drawPage(document: PdfDocument, page: number): Uint8Array {
  const png = withPage(document, page, (loaded) => {
    const pixels = new PdfImages(document.pdfium).pixels(loaded);
    if (pixels > MAX_IMAGE_PIXELS) throw tooManyPixels(page, pixels);
    return draw(document, loaded);
  });
  if (png === null) throw new ToolError("invalid_input", `Page ${page} is damaged: it cannot be drawn`);
  return png;
}

function tooManyPixels(page: number, pixels: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `Page ${page} cannot be drawn: its images have ${pixels} pixels, more than ${MAX_IMAGE_PIXELS}`,
    { details: { page, pixels, max_pixels: MAX_IMAGE_PIXELS } },
  );
}

function draw({ pdfium }: PdfDocument, page: number): Uint8Array | null {
  const { call } = pdfium;
  const [width, height] = pixelSize(call.FPDF_GetPageWidthF(page), call.FPDF_GetPageHeightF(page));
  const bitmap = call.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
  if (bitmap === 0) return null;
  try {
    call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    call.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS);
    const pixels = readBitmap(pdfium, bitmap);
    return pixels && encodePng(pixels);
  } finally {
    call.FPDFBitmap_Destroy(bitmap);
  }
}

function pixelSize(width: number, height: number): [number, number] {
  const scale = Math.min(MAX_SCALE, MAX_EDGE / Math.max(width, height, 1));
  const pixels = (points: number) => Math.min(MAX_EDGE, Math.max(1, Math.round(points * scale) || 1));
  return [pixels(width), pixels(height)];
}
