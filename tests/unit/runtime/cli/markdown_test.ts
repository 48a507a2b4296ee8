import { assert, assertEquals } from "@std/assert";

import { LiveArea } from "../../../../runtime/cli/show/live_area.ts";
import { drawBlocks } from "../../../../runtime/cli/show/markdown/draw_blocks.ts";
import { showMarkdown } from "../../../../runtime/cli/show/markdown/show_markdown.ts";
import { ToldText } from "../../../../runtime/cli/show/told_text.ts";
import type { Io } from "../../../../runtime/cli/io/io.ts";
import { cutBlocks } from "../../../../runtime/text/foreign/cut_blocks.ts";

/** Draws a text; codes of the terminal are shown as `<1>`. */
function draw(text: string, columns: number, { colors = true } = {}): string {
  const lines = drawBlocks(cutBlocks(text, false)!, { columns, colors });
  // deno-lint-ignore no-control-regex
  return lines.join("\n").replace(/\x1b\[([\d;]*)m/g, "<$1>");
}

/** What is written, for how many columns, and what a terminal gets. */
const DRAWN: readonly (readonly [text: string, columns: number, drawn: string])[] = [
  ["one two three", 9, "one two\nthree"],
  ["a **bold and long** word", 11, "a <1>bold and<0>\n<1>long<0> word"],
  ["# Top\n## Part *two*", 40, "<1;4>Top<0>\n\n<1>Part <0><1;3>two<0>"],
  ["use `a  b` ~~not~~", 40, "use <36>a  b<0> <9>not<0>"],
  [
    "[words](https://a.example/x) and <https://b.example>",
    80,
    "<4>words<0> <2>(https://a.example/x)<0> and <4>https://b.example<0>",
  ],
  ["```js\nconst a = 1;\n```", 10, "<2>│ <0>const a \n<2>│ <0>= 1;"],
  ["- one two three four\n  - deep\n- [x] done", 17, "• one two three\n  four\n  • deep\n• [x] done"],
  ["9. nine\n10. ten", 40, "9. nine\n10. ten"],
  ["> quoted text of them", 18, "<2>│ <0>quoted text of\n<2>│ <0>them"],
  ["---", 5, "<2>─────<0>"],
  ["日本語の文", 6, "日本語\nの文"],
  ["a very/long/word/of/one", 10, "a\nvery/long/\nword/of/on\ne"],
  ["| a | b |\n|---|--:|\n| one | 2 |", 40, "<1>a<0>    <1>b<0>\n<2>───  ─<0>\none  2"],
  ["costs $5 &amp; $a_b_c$", 40, "costs $5 & $a_b_c$"],
  ["<script>x</script>", 40, "<script>x</script>"],
];

Deno.test("drawBlocks() draws Markdown for a terminal", () => {
  for (const [text, columns, drawn] of DRAWN) assertEquals(draw(text, columns), drawn, text);
});

Deno.test("drawBlocks() lets no text steer a terminal, also not by names of characters", () => {
  const odd =
    "a\x1b[2J &#27;[31m `\x1b]0;t\x07` [x](\x1b[5m) \u202e\n\n```\n\x9b2J\n```\n\n| \x1b[1m |\n|---|\n| &#x1b;[1m |";
  for (const colors of [true, false]) {
    // deno-lint-ignore no-control-regex
    assert(!/[\x1b\x9b\x07\u202e]/.test(draw(odd, 40, { colors })), draw(odd, 40, { colors }));
  }
});
Deno.test("drawBlocks() words headings, paragraphs, lists, tables and code plainly", () => {
  const long = "word ".repeat(20).trim();
  const text = `# Title

${long}
goes on.

- one
- ${long}
  goes on

## Part

| a   | what    |
| --- | ------- |
| 1   | first   |
| 22  | ${long} |

\`\`\`sh
# not a heading

echo '| not a table'
\`\`\`
`;
  assertEquals(
    draw(text, 80, { colors: false }),
    `Title
=====

word word word word word word word word word word word word word word word word
word word word word goes on.

- one
- word word word word word word word word word word word word word word word
  word word word word word goes on

Part
----

a   what
--  ----------------------------------------------------------------------------
1   first
22  word word word word word word word word word word word word word word word
    word word word word word

    # not a heading

    echo '| not a table'`,
  );
});

Deno.test("drawBlocks() makes a list of a table that is too wide", () => {
  const table = `| name | first | second |\n| - | - | - |\n| a | ${
    "x".repeat(30)
  } | what it is |\n| b | | last |\n`;
  const listed = `a\n    ${"x".repeat(16)}\n    ${
    "x".repeat(14)
  }\n    second: what it\n    is\nb\n    second: last`;
  assertEquals(draw(table, 20, { colors: false }), listed);
});

Deno.test("showMarkdown() shows what is too deep or too long to be read as it is, broken at words", async () => {
  const canvas = { columns: 20, colors: true };
  assertEquals(await showMarkdown("a **b**\x1b[2J", canvas), "a \x1b[1mb\x1b[0m\n");
  assertEquals(await showMarkdown("a\nb", { ...canvas, keepsLines: true }), "a\nb\n");
  const deep = `${"> ".repeat(500)}deep`;
  assertEquals((await showMarkdown(deep, canvas)).replaceAll("\n", " ").trim(), deep);
});

Deno.test("ToldText shows blocks as soon as they are whole, and the rest at its end", async () => {
  let written = "";
  const take = (bytes: Uint8Array) => {
    written += new TextDecoder().decode(bytes);
    return Promise.resolve();
  };
  const area = new LiveArea({ stderrWidth: () => 40, stderr: take, stdout: take } as Partial<Io> as Io);
  using told = new ToldText(area, { colors: false });
  for (const text of ["# On", "e\n\nfir", "st\n\n", "- a\n", "- b"]) {
    told.hear(text);
    await told.draw();
  }
  await area.written;
  assert(written.includes("One\n===\n\n") && written.includes("first\n\n"), written);
  told.hear("c\x1b");
  await told.draw();
  told.hear("[2J");
  told.end();
  await area.written;
  assert(written.endsWith("- a\n- bc\n"), written);
  assertEquals(told.isBegun, false);
});
