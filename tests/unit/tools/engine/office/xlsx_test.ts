import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { readOfficeText } from "../../../../../tools/engine/office/read.ts";
import { xlsx } from "../../../../support/documents/office_files.ts";

type Options = Parameters<typeof xlsx>[1];

async function rowsOf(rows: string, options?: Options): Promise<string> {
  const request = { kind: "office" as const, startChar: 0, maxChars: 100_000 };
  const { signal } = new AbortController();
  const { content } = await readOfficeText(xlsx({ S: rows }, options), request, { signal });
  return content.split("\n").slice(2).join("\n");
}

async function valueOf(cell: string, options?: Options): Promise<string> {
  const rows = await rowsOf(`<row r="1">${cell}</row>`, options);
  return rows.split("\n1\t")[1] ?? "";
}

const CELLS: [behaviour: string, cell: string, expected: string][] = [
  ["shows numbers as they are stored", "<c><v>1.50</v></c>", "1.50"],
  ["rounds to the digits that a spreadsheet has", "<c><v>0.30000000000000004</v></c>", "0.3"],
  ["shows booleans", '<c t="b"><v>1</v></c>', "TRUE"],
  ["shows errors", '<c t="e"><v>#DIV/0!</v></c>', "#DIV/0!"],
  ["shows dates that are stored as text", '<c t="d"><v>2024-05-01T00:00:00</v></c>', "2024-05-01T00:00:00"],
  ["joins rich text in the cell", '<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c>', "ab"],
  ["keeps a line of a cell in its row", '<c t="inlineStr"><is><t>a\n\tb</t></is></c>', "a b"],
  ["shows a formula's stored value", "<c><f>A2*2</f><v>8</v></c>", "8"],
  ["shows a formula's stored text", '<c t="str"><f>A2</f><v>text</v></c>', "text"],
  ["shows a formula without a value", "<c><f>SUM(A1:B1)</f><v></v></c>", "=SUM(A1:B1)"],
  ["decodes escaped characters", '<c t="str"><v>a_x0041__x005F_</v></c>', "aA_"],
];

for (const [behaviour, cell, expected] of CELLS) {
  Deno.test(`readXlsx() ${behaviour}`, async () => assertEquals(await valueOf(cell), expected));
}

Deno.test("readXlsx() places cells by their positions, and rows by their numbers", async () => {
  const rows = '<row r="2"><c r="B2"><v>1</v></c><c r="D2"><v>2</v></c></row><row r="5"/>' +
    '<row r="7"><c r="A7"><v>3</v></c><c r="AZ7"><v>4</v></c><c r="BA7"><v>5</v></c></row><row><c><v>6</v></c><c><v>7</v></c></row>';
  assertEquals(await rowsOf(rows), "\tA\tB\tC\tD\n2\t\t1\t\t2\n7\t3\tAZ7: 4\tBA7: 5\n8\t6\t7");
  assertEquals(await rowsOf(""), "");
});

Deno.test("readXlsx() joins the runs of shared strings and leaves phonetic text out", async () => {
  const strings = "<si><r><t>東</t></r><r><t>京</t></r><rPh><t>とう</t></rPh></si><si><t/></si>";
  const rows =
    '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>9</v></c><c t="s"><v>0</v></c></row>';
  assertEquals(await rowsOf(rows, { strings }), "\tA\tB\tC\tD\n1\t東京\t\t\t東京");
});

Deno.test("readXlsx() shows dates as ISO where the format says date", async () => {
  const codes: [code: string, value: string, expected: string][] = [
    ["yyyy\\-mm\\-dd", "45413", "2024-05-01"],
    ["[$-409]d-mmm-yy;@", "45413", "2024-05-01"],
    ["dd/mm/yyyy hh:mm", "45413.75", "2024-05-01T18:00:00"],
    ["h:mm AM/PM", "0.5", "12:00:00"],
    ["[h]:mm:ss", "1.5", "36:00:00"],
    ["mmm", "45413", "2024-05-01"],
    ["yyyy", "59", "1900-02-28"],
    ["yyyy", "60", "1900-02-29"],
    ["yyyy", "61", "1900-03-01"],
    ["yyyy", "-1", "-1"],
    ["yyyy", "9999999", "9999999"],
    ['0.0" days"', "45413", "45413"],
    ["[Red]#,##0", "45413", "45413"],
    ["0.00E+00", "45413", "45413"],
    ["General", "45413", "45413"],
    ["@", "45413", "45413"],
  ];
  for (const [code, value, expected] of codes) {
    const escaped = code.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="${escaped}"/></numFmts>` +
      '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs>';
    assertEquals([code, await valueOf(`<c s="1"><v>${value}</v></c>`, { styles })], [code, expected]);
  }
  const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="20"/></cellXfs>';
  const settings = '<workbookPr date1904="1"/>';
  assertEquals(await valueOf('<c s="1"><v>0</v></c>', { styles, settings }), "1904-01-01");
  assertEquals(await valueOf('<c s="2"><v>0.25</v></c>', { styles, settings }), "06:00:00");
  assertEquals(await valueOf('<c s="1"><v>45413</v></c>', { styles }), "2024-05-01");
});

Deno.test("readXlsx() refuses more cells than a row can have", async () => {
  const row = `<row r="3">${"<c/>".repeat(16_385)}</row>`;
  await assertRejects(() => rowsOf(row), ToolError, "row 3 has cells beyond column 16384");
});
