import { assertEquals, assertStringIncludes } from "@std/assert";

import tool from "../../../../tools/harness/read_document.ts";
import { docx, paragraph, pptx, shape, xlsx, zip } from "../../../support/documents/office_files.ts";
import { assertRefuses, type Workspace, workspace } from "../../../support/run_tool.ts";

async function contentOf(ws: Workspace, path: string): Promise<string> {
  const { text, result } = await ws.run(tool, { path });
  return result?.content ?? text;
}

Deno.test("ReadDocument shows facts, then the text", async () => {
  using ws = workspace({ "a.docx": docx(paragraph("Grüße &amp; <![CDATA[<b>]]>") + paragraph("two")) });
  const { text } = await ws.run(tool, { path: "a.docx" });
  assertEquals(
    text,
    `path: ${ws.at("a.docx")}\nsource_type: docx\nsection_count: 1\ntotal_chars: 15\nstart_char: 0\n` +
      "truncated: false\ncontent:\nGrüße & <b>\ntwo",
  );
});

Deno.test("ReadDocument goes on where an earlier call ended", async () => {
  using ws = workspace({ "a.docx": docx(paragraph("0123456789") + paragraph("x😀y")) });
  const first = await ws.run(tool, { path: "a.docx", max_chars: 13 });
  assertEquals([first.result.content, first.result.next_start_char], ["0123456789\nx", 12]);
  const second = await ws.run(tool, { path: "a.docx", start_char: 12, max_chars: 13 });
  assertEquals([second.result.content, second.result.truncated], ["😀y", false]);
  const past = await ws.run(tool, { path: "a.docx", start_char: 99 });
  assertEquals(past.warnings, ["start_char 99 is past the end: the text has 15 characters"]);
});

Deno.test("ReadDocument reads one sheet, and lists all where it cuts", async () => {
  const row = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;
  using ws = workspace({ "a.xlsx": xlsx({ First: row("one"), "!Second": row("two") }) });
  const { text } = await ws.run(tool, { path: "a.xlsx", max_chars: 10 });
  assertStringIncludes(
    text,
    "truncated: true\nnext_start_char: 10\nsections:\nSheet 1: First (start_char 0)\n" +
      "Sheet 2: Second (hidden) (start_char 29)\ncontent:\n## Sheet 1",
  );
  const second = await ws.run(tool, { path: "a.xlsx", section: 2 });
  assertEquals(second.result.content, "## Sheet 2: Second (hidden)\n\n\tA\n1\ttwo");
  assertEquals(second.result.section_count, 2);
  const third = await ws.run(tool, { path: "a.xlsx", section: 3 });
  assertEquals(third.text, "[ReadDocument] Error reading document: section 3 does not exist: the file has 2");
});

Deno.test("ReadDocument reads slides in the order in which they are shown", async () => {
  const slides = Array.from({ length: 11 }, (_, index) => ({ shapes: shape([`slide ${index + 1}`]) }));
  using ws = workspace({
    "a.pptx": pptx([
      { shapes: shape(["text"]) + shape(["Title"], "title"), notes: "say it" },
      { shapes: "", hidden: true },
    ]),
    "long.pptx": pptx(slides),
  });
  assertEquals(
    await contentOf(ws, "a.pptx"),
    "## Slide 1\n\nTitle\n\ntext\n\nNotes:\nsay it\n\n## Slide 2 (hidden)",
  );
  assertEquals(
    (await contentOf(ws, "long.pptx")).match(/slide \d+/g),
    slides.map((_, index) => `slide ${index + 1}`),
  );
});

Deno.test("ReadDocument reads csv of several kinds", async () => {
  const utf16 = Uint8Array.from([0xff, 0xfe, ..."a\tb".split("").flatMap((char) => [char.charCodeAt(0), 0])]);
  using ws = workspace({
    "a.csv": '\ufeffname,note\r\n"Doe, Jane","said ""hi""\nloud"\r\n,last\r\n\r\nend',
    "b.csv": "a;1,5\nb;2,5\n",
    "c.tsv": utf16,
    "d.csv": Uint8Array.of(0x61, 0xe9),
    "named.csv": "sep=,\na;b,c\n",
    "wide.csv": ",".repeat(20_000),
  });
  const a = '\tA\tB\n1\tname\tnote\n2\tDoe, Jane\tsaid "hi" loud\n3\t\tlast\n5\tend';
  assertEquals(await contentOf(ws, "a.csv"), a);
  assertEquals(await contentOf(ws, "b.csv"), "\tA\tB\n1\ta\t1,5\n2\tb\t2,5");
  assertEquals(await contentOf(ws, "c.tsv"), "\tA\tB\n1\ta\tb");
  assertEquals(await contentOf(ws, "named.csv"), "\tA\tB\n1\ta;b\tc");
  assertStringIncludes(await contentOf(ws, "wide.csv"), "a row has more than 16384 values");
  const { result, warnings } = await ws.run(tool, { path: "d.csv" });
  assertEquals([result.content, ...warnings], [
    "\tA\n1\taé",
    "The file is not valid UTF-8 and was read as Windows-1252",
  ]);
});

Deno.test("ReadDocument reads notebooks with their outputs, pictures only by name", async () => {
  const cells = [
    { cell_type: "markdown", source: ["# Title\n", "text"] },
    {
      cell_type: "code",
      execution_count: 2,
      source: "print(1)",
      outputs: [
        { output_type: "stream", name: "stdout", text: ["1\n"] },
        { output_type: "display_data", data: { "image/png": "iVBO", "text/plain": ["<Figure>"] } },
        { output_type: "error", ename: "ValueError", evalue: "bad", traceback: ["\u001b[31m…"] },
      ],
    },
  ];
  using ws = workspace({
    "a.ipynb": JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }),
    "old.ipynb": JSON.stringify({ nbformat: 3, worksheets: [] }),
    "bad.ipynb": "{",
  });
  assertEquals(
    await contentOf(ws, "a.ipynb"),
    "## Cell 1 (markdown)\n\n# Title\ntext\n\n## Cell 2 (code) [2]\n\nprint(1)\n\n" +
      "Output:\n1\n<Figure>\n[image/png]\n…\nValueError: bad",
  );
  assertStringIncludes(await contentOf(ws, "old.ipynb"), "has the old format 3");
  assertStringIncludes(await contentOf(ws, "bad.ipynb"), "The notebook is not valid JSON");
});

Deno.test("ReadDocument tells files by content and names the tool for others", async () => {
  const word = docx(paragraph("text"));
  using ws = workspace({
    "noending": word,
    "wrong.txt": word,
    "a.docx": "%PDF-1.7",
    "b.docx": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    "c.docx": "text",
    "d.docx": "a\0b",
    "e.docx": "",
    "cut.docx": word.subarray(0, word.length - 40),
    "a.zip": zip({ "a.txt": "text" }),
    "a.odt": zip({ mimetype: "application/vnd.oasis.opendocument.text", "content.xml": "<x/>" }),
  });
  Deno.mkdirSync(ws.at("folder"));
  assertEquals(await contentOf(ws, "noending"), "text");
  assertEquals(await contentOf(ws, "wrong.txt"), "text");
  const read = "Error reading document: ";
  const other = (kind: string, advice: string) =>
    `${read}${kind} files are not supported by ReadDocument. ${advice} instead: PATH`;
  const cases: [string, string][] = [
    ["a.docx", other("PDF", "Use ReadPDF")],
    ["b.docx", other("Image", "Use ReadImage")],
    ["c.docx", other("Text", "Use Read")],
    ["d.docx", other("Binary", "Inspect it with a program in Bash")],
    ["e.docx", `${read}The file is empty: PATH`],
    ["cut.docx", `${read}The file is damaged: its end is missing, it seems to be cut off`],
    [
      "a.zip",
      `${read}The file is a zip archive, not a docx, xlsx or pptx: list and unpack it with unzip in Bash`,
    ],
    ["a.odt", `${read}OpenDocument files are not supported: save it as .docx, .xlsx or .pptx`],
    ["folder", "Path is not a file: PATH"],
    ["none.docx", "File not found: PATH"],
  ];
  for (const [name, expected] of cases) {
    const { text } = await ws.run(tool, { path: name });
    assertEquals(text, `[ReadDocument] ${expected.replace("PATH", ws.at(name))}`);
  }
});

Deno.test("ReadDocument refuses old and encrypted office files with what to do", async () => {
  const container = (stream: string) => {
    const bytes = new Uint8Array(4096);
    bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    [...stream].forEach((char, index) => bytes[1024 + index * 2] = char.charCodeAt(0));
    return bytes;
  };
  const save = (program: string, ending: string) =>
    `Old binary ${program} files (.${ending}) are not supported: save it as .${ending}x, with an office program ` +
    `or with "soffice --headless --convert-to ${ending}x" in Bash`;
  const cases: [string, string, string][] = [
    ["a.doc", "WordDocument", save("Word", "doc")],
    ["a.xls", "Workbook", save("Excel", "xls")],
    ["a.ppt", "PowerPoint Document", save("PowerPoint", "ppt")],
    [
      "a.docx",
      "EncryptedPackage",
      "The file is protected by a password: open it in an office program and save it without one",
    ],
    ["a.msi", "Other", "Old binary office files are not supported: save it as .docx, .xlsx or .pptx"],
  ];
  for (const [name, stream, expected] of cases) {
    using ws = workspace({ [name]: container(stream) });
    const { error } = await ws.run(tool, { path: name });
    assertEquals([error?.code, error?.message], ["invalid_input", `Error reading document: ${expected}`]);
  }
});

Deno.test("ReadDocument checks its numbers", async () => {
  using ws = workspace({ "a.csv": "a" });
  await assertRefuses(ws, tool, "[ReadDocument] ", [
    [{ path: "a.csv", section: 0 }, "invalid_input", "section must be >= 1."],
    [{ path: "a.csv", start_char: -1 }, "invalid_input", "start_char must be >= 0."],
    [{ path: "a.csv", max_chars: 0 }, "invalid_input", "max_chars must be > 0."],
  ]);
});
