import { assertEquals, assertStringIncludes } from "@std/assert";
import { strToU8, zipSync, zlibSync } from "fflate";

import { ToolError } from "../../../../../../schemas/error.ts";
import { readOfficeText } from "../../../../../../tools/engine/office/read.ts";
import { docx, links, paragraph, xlsx, zip } from "../../../../../support/documents/office_files.ts";

async function failureOf(bytes: Uint8Array): Promise<string> {
  const request = { kind: "office" as const, startChar: 0, maxChars: 1000 };
  try {
    return (await readOfficeText(bytes, request, new AbortController())).content;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return `${error.code}: ${error.message}`;
  }
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
  assertEquals(await failureOf(file), "text");
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
  assertEquals(await failureOf(file), "text");
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
