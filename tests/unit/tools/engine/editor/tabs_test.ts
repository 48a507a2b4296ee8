import { assertEquals } from "@std/assert";

import { expandTabs, indexBeforeExpansion, restoreTabs } from "../../../../../tools/engine/editor/tabs.ts";

Deno.test("expandTabs() fills up to the next stop of 8 columns", () => {
  const cases: [string, string][] = [
    ["\ta", "        a"],
    ["a\tb", "a       b"],
    ["1234567\tb", "1234567 b"],
    ["12345678\tb", "12345678        b"],
    ["a\n\tb\n", "a\n        b\n"],
    ["😀\tb", "😀       b"],
    ["none", "none"],
  ];
  for (const [text, expanded] of cases) assertEquals(expandTabs(text), expanded, JSON.stringify(text));
});

Deno.test("indexBeforeExpansion() maps back, but not into a tab", () => {
  const cases: [string, number, number | null][] = [
    ["\ta", 0, 0],
    ["\ta", 8, 1],
    ["\ta", 9, 2],
    ["\ta", 3, null],
    ["a\tb", 8, 2],
    ["😀\tb", 2, 2],
    ["😀\tb", 9, 3],
  ];
  for (const [line, shown, index] of cases) {
    assertEquals(indexBeforeExpansion(line, shown), index, JSON.stringify([line, shown]));
  }
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
