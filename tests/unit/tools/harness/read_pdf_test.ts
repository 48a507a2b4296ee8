import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { deflateSync } from "node:zlib";

import { makePdf, type PdfObject, showLines, writePdf } from "../../../../scripts/bench/make_pdf.ts";
import { joinTexts } from "../../../../tools/engine/pdf/join.ts";
import type { PageScan } from "../../../../tools/engine/pdf/scan.ts";
import readPdf from "../../../../tools/harness/read_pdf.ts";
import { type Ran, workspace } from "../../../support/run_tool.ts";

const TWO_PAGES = makePdf([line("First page"), line("Second page")], {
  info: "/Title (A Report) /Author (Ann Author) /CreationDate (D:20240102030405Z)",
});
const IMAGE_DICTIONARY = "<< /Type /XObject /Subtype /Image /ColorSpace /DeviceRGB /BitsPerComponent 8";
const PIXELS = Uint8Array.from({ length: 16 * 8 * 3 }, (_, index) => index % 256);
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xd9);
const FIXTURES = new URL("../../../fixtures/documents/", import.meta.url);

Deno.test("ReadPDF() returns the documented lines in the documented order", async () => {
  using ws = workspace({ "a.pdf": TWO_PAGES });
  assertEquals(
    (await ws.run(readPdf, { path: "a.pdf" })).text,
    [
      `path: ${ws.at("a.pdf")}`,
      "source_type: pdf",
      "total_lines: 2",
      "truncated: false",
      "image_count: 0",
      "image_paths_listed: 0",
      "image_paths_truncated: false",
      "page_count: 2",
      "title: A Report",
      "author: Ann Author",
      "creation_date: D:20240102030405Z",
      "content:",
      "First page",
      "\fSecond page",
    ].join("\n"),
  );
});

Deno.test("ReadPDF() cuts the text at max_chars and still counts all lines", async () => {
  using ws = workspace({ "a.pdf": TWO_PAGES });
  const { result } = await ws.run(readPdf, { path: "a.pdf", max_chars: 5 });
  assertEquals([result.content, result.truncated, result.total_lines], ["First", true, 2]);
});

Deno.test("joinTexts() counts code points, also of characters that are two units long", () => {
  const bounds = { isCapped: false, advice: "" };
  const scan: PageScan = {
    ...{ page: 1, state: "text", text: "😀😀😀", chars: 3, lineEnds: 0, images: [] },
    ...{ annotated: false, mayHoldText: false },
  };
  const found = [1, 2, 3].map((maxChars) => joinTexts([scan], { maxChars, ...bounds }));
  assertEquals(found.map(({ text, truncated }) => [text, truncated]), [
    ["😀", true],
    ["😀😀", true],
    ["😀😀😀", false],
  ]);
});

Deno.test("ReadPDF() reads the pages asked for", async () => {
  const pages = [1, 2, 3, 4].map((page) => line(`Page ${page}`));
  using ws = workspace({ "a.pdf": makePdf(pages) });
  const { result } = await ws.run(readPdf, { path: "a.pdf", pages: "4,1-2" });
  assertEquals([result.content, result.page_count], ["Page 1\n\fPage 2\n\fPage 4", 4]);
});

Deno.test("ReadPDF() notes pages without a text layer", async () => {
  using ws = workspace({ "scan.pdf": makePdf(["0 0 100 100 re f", line("words")]) });
  const { result, text } = await ws.run(readPdf, { path: "scan.pdf" });
  assertEquals(result.pages_without_text, [1]);
  assertStringIncludes(text, "\npages_without_text: 1\n");
  assertEquals(result.content, "[Page 1 has no text layer; use render_pages to see it as an image]\n\fwords");
});

Deno.test("ReadPDF() reads Chinese, Japanese and Korean without embedded fonts", async () => {
  for (
    const [ordering, encoding, hex, expected] of [
      ["GB1", "GBK-EUC-H", "D6D0CEC4", "中文"],
      ["GB1", "UniGB-UCS2-H", "4E2D6587", "中文"],
      ["CNS1", "ETen-B5-H", "A4A4A4E5", "中文"],
      ["Japan1", "90ms-RKSJ-H", "93FA967B8CEA", "日本語"],
      ["Korea1", "KSCms-UHC-H", "C7D1B1B9BEEE", "한국어"],
    ] as const
  ) {
    const objects: PdfObject[] = [
      [`<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [5 0 R] >>`],
      [
        "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /FontDescriptor 6 0 R " +
        `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> >>`,
      ],
      ["<< /Type /FontDescriptor /FontName /Song /Flags 4 /Ascent 800 /Descent -200 /FontBBox [0 0 1000 1000] >>"],
    ];
    const content = `BT /F2 20 Tf 50 700 Td <${hex}> Tj ET`;
    const bytes = makePdf([content], { objects, resources: "" });
    const page = new TextDecoder("latin1").decode(bytes).replace("/F1 3 0 R >>", "/F2 4 0 R >>");
    using ws = workspace({ "cjk.pdf": Uint8Array.from(page, (char) => char.charCodeAt(0)) });
    assertEquals((await ws.run(readPdf, { path: "cjk.pdf" })).result.content, expected, encoding);
  }
});

Deno.test("ReadPDF() writes each embedded image once", async () => {
  using ws = workspace({ "a.pdf": imagesPdf() });
  const { result, text, warnings } = await ws.run(readPdf, { path: "a.pdf" });
  assertEquals([result.image_count, result.image_paths_listed, result.image_paths_truncated], [2, 2, false]);
  const paths = ["page-1-image-1.png", "page-2-image-2.jpg"].map((name) => ws.at(`.artifacts/${name}`));
  assertStringIncludes(text, `\nimage_paths:\n${paths.join("\n")}\ncontent:\n`);
  const png = ws.bytes(".artifacts/page-1-image-1.png");
  const view = new DataView(png.buffer);
  assertEquals([view.getUint32(16), view.getUint32(20)], [16, 8]);
  assertEquals(ws.bytes(".artifacts/page-2-image-2.jpg"), JPEG);
  assertEquals(warnings, []);
});

Deno.test("ReadPDF() counts small images, but no lines and spacers", async () => {
  for (const [width, height, expected] of [[2, 2, 2], [1, 8, 1], [16, 1, 1]] as const) {
    using ws = workspace({ "a.pdf": imagesPdf({ width, height }) });
    assertEquals((await ws.run(readPdf, { path: "a.pdf" })).result.image_count, expected);
  }
});

Deno.test("ReadPDF() writes no more images than asked for, and none that would burst", async () => {
  using ws = workspace({ "a.pdf": imagesPdf(), "b.pdf": imagesPdf({ width: 60_000, height: 60_000 }) });
  const few = await ws.run(readPdf, { path: "a.pdf", max_image_paths: 1 });
  assertEquals(
    [few.result.image_count, few.result.image_paths_listed, few.result.image_paths_truncated],
    [2, 1, true],
  );
  const all = await ws.run(readPdf, { path: "a.pdf", max_image_paths: 2 });
  assertEquals([all.result.image_paths.length, all.result.image_paths[0]], [2, few.result.image_paths[0]]);
  const huge = await ws.run(readPdf, { path: "b.pdf" });
  assertEquals(huge.warnings, [
    "Image 1 on page 1 was not written: 60000 x 60000 pixels are more than 50000000",
  ]);
  assertEquals(huge.result.image_paths_listed, 1);
});

Deno.test("ReadPDF() draws the pages asked for, in bounds", async () => {
  using ws = workspace({ "a.pdf": TWO_PAGES });
  const { result, text } = await ws.run(readPdf, { path: "a.pdf", render_pages: "2" });
  const path = ws.at(".artifacts/page-2.png");
  assertEquals(result.rendered_pages, [{ page: 2, path }]);
  assertStringIncludes(text, `\nrendered_pages:\npage 2: ${path}\ncontent:\n`);
  const view = new DataView(ws.bytes(".artifacts/page-2.png").buffer);
  assertEquals([view.getUint32(16), view.getUint32(20)], [1108, 1568]);
  Deno.writeFileSync(ws.at("b.pdf"), imagesPdf({ width: 30_000, height: 30_000 }));
  const message = "Page 1 cannot be drawn: its images have 900000000 pixels, more than 200000000";
  assertFails(await ws.run(readPdf, { path: "b.pdf", render_pages: "1" }), "limit_exceeded", message);
});

Deno.test("ReadPDF() opens encrypted files with their passwords", async () => {
  for (const name of ["aes256.pdf", "rc4.pdf"]) {
    using ws = workspace({ "a.pdf": Deno.readFileSync(new URL(name, FIXTURES)) });
    assertFails(
      await ws.run(readPdf, { path: "a.pdf" }),
      "invalid_input",
      "The PDF is encrypted: pass its password as the argument password",
    );
    assertFails(
      await ws.run(readPdf, { path: "a.pdf", password: "wrong" }),
      "invalid_input",
      "The PDF is encrypted and the password given is wrong: pass the right one as the argument password",
    );
    for (const password of ["user", "owner"]) {
      const { result } = await ws.run(readPdf, { path: "a.pdf", password });
      assertEquals(result.content, "Hello world one\n\fSecond page text", `${name} ${password}`);
    }
  }
});

Deno.test("ReadPDF() opens files that only changing needs a password for", async () => {
  using ws = workspace({ "a.pdf": Deno.readFileSync(new URL("owner_only.pdf", FIXTURES)) });
  for (const password of [{}, { password: "any" }]) {
    const { result } = await ws.run(readPdf, { path: "a.pdf", ...password });
    assertEquals(result.content, "Hello world one\n\fSecond page text");
  }
});

Deno.test("ReadPDF() says of other files what they are", async () => {
  using ws = workspace({
    "empty.pdf": "",
    "text.pdf": "some text",
    "image.pdf": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    "folder/x": "",
  });
  for (
    const [path, expected] of [
      ["empty.pdf", `File is not a PDF: ${ws.at("empty.pdf")} (it is empty)`],
      ["text.pdf", `File is not a PDF: ${ws.at("text.pdf")} (it holds text, use Read instead)`],
      ["image.pdf", `File is not a PDF: ${ws.at("image.pdf")} (it holds a PNG image, use ReadImage instead)`],
      ["folder", `Path is not a file: ${ws.at("folder")}`],
      ["none.pdf", `File not found: ${ws.at("none.pdf")}`],
    ]
  ) {
    assertEquals((await ws.run(readPdf, { path })).text, `[ReadPDF] ${expected}`);
  }
});

Deno.test("ReadPDF() refuses wrong arguments in the document's words", async () => {
  using ws = workspace({ "a.pdf": TWO_PAGES });
  for (
    const [input, expected] of [
      [{ max_chars: 0 }, "max_chars must be > 0."],
      [{ max_image_paths: -1 }, "max_image_paths must be > 0."],
      [{ pages: "x" }, 'pages "x": "x" is no page or range; write it like "1-3,7"'],
      [{ pages: "3" }, 'Error reading PDF: pages "3": page 3 is out of range, the PDF has 2 pages'],
    ] as const
  ) {
    assertEquals((await ws.run(readPdf, { path: "a.pdf", ...input })).text, `[ReadPDF] ${expected}`);
  }
  for (const value of ["0", "-1", "soon"]) {
    const settings = { READPDF_TIMEOUT_SECONDS: value };
    const { text } = await ws.run(readPdf, { path: "a.pdf" }, { settings });
    assertEquals(text, "[ReadPDF] READPDF_TIMEOUT_SECONDS must be > 0.");
  }
});

Deno.test("ReadPDF() refuses damaged files and bombs", async () => {
  const inflating = deflateSync(deflateSync(new Uint8Array(400 * 1024 * 1024), { level: 9 }));
  const page = "<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>";
  const tree = (rest: string): PdfObject => [`<< /Type /Pages ${rest} /MediaBox [0 0 9 9] >>`];
  const catalog: PdfObject = ["<< /Type /Catalog /Pages 2 0 R >>"];
  const end: PdfObject = ["<< >>"];
  for (
    const [bytes, code] of [
      [TWO_PAGES.subarray(0, 200), "invalid_input"],
      [writePdf([catalog, tree("/Count 1000000 /Kids [3 0 R]"), [page], end]), "limit_exceeded"],
      [writePdf([catalog, tree("/Count 2 /Kids [2 0 R 2 0 R]"), end]), "limit_exceeded"],
      [writePdf([catalog, tree("/Count 3 /Kids [3 0 R 2 0 R]"), [page], end]), "limit_exceeded"],
      [
        writePdf([
          catalog,
          tree("/Count 1 /Kids [3 0 R]"),
          [page],
          ["<< /Filter [/FlateDecode /FlateDecode] >>", inflating],
          end,
        ]),
        "limit_exceeded",
      ],
    ] as const
  ) {
    using ws = workspace({ "bad.pdf": bytes });
    const ran = await ws.run(readPdf, { path: "bad.pdf" });
    assertEquals(ran.error?.code, code, ran.text);
    assertMatch(ran.text, /^\[ReadPDF\] Error reading PDF: The PDF /);
  }
});

Deno.test("ReadPDF() keeps a reading and never serves it for a changed file", async () => {
  using ws = workspace({ "a.pdf": imagesPdf() });
  const first = await ws.run(readPdf, { path: "a.pdf" });
  const again = await ws.run(readPdf, { path: "a.pdf" });
  // The paths of the images would carry numbers, had they been written again.
  assertEquals(again.result, first.result);
  Deno.writeFileSync(ws.at("a.pdf"), TWO_PAGES);
  assertEquals((await ws.run(readPdf, { path: "a.pdf" })).result.content, "First page\n\fSecond page");
});

Deno.test("ReadPDF() reads anew where the kept reading or its images are gone or damaged", async () => {
  using ws = workspace({ "a.pdf": imagesPdf() });
  const first = await ws.run(readPdf, { path: "a.pdf" });
  const kept = [...Deno.readDirSync(ws.at(".artifacts"))].find(({ name }) => name.startsWith("readpdf-"))!;
  Deno.writeTextFileSync(ws.at(`.artifacts/${kept.name}`), '{"text":"forged"}');
  const second = await ws.run(readPdf, { path: "a.pdf" });
  assertEquals(second.result.content, first.result.content);
  Deno.removeSync(second.result.image_paths[0]);
  const third = await ws.run(readPdf, { path: "a.pdf" });
  assert(Deno.statSync(third.result.image_paths[0]).isFile);
});

function line(text: string): string {
  return showLines([{ x: 50, y: 700, text }]);
}

function imagesPdf(size = { width: 16, height: 8 }): Uint8Array<ArrayBuffer> {
  const draw = (name: string) => `q 100 0 0 50 50 400 cm /${name} Do Q`;
  return makePdf([`${line("one")} ${draw("A")}`, `${line("two")} ${draw("A")} ${draw("B")}`], {
    resources: "/XObject << /A 4 0 R /B 5 0 R >>",
    objects: [
      [`${IMAGE_DICTIONARY} /Width ${size.width} /Height ${size.height} >>`, PIXELS],
      [`${IMAGE_DICTIONARY} /Width 16 /Height 16 /Filter /DCTDecode >>`, JPEG],
    ],
  });
}

function assertFails({ error, text }: Ran, code: string, message: string): void {
  assertEquals([error?.code, text], [code, `[ReadPDF] Error reading PDF: ${message}`]);
}

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
