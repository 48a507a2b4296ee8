import { assertEquals } from "@std/assert";

import { cutEnd, cutStart, renderTable, widthOf } from "../../../../../../runtime/cli/show/tables/columns.ts";

Deno.test("widthOf() counts columns, not characters", () => {
  const cases = [["", 0], ["abc…", 4], ["日本", 4], ["한", 2], ["ｆ", 2], ["e\u0301", 1], ["𠀀", 2], [
    "👨‍👩‍👧",
    2,
  ], ["🇩🇪", 2]] as const;
  for (const [text, width] of cases) assertEquals([text, widthOf(text)], [text, width]);
});

Deno.test("cutEnd() and cutStart() keep what fits, and part no character", () => {
  const cases = [
    ["abcdef", 6, "abcdef", "abcdef"],
    ["abcdef", 4, "abc…", "cdef"],
    ["日本語", 6, "日本語", "日本語"],
    ["日本語", 5, "日本…", "本語"],
    ["日本語", 4, "日…", "本語"],
    ["𠀀𠀁𠀂", 3, "𠀀…", "𠀂"],
    ["👨‍👩‍👧👨‍👩‍👧", 3, "👨‍👩‍👧…", "👨‍👩‍👧"],
    ["ae\u0301io", 3, "ae\u0301…", "e\u0301io"],
    ["日本", 1, "…", ""],
  ] as const;
  for (const [text, columns, end, start] of cases) {
    assertEquals([text, cutEnd(text, columns), cutStart(text, columns)], [text, end, start]);
  }
});

Deno.test("renderTable() keeps its columns straight for every writing", () => {
  const rows = [["FOLDER", "TASK"], ["/home/日本語", "翻訳 ✅"], ["/home/ab", ""]];
  assertEquals(renderTable(rows), "FOLDER        TASK\n/home/日本語  翻訳 ✅\n/home/ab\n");
});

Deno.test("renderTable() cuts the columns that may be cut, in their order, until the table fits", () => {
  const rows = [["TOOL", "GRANT", "WHAT"], ["a/tool", "needs --a-flag", "Does one thing and another"]];
  const narrow = [[2, 10], [1, 8]] as const;
  const last = (width: number) => renderTable(rows, { width, narrow }).split("\n")[1];
  assertEquals(last(60), "a/tool  needs --a-flag  Does one thing and another");
  assertEquals(last(40), "a/tool  needs --a-flag  Does one thing …");
  assertEquals(last(30), "a/tool  needs --a…  Does one …");
  // Nothing is cut to less than can be read.
  assertEquals(last(5), "a/tool  needs -…  Does one …");
});
