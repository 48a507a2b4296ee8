import { assertEquals } from "@std/assert";

import { findText } from "../../../../../tools/engine/editor/find_text.ts";

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
