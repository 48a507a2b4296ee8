import { assertEquals } from "@std/assert";

import { cutBytes } from "../../../../runtime/text/cut_bytes.ts";
import { jsonLine } from "../../../../runtime/text/json_line.ts";
import { readBoundedLines, readLines } from "../../../../runtime/text/lines.ts";
import { mapTexts } from "../../../../runtime/text/map_texts.ts";
import { markBlock, OUTSIDE_MARK, takeMarkOff } from "../../../../runtime/text/mark_block.ts";
import { quoteWord } from "../../../../runtime/text/shell_quote.ts";
import { isSpelledLike, plainName } from "../../../../runtime/text/spelled_like.ts";
import {
  onOneLine,
  onTerminal,
  stripControls,
  visibleJson,
} from "../../../../runtime/text/strip_controls.ts";
import { diffLines } from "../../../../runtime/text/unified_diff.ts";
import { foldBlanks, showHidden } from "../../../../runtime/text/visible.ts";

Deno.test("jsonLine() gives one printable line that parses to the same value", () => {
  const value = { text: "a\u009b31m\x7f\u2028\u2029\x1b[2J\nü🙂" };
  const line = jsonLine(value);
  assertEquals(JSON.parse(line), value);
  assertEquals(line, '{"text":"a\\u009b31m\\u007f\\u2028\\u2029\\u001b[2J\\nü🙂"}\n');
});

const CASES: [string, string[]][] = [
  ["", []],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\nb", ["a", "b"]],
  ["\n\na\n", ["", "", "a"]],
  ["ünï\r\n世界🙂\n\u2028x", ["ünï\r", "世界🙂", "\u2028x"]],
];

Deno.test("readLines() splits at LF alone, wherever the bytes are cut", { permissions: "none" }, async () => {
  for (const [text, lines] of CASES) {
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 3, 1_000]) {
      const chunks = ReadableStream.from((function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
      })());
      assertEquals(await Array.fromAsync(readLines(chunks)), lines, `${JSON.stringify(text)} by ${size}`);
    }
  }
});

Deno.test("readBoundedLines() gives lines however they are cut, and null for one that is too long", async () => {
  const text = `one\n\ntwo é\n${"x".repeat(30)}\nthree\n${"y".repeat(10)}`;
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
    };
    const lines = await Array.fromAsync(readBoundedLines(chunks(), 12));
    assertEquals(lines, ["one", "", "two é", null, "three", "y".repeat(10)], `${size}`);
  }
  const none = async function* () {};
  assertEquals(await Array.fromAsync(readBoundedLines(none(), 12)), []);
});

async function cut(chunks: readonly string[], maxBytes = 100) {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const source = ReadableStream.from(bytes);
  const state = { tooLong: false };
  const onTooLong = () => void (state.tooLong = true);
  const found: string[] = [];
  for await (const message of cutBytes(source, { at: 0, maxBytes, onTooLong })) {
    found.push(new TextDecoder().decode(message));
  }
  return { found, ...state };
}

Deno.test("messages are put together, however their bytes come", async () => {
  assertEquals(await cut(["a", "b\0", "c\0d\0e"]), { found: ["ab", "c", "d"], tooLong: false });
  assertEquals(await cut(["\0\0one\0", "\0two", "\0"]), { found: ["one", "two"], tooLong: false });
});

Deno.test("what is too long ends the messages", async () => {
  assertEquals(await cut(["ok\0", "0123", "45678", "9\0next\0"], 9), { found: ["ok"], tooLong: true });
});

Deno.test("mapTexts() changes every text of plain data and nothing else", { permissions: "none" }, () => {
  const bytes = Uint8Array.of(1);
  assertEquals<unknown>(
    mapTexts({ a: ["b", 1, null, { c: "d" }], e: bytes, f: true, g: undefined }, (text) => `${text}!`),
    { "a!": ["b!", 1, null, { "c!": "d!" }], "e!": bytes, "f!": true, "g!": undefined },
  );
  assertEquals(mapTexts("a", (text) => `${text}!`), "a!");
});

Deno.test("isSpelledLike() leaves out letter case, _ and -, and holds a toolset to the tool's", () => {
  const tool = { toolset: "one", name: "web_search_tool" };
  const right = ["WebSearchTool", "websearchtool", "web-search_TOOL", "One/WebSearchTool"];
  const wrong = ["two/WebSearchTool", "one/two/WebSearchTool", "WebSearch", "", "_", "one/"];
  assertEquals([...right, ...wrong].filter((said) => isSpelledLike(said, tool)), right);
  assertEquals(isSpelledLike("_", { toolset: "one", name: "-" }), false);
  assertEquals(plainName("Pick_Up-One"), "pickupone");
});

Deno.test("quoteWord() writes what a shell reads back", () => {
  const words = ["plain-1.a/b:c=,", "two words", "it's", "$HOME `x`", "", "a\nb\x1b[1m", "\\", "é", "'\n'"];
  for (const word of words) {
    const args = ["-c", `printf %s ${quoteWord(word)}`];
    const { stdout } = new Deno.Command("bash", { args }).outputSync();
    assertEquals(new TextDecoder().decode(stdout), word, quoteWord(word));
  }
});

Deno.test("stripControls() removes what steers a terminal and nothing else", { permissions: "none" }, () => {
  const cases: [string, string][] = [
    ["\x1b[31mred\x1b[0m", "red"],
    ["\x1b]52;c;c2VjcmV0\x07x", "x"],
    ["\x1b]8;;http://e.test\x1b\\link\x1b]8;;\x1b\\", "link"],
    ["\x1bPq...\x1b\\x", "x"],
    ["a\x07b\x08c\x7fd\x9be", "abcde"],
    ["a\fb\vc\x1b[31md\x07", "a\fb\vcd"],
    ["\x1b[?1049h\x1bcx", "x"],
    ["tab\tline\nreturn\r\n", "tab\tline\nreturn\r\n"],
    ["Grüße, 世界 🙂", "Grüße, 世界 🙂"],
    ["cut \x1b[", "cut "],
  ];
  for (const [raw, clean] of cases) assertEquals(stripControls(raw), clean, JSON.stringify(raw));
});

Deno.test("onOneLine() shows line breaks and keeps a text from forging lines", () => {
  assertEquals(onOneLine("a\nverdict\r\x1b[2Jb\tc"), "a\\nverdict\\rb\tc");
  assertEquals(onOneLine("a\fb\vc"), "a\\fb\\vc");
  assertEquals(onOneLine("rm \u202egpj.tar\u2028x שלום"), "rm \\u202egpj.tar\\u2028x שלום");
});

Deno.test("visibleJson() shows what a terminal would hide", { permissions: "none" }, () => {
  const input = { command: "rm\x9b\x1b[8m -rf\u200b \u2067x\u{e0041}\ufe0f é 🙂" };
  const shown = '{"command":"rm\\u009b\\u001b[8m -rf\\u200b \\u2067x\\udb40\\udc41\\ufe0f é 🙂"}';
  assertEquals(visibleJson(input), shown);
  assertEquals(JSON.parse(shown), input);
  assertEquals(visibleJson(undefined), "");
});

Deno.test("onTerminal() shows what writes over a line, or turns it around", { permissions: "none" }, () => {
  const text = "all is well\rx\r\nuser\u202egnp.exe\x1b[2K\tb\n\nend\r";
  assertEquals(onTerminal(text), "all is well\\rx\nuser\\u202egnp.exe\tb\n\nend\\r");
});

Deno.test("showHidden() shows what nobody sees, and letters that look like others", () => {
  const unseen =
    "\u3164\u115f\u1160\uffa0\u2800\u00a0\u00ad\u200b\u200d\u2060\ufeff\ufe0f\u202e\u2066\u061c\u180e\u3000" +
    "\u034f\u17b4\u2003\u2028\x07\x1b\x7f\x9b\ud800\ue000";
  for (const unit of unseen) {
    const code = `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    assertEquals(showHidden(`a${unit}b`), `a${code}b`);
  }
  const cases: readonly (readonly [text: string, shown: string])[] = [
    ["\u{e0041}", "\\udb40\\udc41"],
    ["rm -rf \u0430bc", "rm -rf \\u0430bc"],
    ["\u0440\u0430\u0443 now", "\\u0440\\u0430\\u0443 now"],
    ["\u03bfpen", "\\u03bfpen"],
    ["/etc\u2215passwd", "/etc\\u2215passwd"],
    ["\uff52\uff4d x", "\\uff52\\uff4d x"],
    ["\u{1d42b}m", "\\ud835\\udc2bm"],
    ["\u0261it", "\\u0261it"],
    ["привет, мир: git push", "привет, мир: git push"],
    ["вопрос про git push", "вопрос про git push"],
    ['"\\nПривет"', '"\\nПривет"'],
    ["日本語abc、東京！", "日本語abc、東京！"],
    ["Grüße, naïve café 🙂 … – “x”", "Grüße, naïve café 🙂 … – “x”"],
    ["a\tb", "a\tb"],
  ];
  for (const [text, shown] of cases) assertEquals(showHidden(text), shown);
});

Deno.test("foldBlanks() counts blanks that push the rest out of sight", { permissions: "none" }, () => {
  assertEquals(foldBlanks(`a${" ".repeat(5_000)}; b`), "a␠×5000; b");
  assertEquals(foldBlanks(`a${"\u3164\t ".repeat(20)}b`), "a␠×60b");
  assertEquals(foldBlanks(`a${"\n".repeat(51)}b`), "a\n⏎×50\nb");
  const plain = `if x; then\n${" ".repeat(24)}y\n\n\nfi`;
  assertEquals(foldBlanks(plain), plain);
});

Deno.test("markBlock() puts a text between marks, with facts on one line", () => {
  assertEquals(markBlock("page", "a\nb", { from: 'x"y"' }), '<page from="x\\"y\\"">\na\nb\n</page>');
  assertEquals(markBlock("page", ""), "<page>\n</page>");
});

Deno.test("markBlock() numbers a mark that the text itself would end, however it is spelled", () => {
  const ends =
    "</page>|</PAGE >|< / page>|<\u200b/page>|</pa\u00adge>|＜／ｐａｇｅ＞|&lt;/page&gt;|&#60;/page>|<\\/page>|</pagе>|‹/page›|" +
    "</pág\u0301e>|</page|<\n/page>|[/page]|{/page}|«/page»|&amp;lt;/page&amp;gt;|&#x0003C;&sol;page>|%3C%2Fpage%3E|" +
    "%253c/page%253e|\\u003c/page>|\\x3c\\x2fpage>|</pᴀgᴇ>|<／p\u2060age>";
  for (const text of ends.split("|")) {
    assertEquals(markBlock("page", text).split("\n")[0], "<page-2>", text);
  }
  assertEquals(markBlock("page", "</page></page-2>").split("\n")[0], "<page-3>");
  for (const text of ["<page>", "a page", "</p>", "1 < 2 / page"]) {
    assertEquals(markBlock("page", text).split("\n")[0], "<page>", text);
  }
});

Deno.test("takeMarkOff() parts a text from the mark of the network", () => {
  for (const content of ["a\nb\n", "</web-content>\n", "\n"]) {
    const marked = markBlock(OUTSIDE_MARK, content, { tool: "a/b" });
    const { start, content: inside, end } = takeMarkOff(marked);
    assertEquals([inside, `${start}${inside}${end}`], [content, marked]);
  }
  for (const text of ["a", "<web-content>\na", "<web-contents>\na</web-contents>", "<page>\na\n</page>"]) {
    assertEquals(takeMarkOff(text), { start: "", content: text, end: "" });
  }
});

Deno.test("diffLines() writes what diff -u writes", () => {
  const of = (before: string, after: string) => diffLines(before, after).hunks;
  assertEquals(of("a\nb\n", "a\nb\n"), "");
  assertEquals(of("a\nb\nc\n", "a\nx\nc\n"), "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n");
  assertEquals(of("", "a\n"), "@@ -0,0 +1 @@\n+a\n");
  assertEquals(of("a\n", ""), "@@ -1 +0,0 @@\n-a\n");
  assertEquals(of("a", "a\n"), "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  const lines = (changed: readonly number[]) =>
    Array.from({ length: 30 }, (_, n) => changed.includes(n) ? `new ${n}\n` : `${n}\n`).join("");
  const heads = of(lines([]), lines([5, 20])).split("\n").filter((line) => line.startsWith("@@"));
  assertEquals(heads, ["@@ -3,7 +3,7 @@", "@@ -18,7 +18,7 @@"]);
});

Deno.test("diffLines() counts lines, and tells texts that differ very much as one change", () => {
  const { added, removed } = diffLines("a\nb\nc\n", "b\nc\nd\ne\n");
  assertEquals([added, removed], [2, 1]);
  const long = (step: number) => Array.from({ length: 5_000 }, (_, n) => `${n * step}\n`).join("");
  const much = diffLines(long(1), long(-1));
  assertEquals([much.added, much.removed], [4_999, 4_999]);
});
