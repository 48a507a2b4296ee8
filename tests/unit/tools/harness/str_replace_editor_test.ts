import { assertEquals, assertStringIncludes } from "@std/assert";

import { makePdf, showLines } from "../../../../scripts/bench/make_pdf.ts";
import editor from "../../../../tools/harness/str_replace_editor.ts";
import { docx, paragraph, pptx, shape, xlsx } from "../../../support/documents/office_files.ts";
import { editorCalls } from "../../../support/editor_calls.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";

const { view, create, replace, insert, undo } = editorCalls;

async function textOf(ws: Workspace, input: { path: string }): Promise<string> {
  return (await ws.run(editor, { ...input, path: ws.at(input.path) })).text.replaceAll(ws.path, "/ws");
}

Deno.test("str_replace_editor view shows a header and numbered lines", async () => {
  using ws = workspace({
    "a.txt": "one\ntwo\n\nfour",
    "crlf.txt": "\ufeffone\r\ntwo\r\n",
    "empty.txt": "",
    'q"é.txt': "\tx\n",
  });
  const cases: [string, number[] | undefined, string][] = [
    ["a.txt", undefined, "1, 4, 4|     1\tone\n     2\ttwo\n     3\t\n     4\tfour"],
    ["a.txt", [2, 3], "2, 3, 4|     2\ttwo\n     3\t"],
    ["a.txt", [3, 3], "3, 3, 4|     3\t"],
    ["a.txt", [4, -1], "4, 4, 4|     4\tfour"],
    ["a.txt", [3, 99], "3, 4, 4|     3\t\n     4\tfour"],
    ["a.txt", [9, 12], "9, 4, 4|"],
    ["crlf.txt", undefined, "1, 2, 2|     1\tone\n     2\ttwo"],
    ["empty.txt", undefined, "1, 0, 0|"],
    ['q"é.txt', undefined, "1, 1, 1|     1\t\tx"],
  ];
  for (const [name, view_range, expected] of cases) {
    const [lines = "", body] = expected.split("|");
    const [start, end, total] = lines.split(", ");
    const header = `{"path": ${JSON.stringify(`/ws/${name}`)}, "start_line": ${start}, "end_line": ${end}, ` +
      `"total_lines": ${total}}`;
    const text = await textOf(ws, view(name, view_range));
    assertEquals(text, `${header}\n${body}`);
    assertEquals(JSON.parse(header).path, `/ws/${name}`);
  }
});

Deno.test("str_replace_editor view clips after 16384 characters, inside a line", async () => {
  using ws = workspace({ "a.txt": `short\n${"é".repeat(50_000)}\nend\n`, "fits.txt": "x".repeat(16_000) });
  const { text, result } = await ws.run(editor, view(ws.at("a.txt")));
  const [header = "", first, second = "", last, ...more] = text.split("\n");
  assertEquals(first, "     1\tshort");
  assertEquals(last, "<response clipped>");
  assertEquals(more, []);
  assertEquals(`${header}\n${first}\n${second}`.length, 16_384);
  assertEquals(second.startsWith("     2\téé"), true);
  assertEquals([result.total_lines, result.truncated], [3, true]);
  const fits = await ws.run(editor, view(ws.at("fits.txt")));
  assertEquals(fits.text.endsWith("x"), true);
});

Deno.test("str_replace_editor view lists a folder two levels deep", async () => {
  using ws = workspace({
    "b.txt": "",
    "A/z.txt": "",
    "A/deep/x.txt": "",
    "A/.hidden": "",
    ".git/config": "",
    "a b/server.key": "",
    "a b/ü.txt": "",
    "c\nd": "",
  });
  Deno.mkdirSync(ws.at("empty"));
  Deno.symlinkSync(ws.at("A/deep"), ws.at("inner"));
  Deno.symlinkSync("/etc", ws.at("outer"));
  Deno.symlinkSync(ws.at("nowhere"), ws.at("broken"));
  assertEquals(
    await textOf(ws, view(ws.path)),
    "/ws\nA/\nA/deep/\nA/z.txt\na b/\na b/ü.txt\nb.txt\nbroken\nc\\nd\nempty/\ninner/\ninner/x.txt\nouter",
  );
});

Deno.test("str_replace_editor view lists a folder that has a hidden folder above it", async () => {
  using ws = workspace({ ".cache/sub/a.txt": "" });
  assertEquals(await textOf(ws, view(".cache/sub")), "/ws/.cache/sub\na.txt");
});

Deno.test("str_replace_editor view says what an audio file is", async () => {
  const header = new Uint8Array(44);
  header.set(new TextEncoder().encode("RIFF____WAVEfmt "));
  header.set([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0], 16);
  header.set(new TextEncoder().encode("data"), 36);
  header.set([0x40, 0x1f, 0, 0], 40);
  const wav = new Uint8Array(44 + 8_000);
  wav.set(header);
  using ws = workspace({ "a.wav": wav, "b.m4a": "not audio", "noending": wav });
  const facts = "- sample_rate_hz: 8000\n- channels: 1\n- duration_seconds: 1.000";
  assertEquals(
    await textOf(ws, view("a.wav")),
    `# a.wav\n\nBinary media file.\n\n- path: /ws/a.wav\n- size_bytes: 8044\n- format: wav\n${facts}`,
  );
  assertEquals(
    await textOf(ws, view("b.m4a")),
    "# b.m4a\n\nBinary media file.\n\n- path: /ws/b.m4a\n- size_bytes: 9\n- format: m4a",
  );
  assertStringIncludes(await textOf(ws, view("noending")), "- format: wav\n");
});

Deno.test("str_replace_editor view shows the text of office files", async () => {
  const cell = (position: string, text: string) => `<c r="${position}" t="s"><v>${text}</v></c>`;
  const sheet = `<row r="2">${cell("A2", "1")}${cell("C2", "0")}</row>`;
  const slides = Array.from({ length: 10 }, (_, index) => ({ shapes: shape([`text ${index + 1}`]) }));
  using ws = workspace({
    "a.docx": docx(paragraph("one") + paragraph("two")),
    "noending": docx(paragraph("text")),
    "a.xlsx": xlsx({ Sales: sheet }, { strings: "<si><t>zero</t></si><si><t>one</t></si>" }),
    "a.pptx": pptx(slides),
    "long.docx": docx(paragraph("x".repeat(20_000))),
  });
  assertEquals(await textOf(ws, view("a.docx")), "# a.docx\n\none\ntwo");
  assertEquals(await textOf(ws, view("noending")), "# noending\n\ntext");
  assertEquals(
    await textOf(ws, view("a.xlsx")),
    "# a.xlsx\n\n## Sheet 1: Sales\n\n\tA\tB\tC\n2\tone\t\tzero",
  );
  const slide = (_: unknown, index: number) => `## Slide ${index + 1}\n\ntext ${index + 1}`;
  assertEquals(await textOf(ws, view("a.pptx")), `# a.pptx\n\n${slides.map(slide).join("\n\n")}`);
  const long = await textOf(ws, view("long.docx"));
  assertEquals([long.length, long.endsWith("x\n<response clipped>")], [16_384 + 19, true]);
});

Deno.test("str_replace_editor view shows the text of a PDF", async () => {
  using ws = workspace({ "a.pdf": makePdf([showLines([{ x: 50, y: 700, text: "Some words" }])]) });
  const { text, warnings } = await ws.run(editor, view(ws.at("a.pdf"), [1, 2]));
  assertEquals(text, "# a.pdf\n\nSome words");
  assertEquals(warnings, ["view_range is ignored: the path is not a text file"]);
});

Deno.test("str_replace_editor view says why a document cannot be read", async () => {
  using ws = workspace({ "a.docx": "x", "b.xlsx": "", "c.pptx": "PK\x03\x04", "a.pdf": "%PDF-1.7" });
  const lead = "[str_replace_editor] Error reading";
  assertEquals(
    await textOf(ws, view("a.docx")),
    `${lead} DOCX: The file is not a docx, xlsx or pptx: it does not begin as a zip archive`,
  );
  assertEquals(await textOf(ws, view("b.xlsx")), `${lead} XLSX: The file is empty`);
  assertEquals(
    await textOf(ws, view("c.pptx")),
    `${lead} PPTX: The file is damaged: its end is missing, it seems to be cut off`,
  );
  assertStringIncludes(await textOf(ws, view("a.pdf")), `${lead} PDF: `);
});

Deno.test("str_replace_editor view refuses what is not text", async () => {
  using ws = workspace({
    "a.png": Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    "nul": "a\0b",
    "odd.txt": Uint8Array.of(0x61, 0xff, 0x80, 0x0a),
  });
  const lead = "[str_replace_editor] Error reading text file: ";
  const cases = {
    "a.png": "image/png",
    "nul": "application/octet-stream",
    "odd.txt": "bytes that are not UTF-8",
  };
  for (const [name, what] of Object.entries(cases)) {
    assertEquals(await textOf(ws, view(name)), `${lead}"/ws/${name}" is not UTF-8 text: it holds ${what}`);
  }
});

Deno.test("str_replace_editor create writes the bytes as given", async () => {
  using ws = workspace({ "sub/x": "" });
  const file_text = "a\r\n\tb\nno end";
  assertEquals(
    await textOf(ws, create("sub/new.txt", file_text)),
    "[str_replace_editor] Created file: /ws/sub/new.txt",
  );
  assertEquals(ws.read("sub/new.txt"), file_text);
  await textOf(ws, create("empty", ""));
  assertEquals(ws.read("empty"), "");
});

Deno.test("str_replace_editor str_replace keeps every other byte", async () => {
  const cases: [string, string, string | undefined, string][] = [
    ["a\nb\nc", "b", "x", "a\nx\nc"],
    ["a\nb\nc", "b\n", undefined, "a\nc"],
    ["a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "x\r\ny\r\nz\r\nc\r\n"],
    ["a\r\nb\r\n", "a\r\nb", "a\nb", "a\nb\r\n"],
    ["a\r\nb\n", "a", "x", "x\r\nb\n"],
    ["\ufeffa\n", "a", "b", "\ufeffb\n"],
    ["all:\n\tcc\n", "\tcc", "\tld\n\tar", "all:\n\tld\n\tar\n"],
    ["$1 a", "a", "$& $1", "$1 $& $1"],
    ["é\u2028\fb\n", "b", "c", "é\u2028\fc\n"],
  ];
  for (const [before, old_str, new_str, after] of cases) {
    using ws = workspace({ f: before });
    const text = await textOf(ws, replace("f", old_str, new_str));
    assertEquals(text, "[str_replace_editor] Replaced text in file: /ws/f");
    assertEquals(new TextDecoder("utf-8", { ignoreBOM: true }).decode(ws.bytes("f")), after);
  }
});

Deno.test("str_replace_editor insert puts whole lines after a line", async () => {
  const cases: [string, number, string, string][] = [
    ["a\nb\n", 0, "x", "x\na\nb\n"],
    ["a\nb\n", 1, "x\n", "a\nx\nb\n"],
    ["a\nb\n", 2, "x", "a\nb\nx\n"],
    ["a\nb", 2, "x", "a\nb\nx\n"],
    ["", 0, "x", "x\n"],
    ["a\n", 1, "", "a\n\n"],
    ["a\r\nb\r\n", 1, "x\ny", "a\r\nx\r\ny\r\nb\r\n"],
    ["\ufeffa\n", 0, "x", "\ufeffx\na\n"],
  ];
  for (const [before, insert_line, new_str, after] of cases) {
    using ws = workspace({ f: before });
    const text = await textOf(ws, insert("f", insert_line, new_str));
    assertEquals(text, `[str_replace_editor] Inserted text after line ${insert_line} in file: /ws/f`);
    assertEquals(new TextDecoder("utf-8", { ignoreBOM: true }).decode(ws.bytes("f")), after);
  }
});

Deno.test("str_replace_editor undo_edit takes back one edit of a file, once", async () => {
  using ws = workspace({ a: "1\r\n2\r\n", b: "x" });
  await textOf(ws, replace("a", "1", "one"));
  await textOf(ws, insert("a", 1, "half"));
  await textOf(ws, replace("b", "x", "y"));
  assertEquals(await textOf(ws, undo("a")), "[str_replace_editor] Reverted last edit to file: /ws/a");
  assertEquals([ws.read("a"), ws.read("b")], ["one\r\n2\r\n", "y"]);
  assertEquals(await textOf(ws, undo("a")), "[str_replace_editor] No edit to undo for file: /ws/a");
});

Deno.test("str_replace_editor undo_edit knows a file by every path that leads to it", async () => {
  using ws = workspace({ "d/a": "1" });
  Deno.symlinkSync(ws.at("d"), ws.at("link"));
  await textOf(ws, replace("link/a", "1", "2"));
  await textOf(ws, undo("d/../d/a"));
  assertEquals(ws.read("d/a"), "1");
});

Deno.test("str_replace_editor undo_edit removes a file that the edit created", async () => {
  using ws = workspace();
  const removed = "[str_replace_editor] Removed file created by last edit: /ws/new";
  await textOf(ws, create("new", "x"));
  assertEquals(await textOf(ws, undo("new")), removed);
  assertEquals(Array.from(Deno.readDirSync(ws.path)), []);
  await textOf(ws, create("new", "x"));
  Deno.removeSync(ws.at("new"));
  assertEquals(await textOf(ws, undo("new")), removed);
});

Deno.test("str_replace_editor undo_edit refuses when something else changed the file", async () => {
  for (const change of [(path: string) => Deno.writeTextFileSync(path, "2\nmine\n"), Deno.removeSync]) {
    using ws = workspace({ a: "1\n" });
    await textOf(ws, replace("a", "1", "2"));
    change(ws.at("a"));
    const { error } = await ws.run(editor, undo(ws.at("a")));
    assertEquals(error?.code, "conflict");
    Deno.writeTextFileSync(ws.at("a"), "2\n");
    await textOf(ws, undo("a"));
    assertEquals(ws.read("a"), "1\n");
  }
});

Deno.test("str_replace_editor words its refusals as documented and changes nothing", async () => {
  using ws = workspace({ "a.txt": "x\ny\nx\n", "a.docx": "x", bin: Uint8Array.of(120, 0, 121), "d/f": "" });
  const refusals: Record<string, [{ path: string }, string][]> = {
    not_found: [
      [view("none"), "Path not found: /ws/none"],
      [create("no/new", ""), "Parent directory does not exist: /ws/no"],
      [replace("a.txt", "z", "y"), "old_str was not found exactly once; found 0 matches."],
      [replace("none", "x"), "File not found: /ws/none"],
      [undo("a.txt"), "No edit to undo for file: /ws/a.txt"],
    ],
    invalid_input: [
      [view("a.txt", [1]), "view_range must be [start_line, end_line]."],
      [view("a.txt", []), "view_range must be [start_line, end_line]."],
      [view("a.txt", [0, 2]), "view_range start_line must be >= 1."],
      [view("a.txt", [3, 2]), "view_range end_line must be -1 or >= start_line."],
      [create("new"), "Missing required parameter for create: file_text"],
      [replace("a.txt"), "Missing required parameter for str_replace: old_str"],
      [replace("a.txt", ""), "old_str must be non-empty."],
      [replace("a.txt", "y", "y"), "old_str and new_str must be different."],
      [replace("d", "x"), "Path is not a file: /ws/d"],
      [replace("a.docx", "x"), "Editing binary/derived formats is not supported: /ws/a.docx"],
      [replace("bin", "x"), 'Cannot edit "/ws/bin": it is binary, byte 1 is NUL'],
      [insert("a.txt", undefined, "x"), "Missing required parameter for insert: insert_line"],
      [insert("a.txt", 1), "Missing required parameter for insert: new_str"],
      [insert("a.txt", 4, "x"), "insert_line must be between 0 and 3."],
      [insert("a.txt", -1, "x"), "insert_line must be between 0 and 3."],
    ],
    conflict: [
      [create("a.txt", ""), "Cannot create because file already exists: /ws/a.txt"],
      [create("d", ""), "Cannot create because file already exists: /ws/d"],
      [replace("a.txt", "x\n"), "old_str must be unique; found 2 matches."],
    ],
  };
  for (const [code, rows] of Object.entries(refusals)) {
    for (const [input, message] of rows) {
      const { error, text } = await ws.run(editor, { ...input, path: ws.at(input.path) });
      assertEquals(error?.code, code, JSON.stringify(input));
      assertEquals(text.replaceAll(ws.path, "/ws"), `[str_replace_editor] ${message}`);
    }
  }
  assertEquals(ws.read("a.txt"), "x\ny\nx\n");
});

Deno.test("str_replace_editor needs an absolute path inside the grants", async () => {
  using ws = workspace({ "a.txt": "x" });
  const run = async (path: string) => (await ws.run(editor, view(path))).text;
  assertEquals(await run("a.txt"), "[str_replace_editor] path must be absolute.");
  assertEquals(await run(" "), "[str_replace_editor] path must be a non-empty absolute path.");
  assertStringIncludes(
    await run("/etc/hostname"),
    `[str_replace_editor] str_replace_editor access is limited to the workspace root: ${ws.path}`,
  );
  assertStringIncludes(
    await run(ws.at(".env")),
    `[str_replace_editor] str_replace_editor access to sensitive paths is blocked: ${ws.at(".env")}`,
  );
});

Deno.test("str_replace_editor tells the lines of all matches in the details", async () => {
  using ws = workspace({ "a.txt": "x\ny\nx\ny\n" });
  const { error } = await ws.run(editor, replace(ws.at("a.txt"), "x\ny"));
  assertEquals(error?.details, { matches: 2, lines: [1, 3] });
});
