import { assertEquals } from "@std/assert";

import type { ToolContext } from "../../../../schemas/context.ts";
import { findText } from "../../../../tools/engine/editor/find_text.ts";
import { lastEdit, type PastEdit, recordEdit } from "../../../../tools/engine/editor/history.ts";
import { clipCharacters } from "../../../../tools/engine/editor/lines.ts";
import { listFolder } from "../../../../tools/engine/editor/list_folder.ts";
import { expandTabs, restoreTabs } from "../../../../tools/engine/editor/tabs.ts";
import { workspace } from "../../../support/run_tool.ts";
import { keptSession } from "../../../support/web/kept_session.ts";

function slice(text: string, sought: string, expandTabs = false): string | null {
  const { first } = findText(text, sought, { expandTabs });
  return first && text.slice(first.start, first.end);
}

Deno.test("findText() finds a text and the lines of its occurrences", () => {
  const cases: [string, string, number, number[]][] = [
    ["a\nb\n", "b", 1, [2]],
    ["a\nb\na\n", "a", 2, [1, 3]],
    ["aa", "a", 2, [1]],
    ["x\ny\n\nx\ny\n", "x\ny\n", 2, [1, 4]],
    ["abc", "d", 0, []],
    ["", "a", 0, []],
    ["aaaa", "aa", 2, [1]],
    ["aaa", "aa", 2, [1]],
    ["a\n\n\nb", "\n\n", 2, [1, 2]],
    ["a.c abc", "a.c", 1, [1]],
  ];
  for (const [text, sought, count, lines] of cases) {
    const found = findText(text, sought);
    assertEquals([found.count, found.lines], [count, lines], JSON.stringify([text, sought]));
  }
});

Deno.test("findText() names at most 100 lines and counts all", () => {
  const found = findText("x\n".repeat(250), "x");
  assertEquals([found.count, found.lines.length, found.lines[99]], [250, 100, 100]);
});

Deno.test("findText() lets a line feed stand for CRLF", () => {
  const cases: [string, string, string | null][] = [
    ["a\r\nb\r\nc\r\n", "a\nb", "a\r\nb"],
    ["a\r\nb\r\nc\r\n", "b", "b"],
    ["a\r\nb\r\nc\r\n", "\nb\n", "\r\nb\r\n"],
    ["a\r\nb\nc\r\n", "b\nc\n", "b\nc\r\n"],
    ["a\r\nb\r\nc", "a\r\nb", "a\r\nb"],
    ["a\nb", "a\r\nb", null],
    ["\ufeffa\r\nb", "a\nb", "a\r\nb"],
  ];
  for (const [text, sought, expected] of cases) {
    assertEquals(slice(text, sought), expected, JSON.stringify([text, sought]));
  }
});

Deno.test("findText() finds what was shown with tabs as spaces, if asked and if nothing else matches", () => {
  const cases: [string, string, string | null][] = [
    ["all:\n\tcc x\n", "        cc x", "\tcc x"],
    ["all:\r\n\tcc\tx\r\n", "all:\n        cc      x", "all:\r\n\tcc\tx"],
    ["\tx\n        x\n", "        x", "        x"],
    ["\tcc x\n", "    cc x", null],
    ["a\tb\tc", "b       c", "b\tc"],
    ["é\tb", "é       b", "é\tb"],
    ["😀\tb", "😀       b", "😀\tb"],
  ];
  for (const [text, sought, expected] of cases) {
    assertEquals(slice(text, sought, true), expected, JSON.stringify([text, sought]));
  }
  assertEquals(slice("\tx", "        x"), null);
});

Deno.test("findText() gives up among very many half tabs instead of taking time", () => {
  const text = "\tx\n".repeat(50_000) + "\ty\n";
  assertEquals(findText(text, "  ", { expandTabs: true }).count, 0);
});

function edit(path: string, after: string, removed = ""): PastEdit {
  return { path, after, reversal: { at: 0, removed, added: 0 } };
}

Deno.test("recordEdit() drops the oldest edits of all files beyond the total size", async () => {
  const state = keptSession();
  const bounds = { levels: 50, maxUnits: 1_000 };
  await recordEdit(state, edit("/a", "1", "x".repeat(300)), bounds);
  await recordEdit(state, edit("/b", "2", "x".repeat(300)), bounds);
  assertEquals(await lastEdit(state, "/a"), null);
  assertEquals((await lastEdit(state, "/b"))?.after, "2");
  assertEquals(await recordEdit(state, edit("/b", "3", "x".repeat(1_000)), bounds), false);
  assertEquals(await lastEdit(state, "/b"), null);
});

Deno.test("clipCharacters() counts code points", () => {
  assertEquals(clipCharacters("abc", 3), "abc");
  assertEquals(clipCharacters("abc", 2), "ab");
  assertEquals(clipCharacters("😀😀😀", 2), "😀😀");
});

Deno.test("listFolder() tells no name of a folder that a link replaced after it was found", async () => {
  using ws = workspace({ "d/own.txt": "" });
  using elsewhere = workspace({ "hidden.txt": "" });
  const warnings: string[] = [];
  const mayRead = (path: string) => {
    if (path !== ws.at("d")) return true;
    Deno.renameSync(path, `${elsewhere.path}/moved`);
    Deno.symlinkSync(elsewhere.path, path);
    return true;
  };
  const context = {
    files: { mayRead },
    signal: new AbortController().signal,
    warn: (message: string) => void warnings.push(message),
  } as unknown as ToolContext;
  const folder = { path: ws.path, real: ws.path, info: Deno.lstatSync(ws.path) };
  const { entries } = await listFolder(folder, context);
  assertEquals(entries, [{ path: "d", folder: true }]);
  assertEquals(warnings, [`Cannot list "${ws.at("d")}": the system denies it, or it is gone`]);
});

Deno.test("expandTabs() fills up to the next stop of 8 columns", () => {
  const cases: [string, string][] = [
    ["a\tb", "a       b"],
    ["1234567\tb", "1234567 b"],
    ["12345678\tb", "12345678        b"],
    ["😀\tb", "😀       b"],
    ["none", "none"],
  ];
  for (const [text, expanded] of cases) assertEquals(expandTabs(text), expanded, JSON.stringify(text));
});

Deno.test("restoreTabs() gives indentations their tabs back", () => {
  const eight = " ".repeat(8);
  const cases: [string, string, boolean, string][] = [
    [`${eight}new`, "\told", true, "\tnew"],
    [`${eight}new\n${eight}${eight}more`, "\told", true, "\tnew\n\t\tmore"],
    [`${eight}a\n${eight}  b`, "\told\n\t  x", true, "\ta\n\t  b"],
    [`a\n${eight}b`, "\told", false, "a\n\tb"],
    [`${eight}new`, "        old", true, `${eight}new`],
    [`${eight}a\n${eight}${eight}b`, `${eight}x\n\t\ty`, true, `${eight}a\n\t\tb`],
  ];
  for (const [newText, replaced, fromLineStart, expected] of cases) {
    assertEquals(
      restoreTabs(newText, replaced, { fromLineStart }),
      expected,
      JSON.stringify([newText, replaced]),
    );
  }
});
