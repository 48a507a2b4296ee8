import { assertEquals } from "@std/assert";

import readPdf from "../../../../tools/harness/read_pdf.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("ReadPDF() reads what the fields of a form show", async () => {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [4 0 R] >> >>",
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Annots [4 0 R] >>",
    "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /Rect [20 20 200 40] /F 4 /P 3 0 R /AP << /N 5 0 R >> >>",
    "<< /Type /XObject /Subtype /Form /BBox [0 0 180 20] /Resources << /Font << /F1 6 0 R >> >> /Length 40 >>\n" +
    "stream\nBT /F1 12 Tf 2 5 Td (Ada Lovelace) Tj ET\nendstream",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  const body = objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join("");
  using ws = workspace({ "form.pdf": `%PDF-1.7\n${body}trailer << /Root 1 0 R >>\n%%EOF\n` });
  const { result } = await ws.run(readPdf, { path: "form.pdf" });
  assertEquals([result.content.trim(), result.pages_without_text], ["Ada Lovelace", []]);
});
