import { Buffer } from "node:buffer";

import { ToolError } from "../../../schemas/error.ts";
import { readBitmap } from "./pdfium/bitmap.ts";
import { type PdfDocument, withPage } from "./pdfium/document.ts";
import { withPdf } from "./pdfium/open.ts";

/** PDFium unpacks the whole in its memory. */
const MAX_PIXELS = 20_000_000;
const BGRX = 3;
const WHITE = 0xffffffff | 0;

/** What the header of a picture says. */
interface Stored {
  width: number;
  height: number;
  /** Pillow's name for the kind of pixels. */
  mode: string;
}

/** A picture of so many pixels, in RGBA. */
interface Raster {
  width: number;
  height: number;
  pixels: Uint8Array;
}

/**
 * Decodes a JPEG 2000 picture, on white: PDFium knows the format as one that PDFs hold.
 *
 * @throws {ToolError} `invalid_input` if it is damaged; `limit_exceeded` above 20 million pixels
 */
export async function decodeJpeg2000(
  bytes: Uint8Array,
  size: Stored,
): Promise<Raster> {
  const { width, height } = size;
  if (width * height > MAX_PIXELS) {
    throw new ToolError(
      "limit_exceeded",
      `The JPEG 2000 image is too large: ${width} × ${height} pixels, at most ${MAX_PIXELS} in all can be read in this ` +
        "format. Shrink it first, with a program in Bash",
    );
  }
  const file = { bytes: pageOf(bytes, size), password: undefined };
  const raster = await withPdf(
    file,
    (document) => Promise.resolve(withPage(document, 1, (page) => draw(document, page, size))),
  );
  if (raster) return raster;
  throw new ToolError("invalid_input", "The JPEG 2000 image is damaged: it cannot be drawn");
}

/** Makes a PDF whose only page is the picture. */
function pageOf(bytes: Uint8Array, { width, height, mode }: Stored): Uint8Array {
  // A bare code stream does not say what its colours are.
  const colours = bytes[0] === 0xff ? `/ColorSpace /Device${mode.startsWith("L") ? "Gray" : "RGB"} ` : "";
  const content = `${width} 0 0 ${height} 0 0 cm /I Do`;
  const image =
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${colours}/Filter /JPXDecode /Length ${bytes.length} >>`;
  const objects: (string | Uint8Array)[][] = [
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Kids [3 0 R] /Count 1 >>"],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R ` +
      "/Resources << /XObject << /I 5 0 R >> >> >>",
    ],
    [`<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
    [`${image}\nstream\n`, bytes, "\nendstream"],
  ];
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.7\n")];
  const places: number[] = [];
  let at = parts[0]!.length;
  const add = (part: string | Uint8Array) => {
    const given = typeof part === "string" ? Buffer.from(part, "latin1") : part;
    parts.push(given);
    at += given.length;
  };
  objects.forEach((object, index) => {
    places.push(at);
    add(`${index + 1} 0 obj\n`);
    object.forEach(add);
    add("\nendobj\n");
  });
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  add(`${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`);
  return Buffer.concat(parts);
}

function draw(
  { pdfium }: PdfDocument,
  page: number,
  { width, height }: { width: number; height: number },
): Raster | null {
  const { call } = pdfium;
  // What cannot be unpacked would be drawn as nothing.
  const unpacked = call.FPDFImageObj_GetBitmap(call.FPDFPage_GetObject(page, 0));
  if (unpacked === 0) return null;
  call.FPDFBitmap_Destroy(unpacked);
  const bitmap = call.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
  if (bitmap === 0) return null;
  try {
    call.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    call.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, 0);
    const drawn = readBitmap(pdfium, bitmap);
    if (!drawn) return null;
    const { data } = drawn;
    const pixels = new Uint8Array(width * height * 4).fill(255);
    for (let at = 0; at < width * height; at++) pixels.set(data.subarray(at * 3, at * 3 + 3), at * 4);
    return { width, height, pixels };
  } finally {
    call.FPDFBitmap_Destroy(bitmap);
  }
}
