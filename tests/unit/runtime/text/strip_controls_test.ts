import { assertEquals } from "@std/assert";

import {
  onOneLine,
  onTerminal,
  stripControls,
  visibleJson,
} from "../../../../runtime/text/strip_controls.ts";

Deno.test("stripControls() removes what steers a terminal and nothing else", { permissions: "none" }, () => {
  const cases: [string, string][] = [
    ["\x1b[31mred\x1b[0m", "red"],
    ["\x1b]52;c;c2VjcmV0\x07x", "x"],
    ["\x1b]8;;http://e.test\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1bPq...\x1b\\x", "x"],
    ["a\x07b\x08c\x7fd\x9be", "abcde"],
    ["\x1b[?1049h\x1bcx", "x"],
    ["tab\tline\nreturn\r\n", "tab\tline\nreturn\r\n"],
    ["Grüße, 世界 🙂", "Grüße, 世界 🙂"],
    ["cut \x1b[", "cut "],
  ];
  for (const [raw, clean] of cases) assertEquals(stripControls(raw), clean, JSON.stringify(raw));
});

Deno.test(
  "onOneLine() shows line breaks and keeps a text from forging lines",
  { permissions: "none" },
  () => {
    assertEquals(onOneLine("a\nverdict\r\x1b[2Jb\tc"), "a\\nverdict\\rb\tc");
    assertEquals(onOneLine("rm \u202egpj.tar\u2028x שלום"), "rm \\u202egpj.tar\\u2028x שלום");
  },
);

Deno.test("visibleJson() shows what a terminal would hide", { permissions: "none" }, () => {
  const input = { command: "rm\x9b\x1b[8m -rf\u200b \u2067x\u{e0041}\ufe0f é 🙂" };
  const shown = '{"command":"rm\\u009b\\u001b[8m -rf\\u200b \\u2067x\\udb40\\udc41\\ufe0f é 🙂"}';
  assertEquals(visibleJson(input), shown);
  assertEquals(JSON.parse(shown), input);
  assertEquals(visibleJson(undefined), "");
});

Deno.test("stripControls() keeps form feeds and vertical tabs, which one line shows as words", () => {
  assertEquals(stripControls("a\fb\vc\x1b[31md\x07"), "a\fb\vcd");
  assertEquals(onOneLine("a\fb\vc"), "a\\fb\\vc");
});

Deno.test("onTerminal() shows what writes over a line, or turns it around", { permissions: "none" }, () => {
  const text = "all is well\rx\r\nuser\u202egnp.exe\x1b[2K\tb\n\nend\r";
  assertEquals(onTerminal(text), "all is well\\rx\nuser\\u202egnp.exe\tb\n\nend\\r");
});
