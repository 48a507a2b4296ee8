import { assertEquals } from "@std/assert";

import {
  plainTerminalText,
  splitUnfinished,
} from "../../../../../tools/engine/program/plain_terminal_text.ts";

Deno.test("plainTerminalText() leaves what a terminal would show of each line", () => {
  const table: [string, string][] = [
    ["", ""],
    ["plain\n", "plain\n"],
    ["two\r\nlines\r\n", "two\nlines\n"],
    ["two\r\r\nends", "two\nends"],
    ["\x1b[31mred\x1b[0m and \x1b[1;4mbold\x1b[m", "red and bold"],
    ["\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b", "ab"],
    ["\x1b(B\x1b=\x1b>\x1b7c", "c"],
    ["\x1b[?2004h\x1b[?1049hin", "in"],
    ["\x1b[?2004l\r\r\nhello\r\n\x1b[?2004h", "hello\n"],
    ["a\r\n\r\nb", "a\n\nb"],
    ["bell\x07 form\ffeed", "bell formfeed"],
    ["10%\r50%\r100%\r\ndone", "100%\ndone"],
    ["working...\rok\x1b[K", "ok"],
    ["abcdef\rxy", "xycdef"],
    ["abc\r", "abc"],
    ["abc\x08\x08X", "aXc"],
    ["\x08\x08a", "a"],
    ["ab\x1b[3Cc", "ab   c"],
    ["abcdef\x1b[4D\x1b[2P", "abef"],
    ["abc\x1b[1Gx", "xbc"],
    ["abc\x1b[2Kd", "   d"],
    ["abc\x1b[1K\rx", "x"],
    ["\tcol\tumn", "\tcol\tumn"],
    ["😀\rab", "ab"],
    ["ünï 中文 \u009b31mred", "ünï 中文 red"],
  ];
  for (const [raw, expected] of table) assertEquals(plainTerminalText(raw), expected, JSON.stringify(raw));
});

Deno.test("plainTerminalText() bears huge lines and moves", () => {
  assertEquals(plainTerminalText(`${"x".repeat(300_000)}\rab`).length, 300_002);
  assertEquals(plainTerminalText("a\x1b[999999999Cb").length <= 65_537, true);
});

Deno.test("splitUnfinished() splits off a sequence that has only begun", () => {
  const table: [string, string, string][] = [
    ["text", "text", ""],
    ["a\x1b", "a", "\x1b"],
    ["a\x1b[31", "a", "\x1b[31"],
    ["a\x1b[31m", "a\x1b[31m", ""],
    ["a\x1b]0;tit", "a", "\x1b]0;tit"],
    ["a\x1b]0;title\x1b", "a", "\x1b]0;title\x1b"],
    ["a\x1b]0;title\x1b\\", "a\x1b]0;title\x1b\\", ""],
    ["a\x1b(", "a", "\x1b("],
    ["a\x1b(B", "a\x1b(B", ""],
    ["\x1b[1mb\x1b[", "\x1b[1mb", "\x1b["],
  ];
  for (const [raw, text, rest] of table) {
    assertEquals(splitUnfinished(raw), { text, rest }, JSON.stringify(raw));
  }
});

Deno.test("splitUnfinished() does not wait for a title without an end", () => {
  const raw = `\x1b]0;${"t".repeat(5000)}`;
  assertEquals(splitUnfinished(raw), { text: raw, rest: "" });
});
