import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import edit from "../../../../tools/harness/edit.ts";
import grep from "../../../../tools/harness/grep.ts";
import read from "../../../../tools/harness/read.ts";
import write from "../../../../tools/harness/write.ts";
import parWrite from "../../../../tools/par/write.ts";
import { assertRefuses, workspace } from "../../../support/run_tool.ts";

Deno.test("Read() gives a whole file", async () => {
  using ws = workspace({ "a.txt": "one\ntwo\n" });
  const { text, result, warnings } = await ws.run(read, { path: "a.txt" });
  assertEquals(
    text,
    `path: ${
      ws.at("a.txt")
    }\nsource_type: text\nstart_line: 1\nend_line: 2\ntotal_lines: 2\ntruncated: false\n` +
      "content:\none\ntwo",
  );
  assertEquals(result, {
    path: ws.at("a.txt"),
    source_type: "text",
    start_line: 1,
    end_line: 2,
    total_lines: 2,
    truncated: false,
    content: "one\ntwo",
  });
  assertEquals(warnings, []);
});

Deno.test("Read() gives a range and echoes the asked end", async () => {
  using ws = workspace({ "a.txt": "1\n2\n3\n4\n5" });
  const { result } = await ws.run(read, { path: ws.at("a.txt"), start_line: 4, end_line: 90 });
  assertEquals([result.content, result.start_line, result.end_line, result.total_lines], ["4\n5", 4, 90, 5]);
  const middle = (await ws.run(read, { path: "a.txt", start_line: 2, end_line: 3 })).result;
  assertEquals([middle.content, middle.truncated, "next_start_line" in middle], ["2\n3", false, false]);
});

Deno.test("Read() cuts at a whole line and says where to go on", async () => {
  using ws = workspace({ "a.txt": "aaaa\nbbbb\ncccc\n" });
  const { text } = await ws.run(read, { path: "a.txt", max_chars: 10 });
  assertEquals(
    text,
    `path: ${
      ws.at("a.txt")
    }\nsource_type: text\nstart_line: 1\nend_line: 3\ntotal_lines: 3\ntruncated: true\n` +
      "next_start_line: 3\ncontent:\naaaa\nbbbb",
  );
});

Deno.test("Read() returns 16384 characters unless told otherwise, and marks a line that is longer", async () => {
  using ws = workspace({ "exact.txt": "😀".repeat(16_384), "long.txt": "x".repeat(20_000) });
  const exact = (await ws.run(read, { path: "exact.txt" })).result;
  assertEquals([[...exact.content].length, exact.truncated], [16_384, false]);
  const long = (await ws.run(read, { path: "long.txt" })).result;
  assertEquals(long.content, `${"x".repeat(16_384)}… [3616 more characters in this line]`);
  assertEquals([long.truncated, "next_start_line" in long], [true, true]);
});

Deno.test("Read() succeeds with nothing past the end and on an empty file", async () => {
  using ws = workspace({ "a.txt": "1\n2\n", "empty.txt": "" });
  const past = await ws.run(read, { path: "a.txt", start_line: 9 });
  assertEquals([past.ok, past.result.content, past.result.end_line], [true, "", 2]);
  assertEquals(past.warnings, ['start_line 9 is past the end: "a.txt" has 2 lines']);
  const empty = await ws.run(read, { path: "empty.txt" });
  assertEquals([empty.result.total_lines, empty.result.content, empty.warnings], [0, "", []]);
});

Deno.test("Read() drops BOM and CR, replaces invalid UTF-8 and says so", async () => {
  using ws = workspace({ "a.txt": "\ufeffa\r\nb\r\n", "odd.txt": Uint8Array.of(0x63, 0xff, 0x80, 0x0a) });
  assertEquals((await ws.run(read, { path: "a.txt" })).result.content, "a\nb");
  const { result, warnings } = await ws.run(read, { path: "odd.txt" });
  assertEquals(result.content, "c\ufffd\ufffd");
  assertEquals(warnings, ['"odd.txt" holds bytes that are not valid UTF-8: 2 places are shown as U+FFFD']);
});

/** Files in their own encodings: a line, and what takes its place; the last character exists nowhere else. */
const OWN:
  readonly (readonly [encoding: string, bytes: string, text: string, to: string, toBytes: string])[] = [
    ["Windows-1252", "d\xe9j\xe0 vu", "déjà vu", "à € x", "\xe0 \x80 x"],
    ["Windows-1250", "Za\xbf\xf3\xb3\xe6 g\xea\x9cl\xb9 ja\x9f\xf1", "Zażółć gęślą jaźń", "ł", "\xb3"],
    ["Windows-1251", "\xef\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0", "привет, мир", "Ж", "\xc6"],
    [
      "KOI8-R",
      "\xd4\xc5\xcb\xd3\xd4 \xd7 \xcb\xcf\xc4\xc9\xd2\xcf\xd7\xcb\xc5",
      "текст в кодировке",
      "я",
      "\xd1",
    ],
    ["GB18030", "\xd6\xd0\xce\xc4\xb2\xe2\xca\xd4", "中文测试", "你😀€", "\xc4\xe3\x94\x39\xfc\x36\xa2\xe3"],
    ["Big5", "\xa7A\xa6n\xa1A\xb3o\xacO\xb4\xfa\xb8\xd5", "你好，這是測試", "人", "\xa4H"],
    [
      "Shift-JIS",
      "\x82\xb1\x82\xea\x82\xcd\x93\xfa\x96{\x8c\xea\x82\xc5\x82\xb7",
      "これは日本語です",
      "表",
      "\x95\\",
    ],
    [
      "EUC-KR",
      "\xbe\xc8\xb3\xe7\xc7\xcf\xbc\xbc\xbf\xe4 \xbc\xbc\xb0\xe8",
      "안녕하세요 세계",
      "한",
      "\xc7\xd1",
    ],
  ];

for (const [encoding, bytes, text, to, toBytes] of OWN) {
  Deno.test(`Read(), Grep() and Edit() work in ${encoding}, and leave other bytes as they are`, async () => {
    const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
    using ws = workspace({ "a.txt": latin1(`${bytes}\r\nold\r\n${bytes}`) });
    const seen = await ws.run(read, { path: "a.txt" });
    assertEquals(seen.result.content, `${text}\nold\n${text}`);
    assertEquals(seen.warnings, [`"a.txt" is written in ${encoding}, and was read so`]);
    const found = await ws.run(grep, { pattern: text.slice(1), path: "a.txt" });
    assertEquals(found.result.results.map(({ line }: { line: number }) => line), [1, 3]);
    const { warnings } = await ws.run(edit, { path: "a.txt", patch: `@@\n ${text}\n-old\n+${to}\n ${text}` });
    assertEquals(warnings, [`"a.txt" is written in ${encoding}, and stays so`]);
    assertEquals(ws.bytes("a.txt"), latin1(`${bytes}\r\n${toBytes}\r\n${bytes}`));
    const foreign = await ws.run(edit, { path: "a.txt", patch: `@@\n-${to}\n+\ud800` });
    assertStringIncludes(foreign.text, "half of a surrogate pair (U+D800) in line 2");
  });
}

Deno.test("Read() goes on inside a long line", async () => {
  using ws = workspace({ "a.txt": "😀bcdef\nnext\n" });
  const first = await ws.run(read, { path: "a.txt", max_chars: 4 });
  assertEquals([first.result.next_start_line, first.result.next_start_char], [1, 4]);
  const rest = await ws.run(read, { path: "a.txt", start_line: 1, start_char: 4, max_chars: 9 });
  assertEquals([rest.result.content, rest.result.truncated], ["ef\nnext", false]);
});

const CONTENTS: readonly (readonly [string, string, string])[] = [
  ["%PDF-1.4", "a.txt", "PDF files are not supported by Read. Use ReadPDF instead: "],
  ["\x89PNG\r\n\x1a\n", "a.txt", "Image files are not supported by Read. Use ReadImage instead: "],
  ["a\0b", "a.txt", "Binary files are not supported by Read. Inspect it with a program in Bash instead: "],
  ["PK\x03\x04", "a.docx", "DOCX files are not supported by Read. Use ReadDocument instead: "],
  [
    "PK\x03\x04",
    "a.zip",
    "ZIP (archive) files are not supported by Read. Inspect it with a program in Bash instead: ",
  ],
];

for (const [content, name, message] of CONTENTS) {
  Deno.test(`Read() refuses content ${JSON.stringify(content)}`, async () => {
    using ws = workspace({ [name]: Uint8Array.from(content, (char) => char.charCodeAt(0)) });
    const { text, error } = await ws.run(read, { path: name, start_line: 0 });
    assertEquals([text, error?.code], [`[Read] ${message}${ws.at(name)}`, "invalid_input"]);
  });
}

Deno.test("Read() words its refusals as documented", async () => {
  using ws = workspace({ "a.txt": "1\n", "folder/b.txt": "" });
  const range = { start_line: 3, end_line: 2, max_chars: 0 };
  const embedded = 'Blocked or invalid path: Cannot use path "a\\u0000": embedded null byte';
  await assertRefuses(ws, read, "[Read] ", [
    [{ path: "none.txt", start_line: 0 }, "not_found", `File not found: ${ws.at("none.txt")}`],
    [{ path: "folder" }, "invalid_input", `Path is not a file: ${ws.at("folder")}`],
    [{ path: "" }, "invalid_input", `Path is not a file: ${ws.path}`],
    [{ path: "a.txt", start_line: 0, max_chars: 0 }, "invalid_input", "start_line must be >= 1."],
    [{ path: "a.txt", ...range }, "invalid_input", "end_line must be >= start_line."],
    [{ path: "a.txt", max_chars: 0 }, "invalid_input", "max_chars must be > 0."],
    [{ path: "a\0" }, "invalid_input", embedded],
  ]);
});

Deno.test("Read() refuses what lies outside or holds secrets", async () => {
  using ws = workspace({ ".env": "KEY=1" });
  Deno.symlinkSync("/etc/hostname", ws.at("link"));
  for (const path of ["/etc/hostname", "../outside", "link"]) {
    const { text, error } = await ws.run(read, { path });
    assertEquals(error?.code, "permission_denied");
    assertMatch(text, /^\[Read\] Blocked or invalid path: Read access is limited to the workspace root: /);
  }
  const { text } = await ws.run(read, { path: ".env" });
  assertMatch(text, /^\[Read\] Blocked or invalid path: Read access to sensitive paths is blocked: /);
});

Deno.test("Read() reads through a link inside the workspace and names what is behind it", async () => {
  using ws = workspace({ "a.txt": "1\n" });
  Deno.symlinkSync("a.txt", ws.at("link"));
  Deno.symlinkSync("nowhere", ws.at("broken"));
  assertEquals((await ws.run(read, { path: "link" })).result.path, ws.at("a.txt"));
  assertEquals((await ws.run(read, { path: "broken" })).text, `[Read] File not found: ${ws.at("nowhere")}`);
});

Deno.test("Read() puts the home folder in place of ~", async () => {
  using ws = workspace({ "~x": "tilde\n" });
  assertEquals((await ws.run(read, { path: "~x" })).result.content, "tilde");
  assertMatch((await ws.run(read, { path: "~/a.txt" })).text, /\/nonexistent-home\/a\.txt/);
});

Deno.test("Read() advises only tools that are offered", async () => {
  using ws = workspace({ "a.docx": "PK\x03\x04", "a.pdf": "%PDF-1.4", "a.bin": "a\0b" });
  const table: [string, string[], string][] = [
    [
      "a.docx",
      ["Read", "Bash"],
      "DOCX files are not supported by Read. Inspect it with a program in Bash instead",
    ],
    ["a.docx", ["ReadDocument"], "DOCX files are not supported by Read. Use ReadDocument instead"],
    ["a.bin", ["TerminalStart"], "supported by Read. Inspect it with a program in TerminalStart instead"],
    ["a.pdf", ["Read"], "PDF files are not supported by Read"],
  ];
  for (const [path, offered, message] of table) {
    assertStringIncludes((await ws.run(read, { path }, { offered })).text, `${message}: `);
  }
});

Deno.test("Write() makes a file and its folders, byte for byte", async () => {
  using ws = workspace();
  const content = "\ufeffé\r\nno end";
  const { text, result } = await ws.run(write, { path: "deep/er/a.txt", content });
  assertEquals(text, `[Write] Wrote file: ${ws.at("deep/er/a.txt")}`);
  assertEquals(result, { path: ws.at("deep/er/a.txt"), bytes: 13 });
  assertEquals(ws.bytes("deep/er/a.txt"), new TextEncoder().encode(content));
  assertEquals([...Deno.readDirSync(ws.at("deep/er"))].map(({ name }) => name), ["a.txt"]);
});

Deno.test("Write() leaves what exists alone unless overwrite is true", async () => {
  using ws = workspace({ "a.txt": "old", "folder/b.txt": "" });
  for (const path of ["a.txt", "folder"]) {
    const { text, error } = await ws.run(write, { path, content: "new" });
    assertEquals(text, `[Write] File already exists and overwrite is false: ${ws.at(path)}`);
    assertEquals(error?.code, "conflict");
  }
  assertEquals(ws.read("a.txt"), "old");
  Deno.chmodSync(ws.at("a.txt"), 0o640);
  assertEquals((await ws.run(write, { path: "a.txt", content: "", overwrite: true })).ok, true);
  assertEquals([ws.read("a.txt"), Deno.statSync(ws.at("a.txt")).mode! & 0o777], ["", 0o640]);
});

Deno.test("Write() and write() say that a file was in another encoding", async () => {
  const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
  const gb = latin1("\xd6\xd0\xce\xc4\xb2\xe2\xca\xd4\n");
  const rows = [
    [gb, ['"a.txt" was in GB18030 and is UTF-8 now']],
    [latin1("h\0i\0"), ['"a.txt" was in UTF-16LE and is UTF-8 now']],
    [new TextEncoder().encode("h\u00f6"), []],
    [latin1("\x89PNG\0\xff"), []],
  ] as const;
  for (const [bytes, warnings] of rows) {
    for (const [tool, more] of [[write, { overwrite: true }], [parWrite, {}]] as const) {
      using ws = workspace({ "a.txt": bytes });
      const ran = await ws.run(tool, { path: "a.txt", content: "new", ...more });
      assertEquals([ran.warnings, ws.read("a.txt")], [warnings, "new"]);
    }
  }
});

Deno.test("Write() words the failures of the system", async () => {
  using ws = workspace({ "file": "x", "folder/b.txt": "" });
  const folder = await ws.run(write, { path: "folder", content: "", overwrite: true });
  assertEquals(folder.text, `[Write] Error writing file: Cannot write "${ws.at("folder")}": it is a folder`);
  assertEquals(folder.error?.code, "invalid_input");
  const below = await ws.run(write, { path: "file/below.txt", content: "" });
  assertEquals(below.ok, false);
  assertMatch(below.text, /^\[Write\] /);
  assertEquals(ws.read("file"), "x");
});

Deno.test("Write() refuses what lies outside or is protected", async () => {
  using ws = workspace();
  Deno.symlinkSync("/tmp/bulkhead-nowhere", ws.at("dangling"));
  for (const path of ["/etc/x", "../x", "dangling"]) {
    const { text, error } = await ws.run(write, { path, content: "" });
    assertEquals(error?.code, "permission_denied");
    assertMatch(text, /^\[Write\] Write access is limited to the workspace root: /);
  }
  assertEquals(
    (await ws.run(write, { path: ".git/hooks/pre-commit", content: "" })).error?.code,
    "permission_denied",
  );
});

Deno.test("Edit() applies hunks and shows what changed", async () => {
  using ws = workspace({ "a.txt": "1\n2\n3\n4\n" });
  const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n";
  const { text, result, warnings } = await ws.run(edit, { path: "a.txt", patch });
  const diff = "@@ -1,4 +1,4 @@\n 1\n-2\n+two\n 3\n 4";
  assertEquals(text, `[Edit] Updated file: ${ws.at("a.txt")}; applied_hunks: 1\n${diff}`);
  assertEquals(result, { path: ws.at("a.txt"), applied_hunks: 1, changed: true, diff });
  assertEquals(ws.read("a.txt"), "1\ntwo\n3\n4\n");
  assertEquals(warnings, []);
});

Deno.test("Edit() keeps every byte that the patch does not name, and the mode", async () => {
  using ws = workspace({ "a.sh": "\ufeffa\r\nb\nc\x0c\u0085\r\nend" });
  Deno.chmodSync(ws.at("a.sh"), 0o755);
  const { ok } = await ws.run(edit, { path: "a.sh", patch: "@@\n-a\n+A\n" });
  assertEquals([ok, Deno.statSync(ws.at("a.sh")).mode! & 0o777], [true, 0o755]);
  assertEquals(ws.bytes("a.sh"), new TextEncoder().encode("\ufeffA\r\nb\nc\x0c\u0085\r\nend"));
});

Deno.test("Edit() says when nothing changes, and writes nothing", async () => {
  using ws = workspace({ "a.txt": "1\n" });
  Deno.utimeSync(ws.at("a.txt"), 1, 1);
  const { text, result } = await ws.run(edit, { path: "a.txt", patch: "@@ -1 +1 @@\n 1\n" });
  assertEquals(text, `[Edit] No changes applied: ${ws.at("a.txt")}`);
  assertEquals([result.changed, result.applied_hunks, result.diff], [false, 0, ""]);
  assertEquals(Deno.statSync(ws.at("a.txt")).mtime?.getTime(), 1000);
});

Deno.test("Edit() writes nothing unless all hunks fit", async () => {
  using ws = workspace({ "a.txt": "1\n2\n" });
  const { text, error } = await ws.run(edit, { path: "a.txt", patch: "@@\n-1\n+one\n@@\n-three\n+3\n" });
  assertMatch(text, /^\[Edit\] Failed to apply patch: hunk #2 context not found:\nthree\n/);
  assertEquals([error?.code, error?.details.hunk], ["conflict", 2]);
  assertEquals(ws.read("a.txt"), "1\n2\n");
});

Deno.test("Edit() warns of a patch that names another file and of a guessed place", async () => {
  using ws = workspace({ "a.txt": `x\n${"-\n".repeat(30)}x\n` });
  const patch = "--- a/b.txt\n+++ b/b.txt\n@@ -2 +2 @@\n-x\n+X\n";
  const { warnings } = await ws.run(edit, { path: "a.txt", patch });
  assertEquals(warnings, [
    "Hunk #1 was applied at line 1, of 2 equal places the nearest to line 2 of its header",
    'The patch names "b.txt" and was applied to "a.txt"',
  ]);
});

Deno.test("Edit() words its refusals as documented", async () => {
  using ws = workspace({
    "a.txt": "1\n",
    "nul": "a\0",
    "odd": Uint8Array.of(0xff, 0x80),
    "folder/b.txt": "",
  });
  const text = "@@\n-a\n+b";
  const unread = (name: string) => `Error reading file: Cannot edit "${ws.at(name)}": it is`;
  await assertRefuses(ws, edit, "[Edit] ", [
    [{ path: "none.txt", patch: "" }, "not_found", `File not found: ${ws.at("none.txt")}`],
    [{ path: "folder", patch: "" }, "invalid_input", `Path is not a file: ${ws.at("folder")}`],
    [{ path: "a.txt", patch: " \n" }, "invalid_input", "'patch' must be a non-empty unified diff string."],
    [{ path: "a.txt", patch: "-1\n+2\n" }, "invalid_input", "Failed to apply patch: no patch hunks found"],
    [{ path: "nul", patch: text }, "invalid_input", `${unread("nul")} binary, byte 1 is NUL`],
    [
      { path: "odd", patch: text },
      "invalid_input",
      `${unread("odd")} not valid UTF-8, and editing would change its other bytes`,
    ],
  ]);
});

Deno.test("Edit() refuses what lies outside", async () => {
  using ws = workspace();
  const { text, error } = await ws.run(edit, { path: "/etc/hostname", patch: "@@\n-a\n+b" });
  assertEquals(error?.code, "permission_denied");
  assertMatch(text, /^\[Edit\] Edit access is limited to the workspace root: /);
});
