import { assertEquals } from "@std/assert";

import {
  clipCharacters,
  numberLines,
  offsetOfLine,
  shownText,
  sliceLines,
} from "../../../../../tools/engine/editor/lines.ts";

Deno.test("shownText() hides BOM and CR", () => {
  assertEquals(shownText("\ufeffa\r\nb\rc\n"), "a\nb\rc\n");
});

Deno.test("offsetOfLine() and sliceLines() count lines from 1", () => {
  const text = "a\nbb\n\nc";
  assertEquals([1, 2, 3, 4, 5].map((line) => offsetOfLine(text, line)), [0, 2, 5, 6, 7]);
  assertEquals(sliceLines(text, 2, 3), "bb\n");
  assertEquals(sliceLines(text, 1, 99), text);
  assertEquals(sliceLines(text, 4, 4), "c");
  assertEquals(sliceLines("", 1, 1), "");
});

Deno.test("numberLines() right-aligns numbers in 6 columns", () => {
  assertEquals(numberLines("a\nb", 9), "     9\ta\n    10\tb");
  assertEquals(numberLines("x", 1_234_567), "1234567\tx");
  assertEquals(numberLines("", 1), "     1\t");
});

Deno.test("clipCharacters() counts code points", () => {
  assertEquals(clipCharacters("abc", 3), "abc");
  assertEquals(clipCharacters("abc", 2), "ab");
  assertEquals(clipCharacters("😀😀😀", 2), "😀😀");
});
