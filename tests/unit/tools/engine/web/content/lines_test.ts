import { assertEquals } from "@std/assert";

import { lineRange } from "../../../../../../tools/engine/web/content/lines.ts";

const TEXT = "one\ntwo\n\nfour\nfive";

Deno.test("lineRange() returns lines and says where to read on", () => {
  const all = { startLine: 1, endLine: 5, totalLines: 5, isCut: false, nextLine: null };
  assertEquals(lineRange(TEXT, { startLine: 1, maxChars: 100 }), { ...all, text: TEXT });
  assertEquals(lineRange(TEXT, { startLine: 2, endLine: 3, maxChars: 100 }), {
    text: "two\n",
    startLine: 2,
    endLine: 3,
    totalLines: 5,
    isCut: false,
    nextLine: 4,
  });
  assertEquals(lineRange(TEXT, { startLine: 4, endLine: 99, maxChars: 100 }).nextLine, null);
});

Deno.test("lineRange() reads the line that was cut again, unless it is too long", () => {
  const inLine = lineRange(TEXT, { startLine: 1, maxChars: 6 });
  assertEquals([inLine.text, inLine.endLine, inLine.isCut, inLine.nextLine], ["one\ntw", 2, true, 2]);
  const atEnd = lineRange(TEXT, { startLine: 1, maxChars: 3 });
  assertEquals([atEnd.text, atEnd.endLine, atEnd.nextLine], ["one", 1, 2]);
  const long = lineRange("a".repeat(50) + "\nb", { startLine: 1, maxChars: 10 });
  assertEquals([long.text.length, long.isCut, long.nextLine], [10, true, 2]);
});

Deno.test("lineRange() cuts no character in two, and is empty past the end", () => {
  assertEquals(lineRange("ab😀", { startLine: 1, maxChars: 3 }).text, "ab");
  const past = lineRange(TEXT, { startLine: 9, maxChars: 3 });
  assertEquals([past.text, past.endLine, past.nextLine, past.isCut], ["", 0, null, false]);
  assertEquals(lineRange("", { startLine: 1, maxChars: 3 }).totalLines, 0);
});

Deno.test("lineRange() gives the whole text when it is read on and on", () => {
  const text = Array.from({ length: 200 }, (_, at) => `line ${at} ${"x".repeat(at % 30)}`).join("\n");
  const read: string[] = [];
  for (let line: number | null = 1; line !== null;) {
    const range = lineRange(text, { startLine: line, maxChars: 100 });
    const whole = range.nextLine === null
      ? range.text
      : range.text.split("\n").slice(0, range.nextLine - line).join("\n");
    read.push(whole);
    line = range.nextLine;
  }
  assertEquals(read.join("\n"), text);
});
