import { assertEquals } from "@std/assert";

import { makePdf, type PdfLine, showLines } from "../../../../../../scripts/bench/make_pdf.ts";
import { withPage } from "../../../../../../tools/engine/pdf/pdfium/document.ts";
import { withPdf } from "../../../../../../tools/engine/pdf/pdfium/open.ts";
import { readPageText } from "../../../../../../tools/engine/pdf/text/text.ts";

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
    assertEquals(withPage(document, 1, (page) => readPageText(document.pdfium, page)), "");
    return Promise.resolve();
  });
});

function lines(text: string, { x, count }: { x: number; count: number }): PdfLine[] {
  return Array.from({ length: count }, (_, index) => ({ text: `${text} ${index}`, x, y: 700 - index * 14 }));
}

function read(placed: readonly PdfLine[]): Promise<string | null> {
  const bytes = makePdf([showLines(placed)]);
  return withPdf({ bytes, password: undefined }, (document) => {
    return Promise.resolve(withPage(document, 1, (page) => readPageText(document.pdfium, page)));
  });
}
