import { assertEquals } from "@std/assert";

import { readOfficeText } from "../../../../../tools/engine/office/read.ts";
import { docx, paragraph, type Parts } from "../../../../support/documents/office_files.ts";

async function textOf(body: string, parts: Parts = {}): Promise<string> {
  const request = { kind: "office" as const, startChar: 0, maxChars: 100_000 };
  const { signal } = new AbortController();
  return (await readOfficeText(docx(body, parts), request, { signal })).content;
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
  Deno.test(`readDocx() ${behaviour}`, async () => assertEquals(await textOf(body), expected));
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
    await textOf(body, { "styles.xml": styles }),
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
    await textOf(body, { "numbering.xml": numbering }),
    "1. a\n2. b\n  2.a) c\n  2.b) d\n    - e\n3. f\n  3.a) g",
  );
});

Deno.test("readDocx() writes footnotes and endnotes at the end", async () => {
  const body = run('<w:t>See</w:t><w:footnoteReference w:id="2"/><w:endnoteReference w:id="1"/>');
  const note = (kind: string, id: string, text: string) =>
    `<w:${kind}s><w:${kind} w:type="separator" w:id="0">${run("<w:separator/>")}</w:${kind}>` +
    `<w:${kind} w:id="${id}">${paragraph(text)}</w:${kind}></w:${kind}s>`;
  assertEquals(
    await textOf(body, {
      "footnotes.xml": note("footnote", "2", "foot"),
      "endnotes.xml": note("endnote", "1", "end"),
    }),
    "See[^2][^e1]\n[^2]: foot\n[^e1]: end",
  );
});
