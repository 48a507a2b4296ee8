import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { makePdf, type PdfLine, showLines, writePdf } from "../../../../scripts/bench/make_pdf.ts";
import { selectPages } from "../../../../tools/engine/pdf/page_ranges.ts";
import { withPage } from "../../../../tools/engine/pdf/pdfium/document.ts";
import { withPdf } from "../../../../tools/engine/pdf/pdfium/open.ts";
import { boundClaimedPages } from "../../../../tools/engine/pdf/pdfium/page_claim.ts";
import { mendEnd } from "../../../../tools/engine/pdf/pdfjs/mend.ts";
import { layOut } from "../../../../tools/engine/pdf/text/layout.ts";
import type { TextSegment } from "../../../../tools/engine/pdf/text/segments.ts";
import { readPageText } from "../../../../tools/engine/pdf/text/text.ts";
import { annotatedPdf } from "../../../support/documents/odd_pdf.ts";
import { codeOf } from "../../../support/refusal.ts";

const document = { pageCount: 9, limit: 100 };

Deno.test("selectPages() lists pages ascending, each once", () => {
  for (
    const [list, expected] of [
      ["1-3,7", [1, 2, 3, 7]],
      ["7, 2 - 3 ,2", [2, 3, 7]],
      ["1-4,3-6", [1, 2, 3, 4, 5, 6]],
      ["8-", [8, 9]],
      ["9", [9]],
    ] as const
  ) {
    assertEquals(selectPages({ name: "pages", list }, document), [...expected], list);
  }
});

Deno.test("selectPages() stops at the limit", () => {
  assertEquals(selectPages({ name: "pages", list: "2-" }, { pageCount: 100_000, limit: 3 }), [2, 3, 4]);
});

Deno.test("selectPages() says what is wrong with a list", () => {
  for (
    const [list, message] of [
      ["", 'pages "": a part is empty; write it like "1-3,7"'],
      ["1,,2", 'pages "1,,2": a part is empty; write it like "1-3,7"'],
      ["one", 'pages "one": "one" is no page or range; write it like "1-3,7"'],
      ["-3", 'pages "-3": "-3" is no page or range; write it like "1-3,7"'],
      ["0-2", 'pages "0-2": pages are counted from 1'],
      ["3-2", 'pages "3-2": "3-2" ends before it starts'],
      ["10", 'pages "10": page 10 is out of range, the PDF has 9 pages'],
      ["8-12", 'pages "8-12": page 12 is out of range, the PDF has 9 pages'],
      ["10-", 'pages "10-": page 10 is out of range, the PDF has 9 pages'],
    ]
  ) {
    assertThrows(() => selectPages({ name: "pages", list: list! }, document), ToolError, message!);
  }
});

Deno.test("boundClaimedPages() refuses page trees that claim too many pages", async () => {
  const kids = `[${"3 0 R ".repeat(1_000)}]`;
  const table = {
    "<< /Type /Pages /Count 1000000 /Kids [3 0 R] >>": "limit_exceeded",
    [`<</Kids ${kids}/Count 100001/Type/Pages>>`]: "limit_exceeded",
    [`<</Type/Pages/Kids ${kids}/Count\n999999999999>>`]: "limit_exceeded",
    "<< /Type /Pages /Count 100000 /Kids [3 0 R] >>": null,
    "<< /Type /Pages /Count -1000000 /Kids [3 0 R] >>": null,
    "<< /Type /Outlines /First 4 0 R /Last 5 0 R /Count 1000000 >>": null,
    "%PDF-1.7 without any": null,
    "/Count": null,
  };
  for (const [text, expected] of Object.entries(table)) {
    const code = await codeOf(() => boundClaimedPages(new TextEncoder().encode(text)));
    assertEquals(code, expected, text.slice(0, 60));
  }
});

const CATALOG = "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n";
const PAGES = "2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n";
const PAGE = "3 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n";
const ENCRYPTION = "4 0 obj\n<< /Filter /Standard /V 2 >>\nendobj\n";

function addedTo(text: string): string | null {
  const mended = mendEnd(new TextEncoder().encode(text));
  return mended && new TextDecoder().decode(mended).slice(text.length);
}

Deno.test("mendEnd() names the catalogue", () => {
  const end = "\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n";
  assertEquals(addedTo(CATALOG + PAGES + PAGE), end);
});

Deno.test("mendEnd() makes a catalogue where it or its pages are lost", () => {
  const end = "\nendstream\nendobj\n4 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n" +
    "5 0 obj\n<< /Type /Catalog /Pages 4 0 R >>\nendobj\n" +
    "trailer\n<< /Root 5 0 R >>\nstartxref\n0\n%%EOF\n";
  assertEquals([PAGE, PAGES + PAGE, CATALOG + PAGE].map(addedTo), [end, end, end]);
});

Deno.test("mendEnd() mends nothing without pages, or what is encrypted", () => {
  assertEquals(["", "1 0 obj\n<< /Type /Font >>", CATALOG + PAGES + PAGE + ENCRYPTION].map(addedTo), [
    ...[null, null, null],
  ]);
});

Deno.test("layOut() reads a heading over columns first and what is below them last", () => {
  const column = (name: string, x: number) =>
    Array.from({ length: 6 }, (_, y) => ({ text: `${name} ${y} which is long enough`, x, y: y + 1 }));
  const heading = { text: "x".repeat(100), x: 0, y: 0 };
  const foot = { text: "y".repeat(100), x: 0, y: 7 };
  const [left, right] = [column("left", 0), column("right", 300)];
  assertEquals(
    layOut(segments([heading, ...left, ...right, foot])),
    [heading, ...left, ...right, foot].map(({ text }) => text).join("\n"),
  );
});

/** Text of 10 points with letters 5 points wide, rows 14 points apart. */
function segments(placed: readonly { text: string; x: number; y: number }[]): TextSegment[] {
  return placed.map(({ text, x, y }, order) => {
    const bottom = 700 - y * 14;
    return { text, left: x, right: x + text.length * 5, bottom, top: bottom + 10, order };
  });
}

const PROSE = lines("Some words of a line, number", { x: 50, count: 12 });
const LEFT = lines("A line of the left column", { x: 50, count: 12 });
const RIGHT = lines("A line of the right column", { x: 320, count: 12 });
const ROWS = [["Name", "Count"], ["apples", "3"], ["pears", "17"]];

Deno.test("readPageText() keeps the rows of a table among lines, in whatever order they are drawn", async () => {
  const cells = ROWS.flatMap((row, y) => row.map((text, x) => ({ text, x: 50 + x * 200, y: 400 - y * 14 })));
  const byColumn = cells.toSorted((a, b) => a.x - b.x);
  const expected = [...PROSE.map(({ text }) => text), ...ROWS.map((row) => row.join(" "))].join("\n");
  for (const table of [cells, byColumn]) assertEquals(await read([...PROSE, ...table]), expected);
});

Deno.test("readPageText() reads columns one after the other, also where they are drawn row by row", async () => {
  const expected = [...LEFT, ...RIGHT].map(({ text }) => text).join("\n");
  const byRow = LEFT.flatMap((line, index) => [line, RIGHT[index]!]);
  for (const columns of [[...LEFT, ...RIGHT], byRow]) assertEquals(await read(columns), expected);
});

Deno.test("readPageText() parts words that a page sets with gaps and without blanks", async () => {
  const words = ["set", "with", "gaps"].map((text, index) => ({ text, x: 50 + index * 28, y: 300 }));
  const cells = ROWS.flatMap((row, y) => row.map((text, x) => ({ text, x: 50 + x * 200, y: 400 - y * 14 })));
  const expected = [...ROWS.map((row) => row.join(" ")), "set with gaps"].join("\n");
  assertEquals(await read([...words, ...cells]), expected);
});

Deno.test("readPageText() finds nothing of an earlier document", async () => {
  assertEquals(await read([{ text: "one", x: 50, y: 700 }]), "one");
  await withPdf({ bytes: makePdf([""]), password: undefined }, (document) => {
    assertEquals(withPage(document, 1, (page) => readPageText(document, page)), "");
    return Promise.resolve();
  });
});

function lines(text: string, { x, count }: { x: number; count: number }): PdfLine[] {
  return Array.from({ length: count }, (_, index) => ({ text: `${text} ${index}`, x, y: 700 - index * 14 }));
}

function read(placed: readonly PdfLine[]): Promise<string | null> {
  const bytes = makePdf([showLines(placed)]);
  return withPdf({ bytes, password: undefined }, (document) => {
    return Promise.resolve(withPage(document, 1, (page) => readPageText(document, page)));
  });
}

const span = (actual: string, shown: string) => `/Span << /ActualText ${actual} >> BDC ${shown} EMC`;
const NO_GLYPH = "(\\001) Tj";

/** Other texts of pieces, as marks have them. */
const ACTUAL: readonly (readonly [content: string, text: string])[] = [
  [`(e) Tj ${span("(ff)", NO_GLYPH)} (icient) Tj`, "efficient"],
  [`(a) Tj ${span("(XYZ)", "(b) Tj (c) Tj (d) Tj")} ( end) Tj`, "aXYZ end"],
  [`(start ) Tj ${span("()", "(hidden) Tj")} (end) Tj`, "start end"],
  [`(w ) Tj ${span("<FEFF4E2DD83DDE00>", "(??) Tj")} ( end) Tj`, "w 中😀 end"],
  [`(w ) Tj ${span("(\\200 caf\\351 \\240)", "(xxxx) Tj")} ( end) Tj`, "w • café € end"],
  [`${span("(long text)", "(lo) Tj 0 -14 Td (ng) Tj")} ( after) Tj`, "long text\n after"],
];

Deno.test("readPageText() reads what marks say in place of their pieces, whatever these are", async () => {
  for (const [content, text] of ACTUAL) {
    const bytes = annotatedPdf(`BT /F1 12 Tf 20 100 Td ${content} ET`, []);
    const read = await withPdf(
      { bytes, password: undefined },
      (document) => Promise.resolve(withPage(document, 1, (page) => readPageText(document, page))),
    );
    assertEquals(read, text, content);
  }
});

Deno.test("readPageText() reads what elements of the structure say in place of their content", async () => {
  const bytes = writePdf([
    ["<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 6 0 R /MarkInfo << /Marked true >> >>"],
    ["<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 200] >>"],
    [
      "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> /StructParents 0 >>",
    ],
    [
      "<< >>",
      `BT /F1 12 Tf 20 100 Td (o) Tj /Span << /MCID 0 >> BDC ${NO_GLYPH} EMC (ce ) Tj /P << /MCID 1 >> BDC (zz) Tj EMC ET`,
    ],
    ["<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"],
    ["<< /Type /StructTreeRoot /K [7 0 R 8 0 R] /ParentTree 9 0 R >>"],
    ["<< /Type /StructElem /S /Span /P 6 0 R /Pg 3 0 R /K 0 /ActualText (ffi) >>"],
    ["<< /Type /StructElem /S /P /P 6 0 R /Pg 3 0 R /K [10 0 R] /ActualText (WHOLE) >>"],
    ["<< /Nums [0 [7 0 R 10 0 R]] >>"],
    ["<< /Type /StructElem /S /Span /P 8 0 R /Pg 3 0 R /K 1 >>"],
    ["<< >>"],
  ]);
  const read = await withPdf(
    { bytes, password: undefined },
    (document) => Promise.resolve(withPage(document, 1, (page) => readPageText(document, page))),
  );
  assertEquals(read, "office WHOLE");
});
