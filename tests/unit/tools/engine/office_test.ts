import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { strToU8, unzipSync, zipSync, zlibSync } from "fflate";

import { ToolError } from "../../../../schemas/error.ts";
import { readOfficeText } from "../../../../tools/engine/office/read.ts";
import { docx, links, paragraph, pptx, shape, xlsx, zip } from "../../../support/documents/office_files.ts";
import { refusalOf } from "../../../support/refusal.ts";

async function textOf(bytes: Uint8Array): Promise<string> {
  const request = { kind: "office" as const, startChar: 0, maxChars: 100_000 };
  return (await readOfficeText(bytes, request, new AbortController())).content;
}

const run = (xml: string) => `<w:p><w:r>${xml}</w:r></w:p>`;
const cell = (...texts: string[]) => `<w:tc>${texts.map((text) => paragraph(text)).join("")}</w:tc>`;
const listItem = (text: string, level = 0) =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`);

const BODIES: [behaviour: string, body: string, expected: string][] = [
  ["keeps tabs and breaks", run("<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t>"), "a\tb\nc"],
  ["takes no tab stop for a tab", paragraph("a", '<w:tabs><w:tab w:val="left"/></w:tabs>'), "a"],
  [
    "leaves deleted text out",
    run("<w:t>a</w:t>") + "<w:p><w:del><w:r><w:delText>x</w:delText></w:r></w:del></w:p>",
    "a",
  ],
  ["keeps inserted text", "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins></w:p>", "new"],
  [
    "leaves moved text where it went",
    "<w:p><w:moveFrom><w:r><w:t>a</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>a</w:t></w:r></w:moveTo></w:p>",
    "a",
  ],
  [
    "joins paragraphs whose end was deleted",
    paragraph("a", "<w:rPr><w:del/></w:rPr>") + paragraph("b"),
    "ab",
  ],
  ["leaves field codes out", run("<w:instrText>PAGE</w:instrText><w:t>7</w:t>"), "7"],
  [
    "leaves the phonetic guide out",
    run(
      "<w:ruby><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby>",
    ),
    "漢",
  ],
  ["decodes entities once", run("<w:t>&amp;lt; &#x1F600; &quot;</w:t>"), '&lt; 😀 "'],
  [
    "writes tables row by row",
    `<w:tbl><w:tr>${cell("a")}${cell("b", "c")}</w:tr><w:tr>${cell("")}${cell("d")}</w:tr></w:tbl>`,
    "a\tb c\n\td",
  ],
  [
    "keeps columns under a wide cell",
    `<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>${paragraph("wide")}</w:tc>${
      cell("c")
    }</w:tr></w:tbl>`,
    "wide\t\tc",
  ],
  [
    "puts a table inside a cell into one line",
    `<w:tbl><w:tr><w:tc><w:tbl><w:tr>${cell("x")}${cell("y")}</w:tr></w:tbl>${paragraph("z")}</w:tc>${
      cell("b")
    }</w:tr></w:tbl>`,
    "x y z\tb",
  ],
  [
    "writes a text box once, after its paragraph",
    `<w:p><w:r><w:t>host</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${
      paragraph("box")
    }</w:txbxContent>` +
    `</mc:Choice><mc:Fallback><w:txbxContent>${
      paragraph("box")
    }</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>${paragraph("next")}`,
    "host\nbox\nnext",
  ],
  ["keeps one empty line of many", paragraph("a") + paragraph("") + paragraph("") + paragraph("b"), "a\n\nb"],
];

for (const [behaviour, body, expected] of BODIES) {
  Deno.test(`readDocx() ${behaviour}`, async () => assertEquals(await textOf(docx(body)), expected));
}

Deno.test("readDocx() marks headings by style, its ancestors or the paragraph's own level", async () => {
  const styles = "<w:styles>" +
    '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>' +
    '<w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift2"/></w:style></w:styles>';
  const body = paragraph("By name", '<w:pStyle w:val="berschrift2"/>') +
    paragraph("Inherited", '<w:pStyle w:val="Mine"/>') +
    paragraph("Own", '<w:outlineLvl w:val="0"/>') + paragraph("Body", '<w:outlineLvl w:val="9"/>') +
    paragraph("Was one", '<w:pPrChange><w:pPr><w:pStyle w:val="berschrift2"/></w:pPr></w:pPrChange>');
  assertEquals(
    await textOf(docx(body, { "styles.xml": styles })),
    "## By name\n## Inherited\n# Own\nBody\nWas one",
  );
});

Deno.test("readDocx() counts lists with their own labels", async () => {
  const level = (index: number, format: string, label: string) =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${label}"/></w:lvl>`;
  const numbering = '<w:numbering><w:abstractNum w:abstractNumId="5">' +
    level(0, "decimal", "%1.") + level(1, "lowerLetter", "%1.%2)") + level(2, "bullet", "o") +
    '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num></w:numbering>';
  const body = listItem("a") + listItem("b") + listItem("c", 1) + listItem("d", 1) + listItem("e", 2) +
    listItem("f") +
    listItem("g", 1);
  assertEquals(
    await textOf(docx(body, { "numbering.xml": numbering })),
    "1. a\n2. b\n  2.a) c\n  2.b) d\n    - e\n3. f\n  3.a) g",
  );
});

Deno.test("readDocx() writes footnotes and endnotes at the end", async () => {
  const body = run('<w:t>See</w:t><w:footnoteReference w:id="2"/><w:endnoteReference w:id="1"/>');
  const note = (kind: string, id: string, text: string) =>
    `<w:${kind}s><w:${kind} w:type="separator" w:id="0">${run("<w:separator/>")}</w:${kind}>` +
    `<w:${kind} w:id="${id}">${paragraph(text)}</w:${kind}></w:${kind}s>`;
  const parts = {
    "footnotes.xml": note("footnote", "2", "foot"),
    "endnotes.xml": note("endnote", "1", "end"),
  };
  assertEquals(await textOf(docx(body, parts)), "See[^2][^e1]\n[^2]: foot\n[^e1]: end");
});

async function slidesOf(shapes: string): Promise<string> {
  const content = await textOf(pptx([{ shapes }]));
  return content.replace(/^## Slide 1\n\n/, "");
}

const runOf = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`;
const cellOf = (text: string) => `<a:tc><a:txBody><a:p>${runOf(text)}</a:p></a:txBody></a:tc>`;

const SHAPES: [behaviour: string, shapes: string, expected: string][] = [
  ["puts the title first", shape(["body"], "body") + shape(["Title"], "ctrTitle"), "Title\n\nbody"],
  [
    "joins runs and keeps breaks",
    `<p:sp><a:p>${runOf("a")}${runOf("b")}<a:br/>${runOf("c")}</a:p></p:sp>`,
    "ab\nc",
  ],
  ["indents by the level", `<p:sp><a:p><a:pPr lvl="1"/>${runOf("a")}</a:p></p:sp>`, "  a"],
  [
    "writes tables row by row",
    `<p:graphicFrame><a:tbl><a:tr>${cellOf("a")}${cellOf("b")}</a:tr><a:tr>${cellOf("")}${
      cellOf("d")
    }</a:tr></a:tbl></p:graphicFrame>`,
    "a\tb\n\td",
  ],
  ["reads shapes of groups", `<p:grpSp>${shape(["a"])}${shape(["b"])}</p:grpSp>`, "a\n\nb"],
  ["leaves the number of the slide out", shape(["a"]) + shape(["7"], "sldNum"), "a"],
  [
    "takes one of two drawings of the same",
    `<mc:AlternateContent><mc:Choice>${shape(["a"])}</mc:Choice><mc:Fallback>${
      shape(["a"])
    }</mc:Fallback></mc:AlternateContent>`,
    "a",
  ],
];

for (const [behaviour, shapes, expected] of SHAPES) {
  Deno.test(`readPptx() ${behaviour}`, async () => assertEquals(await slidesOf(shapes), expected));
}

type Options = Parameters<typeof xlsx>[1];

async function rowsOf(rows: string, options?: Options): Promise<string> {
  const content = await textOf(xlsx({ S: rows }, options));
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

async function failureOf(bytes: Uint8Array): Promise<string> {
  const { code, message } = (await refusalOf(() => textOf(bytes)))!;
  return `${code}: ${message}`;
}

/** Returns a docx whose directory claims another size for its document. */
function claiming(bytes: number): Uint8Array {
  const file = docx(paragraph("text ".repeat(100)));
  const view = new DataView(file.buffer);
  for (let at = 0; at + 46 < file.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const name = new TextDecoder().decode(file.subarray(at + 46, at + 46 + view.getUint16(at + 28, true)));
    if (name === "word/document.xml") view.setUint32(at + 24, bytes, true);
  }
  return file;
}

const word = (document: string) =>
  zip({ "_rels/.rels": links({ r1: "officeDocument word/document.xml" }), "word/document.xml": document });

const CASES: [behaviour: string, bytes: () => Uint8Array, expected: string][] = [
  [
    "refuses a part that claims 1 GB",
    () => claiming(2 ** 30),
    'limit_exceeded: The archive is not opened: part "word/document.xml" would take 1073741824 bytes, the limit is 104857600',
  ],
  [
    "refuses a part that holds more than it claims",
    () => claiming(100),
    'limit_exceeded: The archive is not opened: part "word/document.xml" claims 100 bytes and holds more',
  ],
  [
    "refuses a part that holds less than it claims",
    () => claiming(10_000),
    'invalid_input: The file is damaged: part "word/document.xml" is cut off',
  ],
  [
    "refuses too many parts",
    () => zip(Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}`, ""]))),
    "limit_exceeded: The archive is not opened: it has 10001 parts, the limit is 10000",
  ],
  [
    "refuses an archive of archives",
    () => zip({ "a.zip": zip({ "b.zip": "x" }) }),
    "limit_exceeded: The archive is not opened: it holds other archives",
  ],
  [
    "refuses deep nesting",
    () => word("<a>".repeat(100_000)),
    'limit_exceeded: The file is not read: part "word/document.xml" nests elements deeper than 256 levels',
  ],
  [
    "refuses definitions of entities",
    () => word('<!DOCTYPE a [<!ENTITY b "x">]><a>&b;</a>'),
    'invalid_input: The file is not read: part "word/document.xml" has a document type definition, which office files must not have',
  ],
  [
    "refuses elements that do not close",
    () => word("<a><b></a>"),
    'invalid_input: The file is damaged: part "word/document.xml" is not well-formed XML, <b> is not closed',
  ],
  [
    "refuses a part that ends early",
    () => word("<a><b/>"),
    'invalid_input: The file is damaged: part "word/document.xml" is not well-formed XML, <a> is not closed',
  ],
  [
    "refuses a part that does not match its checksum",
    () => {
      const bytes = word("<a/>");
      const directoryAt = new DataView(bytes.buffer).getUint32(bytes.length - 6, true);
      const name = new TextDecoder("latin1").decode(bytes).indexOf("word/document.xml", directoryAt);
      bytes[name - 46 + 16]! ^= 1;
      return bytes;
    },
    'invalid_input: The file is damaged: part "word/document.xml" does not match its checksum',
  ],
  [
    "refuses a part without elements",
    () => word("text"),
    'invalid_input: The file is damaged: part "word/document.xml" is not well-formed XML, it has no elements',
  ],
  [
    "refuses a missing part",
    () => zip({ "_rels/.rels": links({ r1: "officeDocument word/document.xml" }), "word/a.xml": "" }),
    "invalid_input: The file is a zip archive, not a docx, xlsx or pptx: list and unpack it with unzip in Bash",
  ],
  [
    "refuses Excel's binary format",
    () => zip({ "xl/workbook.bin": "x" }),
    "invalid_input: Binary Excel files (.xlsb) are not supported: save it as .xlsx",
  ],
];

for (const [behaviour, bytes, expected] of CASES) {
  Deno.test(`openOfficeZip() ${behaviour}`, async () => assertEquals(await failureOf(bytes()), expected));
}

Deno.test("openOfficeZip() reads what lies in another folder than usual", async () => {
  const file = zip({
    "_rels/.rels": links({ r1: "officeDocument /other/main.xml" }),
    "other/main.xml": "<document><body><p><r><t>text</t></r></p></body></document>",
  });
  assertEquals(await textOf(file), "text");
});

Deno.test("openOfficeZip() finds sizes that are written as for large archives", async () => {
  const file = zipSync({
    "_rels/.rels": strToU8(links({ r1: "officeDocument word/document.xml" })),
    "word/document.xml": [strToU8("<document><p><r><t>text</t></r></p></document>"), {
      extra: { 1: new Uint8Array(8) },
    }],
  });
  const view = new DataView(file.buffer);
  const at = new TextDecoder("latin1").decode(file).lastIndexOf("PK\x01\x02");
  const size = view.getUint32(at + 24, true);
  view.setUint32(at + 24, 0xffffffff, true);
  const field = at + 46 + view.getUint16(at + 28, true) + 4;
  view.setBigUint64(field, BigInt(size), true);
  assertEquals(await textOf(file), "text");
  view.setBigUint64(field, 2n ** 40n, true);
  assertStringIncludes(await failureOf(file), "would take 1099511627776 bytes");
});

Deno.test("openOfficeZip() stops a string that is used too often", async () => {
  const strings = `<si><t>${"x".repeat(30_000)}</t></si>`;
  const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(2000)}</row>`;
  assertStringIncludes(
    await failureOf(xlsx({ S: rows }, { strings })),
    "limit_exceeded: The file is not read: it holds more text",
  );
});

Deno.test("openOfficeZip() says that bytes cannot be inflated", async () => {
  const file = docx(paragraph("x".repeat(1000)));
  const at = new TextDecoder("latin1").decode(file).indexOf("word/document.xml") + "word/document.xml".length;
  file.fill(0xff, at, at + 20);
  assertEquals(
    await failureOf(file),
    'invalid_input: The file is damaged: part "word/document.xml" cannot be inflated',
  );
  assertStringIncludes(await failureOf(zlibSync(file)), "it does not begin as a zip archive");
});

const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const linked = (id: string, text: string) =>
  `<w:p><w:hyperlink ${R} r:id="${id}">${wordRun(text)}</w:hyperlink></w:p>`;
const wordRun = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;
const fieldChar = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const points = (...values: string[]) =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("");
const CHART =
  `<c:chartSpace xmlns:c="c" xmlns:a="a"><c:chart><c:title><c:tx><a:t>Sales</a:t></c:tx></c:title><c:barChart><c:ser>` +
  `<c:tx><c:strRef><c:f>A1</c:f>${points("East")}</c:strRef></c:tx><c:cat>${points("Q1", "Q2")}</c:cat>` +
  `<c:val>${
    points("5", "7")
  }</c:val></c:ser></c:barChart><c:catAx><c:title><a:t>axis</a:t></c:title></c:catAx></c:chart></c:chartSpace>`;

/** What stands beside the text of a file, and what is told where it is not given. */
const BESIDE: readonly (readonly [what: string, bytes: Uint8Array, text: string, notes?: string])[] = [
  [
    "links of Word by relation, field and simple field",
    docx(
      linked("h", "the manual") + linked("f", "a file") +
        `<w:p>${fieldChar("begin")}<w:r><w:instrText>HYPERLINK "mailto:a@b.c" \\o "tip"</w:instrText></w:r>` +
        `${fieldChar("separate")}${wordRun("mail us")}${fieldChar("end")}</w:p>` +
        `<w:p><w:fldSimple w:instr=" HYPERLINK &quot;http://x.org/&quot; \\l &quot;top&quot; ">${
          wordRun("x")
        }</w:fldSimple></w:p>`,
      {
        "_rels/document.xml.rels": links({
          h: "hyperlink https://example.org/m",
          f: "hyperlink file:///etc/passwd",
        }),
      },
    ),
    "[the manual](https://example.org/m)\na file\n[mail us](mailto:a@b.c)\n[x](http://x.org/#top)",
  ],
  [
    "comments, headers, footers, pictures and tracked changes of Word",
    docx(
      `<w:p>${wordRun("text")}<w:r><w:commentReference w:id="3"/></w:r><w:del>${wordRun("gone")}</w:del>` +
        '<w:r><w:drawing><wp:docPr descr="a cat"/><pic:pic/></w:drawing></w:r></w:p>',
      {
        "comments.xml": `<w:comments><w:comment w:id="3" w:author="Ann">${
          paragraph("why?")
        }</w:comment></w:comments>`,
        "header.xml": `<w:hdr>${paragraph("Secret")}</w:hdr>`,
        "footer.xml": `<w:ftr>${paragraph("Page")}</w:ftr>`,
      },
    ),
    "text[^c3][image: a cat]\n[^c3]: Ann: why?\n\nHeader: Secret\n\nFooter: Page",
    "Not in the text: 1 tracked deletion, 1 picture",
  ],
  [
    "charts of Word, and what was chosen in a form",
    docx(
      `<w:p><w:r><w:drawing><c:chart ${R} r:id="c"/></w:drawing></w:r>${wordRun("a ")}` +
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/>' +
        `<w:listEntry w:val="yes"/></w:ddList></w:ffData></w:fldChar></w:r>${fieldChar("end")}</w:p>`,
      { "_rels/document.xml.rels": links({ c: "chart chart.xml" }), "chart.xml": CHART },
    ),
    "a yes\n\nChart (bar): Sales\n\tEast\nQ1\t5\nQ2\t7",
  ],
];

for (const [what, bytes, text, notes] of BESIDE) {
  Deno.test(`readOfficeText() reads ${what}`, async () => {
    const request = { kind: "office" as const, startChar: 0, maxChars: 100_000 };
    const reading = await readOfficeText(bytes, request, new AbortController());
    assertEquals([reading.content, reading.notes], [text, notes === undefined ? [] : [notes]]);
  });
}

Deno.test("readOfficeText() reads links, comments, charts and margins of sheets, and names hidden rows", async () => {
  const row =
    '<row r="1"><c r="A1"><v>10</v></c><c r="B1"><f>HYPERLINK("http://f.org/","go")</f><v>go</v></c></row>' +
    '<row r="2" hidden="1"><c r="A2"><v>3</v></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="h"/></hyperlinks>' +
    '<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"Top&amp;RPage &amp;P</oddHeader></headerFooter><drawing r:id="d"/><sheetData>';
  const unzipped = unzipSync(xlsx({ S: row }));
  const text = await textOf(zip({
    ...unzipped,
    "xl/worksheets/_rels/sheet1.xml.rels": links({
      h: "hyperlink https://example.org/cell",
      d: "drawing ../drawings/d.xml",
      c: "comments ../comments.xml",
    }),
    "xl/comments.xml":
      '<comments><authors><author>Zoe</author></authors><commentList><comment ref="A2" authorId="0"><text>' +
      "<r><t>look</t></r></text></comment></commentList></comments>",
    "xl/drawings/d.xml":
      "<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>box</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>",
    "xl/drawings/_rels/d.xml.rels": links({ c: "chart ../chart.xml" }),
    "xl/chart.xml": CHART,
  }));
  assertEquals(
    text,
    "## Sheet 1: S\n\n\tA\tB\n1\t10 (https://example.org/cell)\tgo (http://f.org/)\n2\t3\n\nHidden rows: 2\n\n" +
      "Comments:\nA2: Zoe: look\n\nbox\n\nChart (bar): Sales\n\tEast\nQ1\t5\nQ2\t7\n\nHeader: Top Page",
  );
});

Deno.test("readOfficeText() reads links, charts, comments, layouts and words for pictures of slides", async () => {
  const link = (id: string) => `<a:hlinkClick ${R} r:id="${id}"/>`;
  const unzipped = unzipSync(pptx([{
    shapes:
      `<p:sp><p:txBody><a:p><a:r><a:rPr>${link("h")}</a:rPr><a:t>here</a:t></a:r></a:p></p:txBody></p:sp>` +
      `<p:pic><p:nvPicPr><p:cNvPr descr="a dog">${link("h")}</p:cNvPr></p:nvPicPr></p:pic>`,
  }]));
  const text = await textOf(zip({
    ...unzipped,
    "ppt/slides/_rels/slide1.xml.rels": links({
      h: "hyperlink https://example.org/",
      c: "chart ../chart.xml",
      l: "slideLayout ../layout.xml",
      m: "comments ../comments.xml",
    }),
    "ppt/chart.xml": CHART,
    "ppt/layout.xml": `<p:sldLayout>${shape(["Click to edit"], "body")}${shape(["ACME"])}</p:sldLayout>`,
    "ppt/comments.xml": '<p:cmLst><p:cm authorId="0"><p:text>nice</p:text></p:cm></p:cmLst>',
  }));
  assertEquals(
    text,
    "## Slide 1\n\n[here](https://example.org/)\n\n[image: a dog]\nhttps://example.org/\n\nChart (bar): Sales\n\tEast\n" +
      "Q1\t5\nQ2\t7\n\nOn each slide of this layout:\nACME\n\nComments:\nnice",
  );
});
