import { assertEquals } from "@std/assert";

import { cleanText, takeChars } from "../../../../../../tools/engine/web/fetch/clean_text.ts";

Deno.test("cleanText() leaves one kind of line end, no NUL, no blanks at ends, and two empty lines at most", () => {
  assertEquals(cleanText("\n a \t\r\nb\0\rc\n\n\n\n\n\nd  \n"), "a\nb\nc\n\n\nd");
  assertEquals(cleanText(" \n\n "), "");
});

Deno.test("cleanText() parts long lines so that all of them can be read", () => {
  const words = "word ".repeat(3000);
  const lines = cleanText(words).split("\n");
  assertEquals(lines.every((line) => line.length <= 4000), true);
  assertEquals(lines.join(" "), words.trim());
  const signs = "😀".repeat(5001);
  assertEquals(cleanText(signs).replaceAll("\n", ""), signs);
});

Deno.test("takeChars() tears no character in two, and goes on where it ended", () => {
  const text = "a😀b😀c";
  for (let count = 1; count < 8; count++) {
    let whole = "";
    for (let start = 0; start < text.length;) {
      const { text: part, next } = takeChars(text, { start, count });
      assertEquals(part.isWellFormed(), true);
      whole += part;
      if (next <= start) throw new Error(`no progress with ${count}`);
      start = next;
    }
    assertEquals(whole, text);
  }
});
