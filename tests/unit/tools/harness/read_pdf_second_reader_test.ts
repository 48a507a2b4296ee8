import { assertEquals } from "@std/assert";
import { deflateSync } from "node:zlib";

import { makePdf, type PdfObject, showLines } from "../../../../scripts/bench/make_pdf.ts";
import readPdf from "../../../../tools/harness/read_pdf.ts";
import { annotatedPdf, refusedPdf } from "../../../support/documents/odd_pdf.ts";
import { workspace } from "../../../support/run_tool.ts";

const LINE = showLines([{ x: 20, y: 150, text: "Some words" }]);
const BOX = "<< /Type /XObject /Subtype /Form /BBox [0 0 180 20] /Resources << /Font << /F1 5 0 R >> >> >>";
const REFUSED_NOTE = "The PDF is damaged: a second reader, pdf.js, read its text; parts may be missing, " +
  "its images are not listed and its pages cannot be drawn";

Deno.test("ReadPDF() loads pdf.js for a file that PDFium refuses, and for no other", async () => {
  using ws = workspace({
    "normal.pdf": makePdf([LINE, "0 0 9 9 re f", LINE]),
    "bad.pdf": refusedPdf(
      showLines([{ x: 20, y: 150, text: "Saved words" }, { x: 20, y: 130, text: "below" }]),
    ),
  });
  assertEquals((await ws.run(readPdf, { path: "normal.pdf" })).ok, true);
  assertEquals("pdfjsWorker" in globalThis, false);
  const { result, warnings } = await ws.run(readPdf, { path: "bad.pdf" });
  assertEquals("pdfjsWorker" in globalThis, true);
  assertEquals(warnings, [REFUSED_NOTE]);
  const { path: _, ...rest } = result;
  assertEquals(rest, {
    source_type: "pdf",
    total_lines: 2,
    truncated: false,
    image_count: 0,
    image_paths_listed: 0,
    image_paths_truncated: false,
    page_count: 1,
    metadata: { Title: "A Report" },
    pages_without_text: [],
    rendered_pages: [],
    image_paths: [],
    content: "Saved words\nbelow",
  });
});

Deno.test("ReadPDF() checks pages and cuts the text of a file that PDFium refuses, as of every other", async () => {
  using ws = workspace({ "bad.pdf": refusedPdf(LINE) });
  const { result } = await ws.run(readPdf, { path: "bad.pdf", max_chars: 4 });
  assertEquals([result.content, result.truncated], ["Some", true]);
  const { error } = await ws.run(readPdf, { path: "bad.pdf", pages: "2" });
  assertEquals(error?.message, 'Error reading PDF: pages "2": page 2 is out of range, the PDF has 1 page');
});

Deno.test("ReadPDF() reads the pages that are there of a file that was cut off", async () => {
  const whole = makePdf([1, 2, 3, 4].map((page) => showLines([{ x: 20, y: 150, text: `Page ${page}` }])));
  const at = (text: string) => new TextDecoder("latin1").decode(whole).indexOf(text);
  using ws = workspace({
    "table.pdf": whole.subarray(0, at("xref")),
    "half.pdf": whole.subarray(0, at("Page 3") + 2),
    // The catalogue and the tree of pages are gone.
    "head.pdf": new Uint8Array([...whole.subarray(0, 9), ...whole.subarray(at("3 0 obj"), at("Page 3"))]),
  });
  for (
    const [path, content] of [
      ["table.pdf", "Page 1\n\fPage 2\n\fPage 3\n\fPage 4"],
      ["half.pdf", "Page 1\n\fPage 2\n\f[Page 3 has no text layer]"],
      ["head.pdf", "Page 1\n\fPage 2\n\f[Page 3 has no text layer]"],
    ]
  ) {
    const { result, warnings, text } = await ws.run(readPdf, { path });
    assertEquals([result?.content.slice(0, content!.length), warnings], [content, [REFUSED_NOTE]], text);
  }
});

Deno.test("ReadPDF() keeps PDFium's refusal where pdf.js finds no text either", async () => {
  using ws = workspace({
    "none.pdf": refusedPdf("0 0 9 9 re f"),
    "cut.pdf": makePdf([LINE]).subarray(0, 200),
    "empty.pdf": makePdf([]),
  });
  for (const path of ["none.pdf", "cut.pdf", "empty.pdf"]) {
    const { error } = await ws.run(readPdf, { path });
    assertEquals([error?.code, error?.message.startsWith("Error reading PDF: The PDF is damaged")], [
      ...["invalid_input", true],
    ]);
  }
});

Deno.test("ReadPDF() refuses what bursts in pdf.js", async () => {
  const inflating = deflateSync(deflateSync(new Uint8Array(300 * 1024 * 1024), { level: 9 }));
  using ws = workspace({
    "bomb.pdf": refusedPdf(inflating, "/Filter [/FlateDecode /FlateDecode]"),
    "good.pdf": refusedPdf(LINE),
  });
  const { error } = await ws.run(readPdf, { path: "bomb.pdf" });
  assertEquals([error?.code, error?.message], [
    "limit_exceeded",
    "Error reading PDF: The PDF needs too much memory when it is unpacked: it was refused",
  ]);
  assertEquals((await ws.run(readPdf, { path: "good.pdf" })).result.content, "Some words");
});

Deno.test("ReadPDF() reads with pdf.js the page that PDFium finds empty", async () => {
  // PDFium does not know the first of these filters, which leaves the bytes as they are.
  const hex = [...new TextEncoder().encode(LINE)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytes = makePdf([`${hex}>`]);
  const text = new TextDecoder("latin1").decode(bytes).replace(
    "/Length",
    "/Filter [/Crypt /ASCIIHexDecode] /Length",
  );
  using ws = workspace({ "a.pdf": Uint8Array.from(text, (char) => char.charCodeAt(0)) });
  const { result, warnings } = await ws.run(readPdf, { path: "a.pdf" });
  assertEquals([result.content, result.pages_without_text], ["Some words", []]);
  assertEquals(warnings, [
    "PDFium found no text: a second reader, pdf.js, read that of page 1; parts may be missing",
  ]);
});

Deno.test("ReadPDF() adds the values of fields that have no appearance", async () => {
  const fields = [
    "/Subtype /Widget /FT /Tx /T (name) /V (Ada\\nLovelace)",
    "/Subtype /Widget /FT /Tx /T (empty) /V ()",
    "/Subtype /Widget /FT /Tx /T (secret) /Ff 8192 /V (hidden)",
    "/Subtype /Widget /FT /Ch /T (town) /Opt [[(l) (London)] [(p) (Paris)]] /V (p)",
    "/Subtype /Widget /FT /Btn /T (agree) /V /Yes /AS /Yes /AP << /N << /Yes 12 0 R /Off 12 0 R >> >>",
    "/Subtype /Widget /FT /Btn /T (news) /V /Off /AS /Off /AP << /N << /Yes 12 0 R /Off 12 0 R >> >>",
  ];
  const form = "/AcroForm << /Fields [6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 11 0 R] >>";
  const objects: PdfObject[] = [[BOX, ""]];
  using ws = workspace({
    "form.pdf": annotatedPdf(LINE, fields, { form, objects }),
    "blank.pdf": annotatedPdf("", fields.slice(0, 1), { form: "/AcroForm << /Fields [6 0 R] >>" }),
  });
  const { result, warnings } = await ws.run(readPdf, { path: "form.pdf" });
  assertEquals(
    result.content,
    "Some words\n[form] name: Ada Lovelace\n[form] town: Paris\n[form] agree: Yes",
  );
  assertEquals([result.total_lines, warnings], [4, []]);
  const blank = (await ws.run(readPdf, { path: "blank.pdf" })).result;
  assertEquals([blank.content, blank.pages_without_text], ["[form] name: Ada Lovelace", []]);
});

Deno.test("ReadPDF() repeats no value that the page shows already, also where the page has the same words", async () => {
  const objects: PdfObject[] = [[BOX, "BT /F1 12 Tf 2 5 Td (Some) Tj ET"]];
  const field = "/Subtype /Widget /FT /Tx /T (one) /V (Some)";
  const form = "/AcroForm << /Fields [6 0 R] >>";
  using ws = workspace({
    "shown.pdf": annotatedPdf(LINE, [`${field} /AP << /N 7 0 R >>`], { form, objects }),
    "hidden.pdf": annotatedPdf(LINE, [field], { form }),
  });
  assertEquals((await ws.run(readPdf, { path: "shown.pdf" })).result.content, "Some words\nSome");
  assertEquals(
    (await ws.run(readPdf, { path: "hidden.pdf" })).result.content,
    "Some words\n[form] one: Some",
  );
});

Deno.test("ReadPDF() adds notes and addresses of links, but not what is hidden", async () => {
  const notes = [
    "/Subtype /Text /Contents (Look\\nhere) /T (Ann)",
    "/Subtype /Highlight /QuadPoints [20 40 200 40 20 20 200 20] /Contents (Is this right?)",
    "/Subtype /FreeText /DA (/F1 9 Tf) /Contents (Free text)",
    "/Subtype /Popup /Parent 6 0 R /Contents (Look here)",
    "/Subtype /Link /A << /S /URI /URI (http://example.com/) >> /Contents (A link)",
  ];
  using ws = workspace({
    "notes.pdf": annotatedPdf(LINE, [...notes, "/Subtype /Text /F 2 /Contents (Hidden note)"]),
  });
  assertEquals(
    (await ws.run(readPdf, { path: "notes.pdf" })).result.content,
    "Some words\n[link] http://example.com/\n[note] Look here\n[note] Is this right?\n[note] Free text",
  );
});
