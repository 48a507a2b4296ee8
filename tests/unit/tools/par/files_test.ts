import { assertEquals, assertMatch, assertRejects } from "@std/assert";

import { createGuard } from "../../../../runtime/walls/files/guard.ts";
import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import edit from "../../../../tools/par/edit.ts";
import read from "../../../../tools/par/read.ts";
import { admitParPath, showParPath } from "../../../../tools/par/shared/path.ts";
import write from "../../../../tools/par/write.ts";
import { workspace } from "../../../support/run_tool.ts";

Deno.test("edit() replaces exact strings", async () => {
  using ws = workspace({ "src/main.ts": "let x = 1\nfoo()\n" });
  const edits = [{ old: "let x = 1", new: "let x = $&\\1" }, { old: "foo", new: "bar" }];
  const { text, warnings } = await ws.run(edit, { path: "src/main.ts", edits });
  assertEquals([text, warnings], ["Applied 2 edit(s) to src/main.ts", []]);
  assertEquals(ws.read("src/main.ts"), "let x = $&\\1\nbar()\n");
});

Deno.test("edit() accepts an empty list", async () => {
  using ws = workspace({ "a.txt": "a" });
  assertEquals((await ws.run(edit, { path: "a.txt", edits: [] })).text, "Applied 0 edit(s) to a.txt");
});

Deno.test("edit() tells of other occurrences", async () => {
  using ws = workspace({ "a.txt": "x\nx\ny\ny\ny\n" });
  const edits = [{ old: "x", new: "1" }, { old: "y", new: "2" }];
  const { warnings } = await ws.run(edit, { path: "a.txt", edits });
  assertEquals(warnings, [
    'edits[0]: "old" stands at line 2 too; only the first one, at line 1, was replaced',
    'edits[1]: "old" stands at lines 4, 5 too; only the first one, at line 3, was replaced',
  ]);
  assertEquals(ws.read("a.txt"), "1\nx\n2\ny\ny\n");
});

Deno.test("edit() writes nothing if one edit is refused", async () => {
  using ws = workspace({ "a.txt": "abc\n" });
  const first = { old: "a", new: "1" };
  const refused = [
    [{ old: "ab", new: "2" }, /^Overlapping edits: edits\[0\] and edits\[1\] both change line 1/],
    [{ old: "z", new: "2" }, /^edits\[1\]: "old" is not an exact part of the file\. /],
    [{ old: "", new: "2" }, /^edits\[1\]: "old" is empty/],
  ] as const;
  for (const [other, message] of refused) {
    const { text, error } = await ws.run(edit, { path: "a.txt", edits: [first, other] });
    assertEquals(error?.code, "invalid_input");
    assertMatch(text, message);
  }
  assertEquals(ws.read("a.txt"), "abc\n");
});

function contextOf(root: string, read: string[] = [root]): ToolContext {
  const grants = { workspace: root, home: "", read, write: [root], denyRead: [], denyWrite: [], secrets: [] };
  const files = createGuard({ ...grants, writeNamed: [], aliases: [] }, "test");
  return { workspace: root, files } as unknown as ToolContext;
}

Deno.test("admitParPath() admits relative paths that stay inside", async () => {
  using ws = workspace({ "a/b.txt": "" });
  const context = contextOf(ws.path);
  for (const path of ["a/b.txt", "./a/b.txt", "a/../a/b.txt", `../${ws.path.split("/").pop()}/a/b.txt`]) {
    assertEquals((await admitParPath(context, path, "read")).real, ws.at("a/b.txt"));
  }
  assertEquals((await admitParPath(context, "foo..bar", "write")).info, null);
  assertEquals((await admitParPath(context, "", "read")).real, ws.path);
});

Deno.test("admitParPath() refuses absolute paths into the workspace and colons", async () => {
  using ws = workspace({ "a/b.txt": "" });
  const table: [string, string][] = [
    [ws.at("a/b.txt"), 'absolute paths are refused, use the relative path "a/b.txt"'],
    [ws.path, 'absolute paths are refused, use the relative path "."'],
    ["a:b", "paths with a colon are refused, use a relative path without one"],
    ["C:\\Users", "paths with a colon are refused, use a relative path without one"],
  ];
  for (const [path, reason] of table) {
    const error = await assertRejects(() => admitParPath(contextOf(ws.path), path, "read"), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", `Cannot use path "${path}": ${reason}`]);
  }
});

Deno.test("admitParPath() lets the guard speak about what lies outside", async () => {
  using ws = workspace();
  using other = workspace({ "x.txt": "" });
  Deno.symlinkSync(other.path, ws.at("link"));
  for (const path of ["/etc/passwd", "../x", "a/../../x", "link/x.txt", "/etc/a:b", other.at("x.txt")]) {
    const error = await assertRejects(() => admitParPath(contextOf(ws.path), path, "read"), ToolError);
    assertEquals(error.code, "permission_denied", path);
  }
  const granted = contextOf(ws.path, [ws.path, other.path]);
  const { path } = await admitParPath(granted, other.at("x.txt"), "read");
  assertEquals(showParPath(granted, path), other.at("x.txt"));
  assertEquals([showParPath(granted, ws.path), showParPath(granted, ws.at("a"))], [".", "a"]);
});

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

Deno.test("read() numbers lines in a column of four", async () => {
  using ws = workspace({ "src/main.ml": "open Par\n\tlet x = 1\r\n" });
  const { text, result } = await ws.run(read, { path: "src/main.ml" });
  assertEquals(text, "   1\topen Par\n   2\t\tlet x = 1");
  assertEquals(result, text);
});

Deno.test("read() returns 100 lines and says with which offset to go on", async () => {
  using ws = workspace({ "a.txt": numbered(250) });
  const first = (await ws.run(read, { path: "a.txt" })).text.split("\n");
  assertEquals([first.length, first[0], first[99]], [101, "   1\tline 1", " 100\tline 100"]);
  assertEquals(first[100], "[… 150 more lines; call read with offset=100 for the rest]");
  const last = (await ws.run(read, { path: "a.txt", offset: 249, limit: 5 })).text;
  assertEquals(last, " 250\tline 250");
  const one = (await ws.run(read, { path: "a.txt", offset: 248, limit: 1 })).text;
  assertEquals(one, " 249\tline 249\n[… 1 more line; call read with offset=249 for the rest]");
});

Deno.test("read() lets numbers above 9999 grow", async () => {
  using ws = workspace({ "a.txt": numbered(10_001) });
  const { text } = await ws.run(read, { path: "a.txt", offset: 9998, limit: 3 });
  assertEquals(text, "9999\tline 9999\n10000\tline 10000\n10001\tline 10001");
});

Deno.test("read() gives an empty string for an empty file and past the end", async () => {
  using ws = workspace({ "empty": "", "a.txt": "1\n" });
  const empty = await ws.run(read, { path: "empty" });
  assertEquals([empty.ok, empty.text, empty.warnings], [true, "", []]);
  const past = await ws.run(read, { path: "a.txt", offset: 7 });
  assertEquals([past.ok, past.text], [true, ""]);
  assertEquals(past.warnings, ['offset 7 is past the end: "a.txt" has 1 lines']);
});

Deno.test("read() returns a binary file as base64", async () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
  using ws = workspace({ "a.bin": bytes, "a.png": "\x89PNG" });
  const { text, warnings } = await ws.run(read, { path: "a.bin" });
  assertEquals(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)), bytes);
  assertEquals(warnings, [
    '"a.bin" is not text (application/octet-stream, 100000 bytes): the result is its base64',
  ]);
});

Deno.test("read() refuses more than 10000000 bytes", async () => {
  using ws = workspace({ "big": "", "fits": "" });
  Deno.truncateSync(ws.at("big"), 10_000_001);
  Deno.truncateSync(ws.at("fits"), 10_000_000);
  const { text, error } = await ws.run(read, { path: "big" });
  assertEquals(error?.code, "invalid_input");
  assertEquals(text, 'File too large: "big" has 10000001 bytes, more than 10000000; search it with grep');
  assertEquals((await ws.run(read, { path: "fits" })).ok, true);
});

Deno.test("read() replaces invalid UTF-8 and says so", async () => {
  using ws = workspace({ "a.txt": Uint8Array.of(0x63, 0xff, 0x80, 0x0a) });
  const { text, warnings } = await ws.run(read, { path: "a.txt" });
  assertEquals([text, warnings], ["   1\tc\ufffd\ufffd", [
    '"a.txt" holds bytes that are not valid UTF-8: 2 places are shown as U+FFFD',
  ]]);
});

Deno.test("write() writes a file and counts bytes", async () => {
  using ws = workspace({ "a.txt": "older and longer" });
  assertEquals((await ws.run(write, { path: "a.txt", content: "héllo\r\n" })).text, "Wrote 8 bytes to a.txt");
  assertEquals(ws.read("a.txt"), "héllo\r\n");
  assertEquals((await ws.run(write, { path: "empty", content: "" })).text, "Wrote 0 bytes to empty");
});

Deno.test("write() makes folders only when asked to", async () => {
  using ws = workspace();
  const refused = await ws.run(write, { path: "out/deep/result.txt", content: "hello" });
  assertEquals(refused.error?.code, "not_found");
  assertEquals(
    refused.text,
    `Cannot write "out/deep/result.txt": no folder "${ws.at("out/deep")}", pass create_dirs: true to make it`,
  );
  const { text } = await ws.run(write, { path: "out/deep/result.txt", content: "hello", create_dirs: true });
  assertEquals(text, "Wrote 5 bytes to out/deep/result.txt");
  assertEquals(ws.read("out/deep/result.txt"), "hello");
});

Deno.test("read(), write() and edit() refuse paths that par does not admit, and what they cannot use", async () => {
  using ws = workspace({
    "a.txt": "a",
    "folder/b.txt": "",
    "nul": "a\0",
    "latin1": Uint8Array.of(0x61, 0xff, 0x80),
  });
  const everywhere: [string, string][] = [
    [ws.at("a.txt"), "invalid_input"],
    ["c:d", "invalid_input"],
    ["../a.txt", "permission_denied"],
    ["/etc/hostname", "permission_denied"],
    ["folder", "invalid_input"],
  ];
  const edits = [{ old: "a", new: "b" }];
  const more: [string, string][] = [["nul", "invalid_input"], ["latin1", "invalid_input"]];
  const missing: [string, string] = ["none.txt", "not_found"];
  for (
    const [tool, paths] of [
      [read, [...everywhere, missing]],
      [write, everywhere],
      [edit, [...everywhere, missing, ...more]],
    ] as const
  ) {
    for (const [path, code] of paths) {
      const { error, text } = await ws.run(tool, { path, content: "", edits });
      assertEquals(error?.code, code, text);
    }
  }
});
