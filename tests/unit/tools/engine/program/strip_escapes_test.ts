import { assertEquals } from "@std/assert";

import { stripEscapes } from "../../../../../tools/engine/program/strip_escapes.ts";

Deno.test("stripEscapes() removes escape sequences and nothing else", () => {
  const table: [string, string][] = [
    ["\x1b[31mred\x1b[0m", "red"],
    ["\x1b[38;2;1;2;3mx\x1b[@y\x1b[5~z", "xyz"],
    ["\x1b]0;title\x07a\x1b]0;title\x1b\\b", "ab"],
    ["\x1bP1;2|data\x1b\\c", "c"],
    ["\x1b=\x1b>\x1b(Bd", "d"],
    ["\u009b31mred", "red"],
    ["tab\tline\r\nbell\x07", "tab\tline\r\nbell\x07"],
    ["ends \x1b", "ends "],
  ];
  for (const [text, expected] of table) assertEquals(stripEscapes(text), expected, JSON.stringify(text));
});
