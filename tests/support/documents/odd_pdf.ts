import { type PdfObject, writePdf } from "../../../scripts/bench/make_pdf.ts";

/** A PDF that PDFium refuses: its table of objects takes the page for its text. */
export function refusedPdf(content: string | Uint8Array, filter = ""): Uint8Array<ArrayBuffer> {
  const bytes = writePdf([
    ["<< /Type /Catalog /Pages 2 0 R >>"],
    ["<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 200] >>"],
    ["<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"],
    [`<< ${filter} >>`, content],
    ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"],
    ["<< /Title (A Report) >>"],
  ]);
  const text = new TextDecoder("latin1").decode(bytes);
  const table = text.lastIndexOf("xref\n0 ");
  const rows = text.slice(table).split("\n");
  [rows[5], rows[6]] = [rows[6]!, rows[5]!];
  return new Uint8Array([...bytes.subarray(0, table), ...new TextEncoder().encode(rows.join("\n"))]);
}

/** A page with annotations, each the rest of its dictionary; they are numbered from 6, further objects after them. */
export function annotatedPdf(
  content: string,
  annotations: readonly string[],
  { form = "", objects = [] }: { form?: string; objects?: readonly PdfObject[] } = {},
): Uint8Array<ArrayBuffer> {
  const numbers = annotations.map((_, index) => `${6 + index} 0 R`).join(" ");
  return writePdf([
    [`<< /Type /Catalog /Pages 2 0 R ${form} >>`],
    ["<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 200] >>"],
    [
      "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> " +
      `/Annots [${numbers}] >>`,
    ],
    ["<< >>", content],
    ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"],
    ...annotations.map((
      rest,
    ): PdfObject => [`<< /Type /Annot /Rect [20 20 200 40] /F 4 /P 3 0 R ${rest} >>`]),
    ...objects,
    ["<< >>"],
  ]);
}
