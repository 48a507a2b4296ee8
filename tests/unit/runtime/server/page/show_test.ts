import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Lexer } from "marked";

import { drawGantt } from "../../../../../runtime/server/page/show/code/draw_gantt.ts";
import { drawPie } from "../../../../../runtime/server/page/show/code/draw_pie.ts";
import { plainMermaid } from "../../../../../runtime/server/page/show/code/plain_mermaid.ts";
import { readGantt } from "../../../../../runtime/server/page/show/code/read_gantt.ts";
import { changedWords } from "../../../../../runtime/server/page/show/diff/changed_words.ts";
import { readDiff, readSigned } from "../../../../../runtime/server/page/show/diff/read_diff.ts";
import { type Blocks, readBlocks } from "../../../../../runtime/server/page/show/markdown/blocks.ts";
import { cutBlocks } from "../../../../../runtime/text/foreign/cut_blocks.ts";
import { withoutEntities } from "../../../../../runtime/text/foreign/entities.ts";
import { FORMULAS } from "../../../../../runtime/text/foreign/formula_tokens.ts";
import { shapeOf } from "../../../../../runtime/server/page/show/result/shapes.ts";
import { linkAddress, pictureAddress } from "../../../../../runtime/server/page/show/text/addresses.ts";
import { visible } from "../../../../../runtime/server/page/show/text/visible.ts";

Deno.test("a plan has a row for each section and task, bars in order of time, and dates below", () => {
  const svg = drawGantt(
    "gantt\n title A <b>\n section S & T\n One :done, 2026-01-01, 10d\n Two :5d\n Ship :milestone, 2026-01-16, 0d",
  )!;
  for (const words of ["A &lt;b&gt;", "S &amp; T", ">One<", ">Two<", ">2026-01-01<", ">2026-01-16<"]) {
    assertStringIncludes(svg, words);
  }
  const bars = [...svg.matchAll(/<rect x="(\d+)" y="\d+" width="(\d+)"/g)].map((
    [, x, width],
  ) => [+x!, +width!]);
  assertEquals(bars.length, 2);
  const [[first, long], [second, short]] = bars as [[number, number], [number, number]];
  assertEquals([second - first, Math.abs(long - 2 * short) <= 2], [long, true]);
  assertEquals(drawGantt("graph TD\nA-->B"), null);
});

Deno.test("a pie has a piece and a line for each part", () => {
  const svg = drawPie('pie showData title Pets <b>\n  "Dogs & <i>" : 3\n  "Cats" : 1\n  "None" : 0\n');
  assertStringIncludes(svg!, "Pets &lt;b&gt;");
  assertStringIncludes(svg!, "Dogs &amp; &lt;i&gt; (3), 75 %");
  assertStringIncludes(svg!, "Cats (1), 25 %");
  assertEquals(svg!.match(/<path /g)?.length, 2);
  assertStringIncludes(drawPie('pie\ntitle All\n"One" : 5')!, '<circle r="100"');
});

Deno.test("what is no pie is not drawn as one", () => {
  for (const text of ["graph TD\nA-->B", "pie", "pie title x\nnothing", "piece"]) {
    assertEquals(drawPie(text), null, text);
  }
});

Deno.test("each statement of a flow chart gets a line, and settings are left out", () => {
  const text = '---\ntitle: x\n---\n%%{init: {"theme": "dark"}}%%\ngraph TD; A["a; &lt; b"]-->B;\n B-->C;';
  assertEquals(plainMermaid(text).split("\n").map((line) => line.trim()), [
    "graph TD",
    'A["a; &lt; b"] --> B',
    "B --> C",
  ]);
  assertEquals(plainMermaid("sequenceDiagram\n A->>B: a; b"), "sequenceDiagram\n A->>B: a; b");
});

Deno.test("a mind map becomes a flow chart of the same words", () => {
  const text = 'mindmap\n  root((The "root"))\n    One\n      ::icon(fa fa-x)\n      id[Two]\n    Three\n';
  assertEquals(plainMermaid(text).split("\n"), [
    "graph LR",
    "n0[\"The 'root'\"]",
    'n1["One"]',
    "n0 --- n1",
    'n3["Two"]',
    "n1 --- n3",
    'n4["Three"]',
    "n0 --- n4",
  ]);
});

Deno.test("a time line becomes a flow chart: times in a row, and events below", () => {
  const text = 'timeline\n  title The "title"\n  2024 : Start\n       : More\n  section Later\n  2025\n';
  assertEquals(plainMermaid(text).split("\n"), [
    "graph TD",
    't1["2024"]',
    'e1_0("Start")',
    "t1 --- e1_0",
    'e2_0("More")',
    "e1_0 --- e2_0",
    't4["2025"]',
  ]);
});

Deno.test("arrows stand free, and those in words stay", () => {
  const text = 'graph LR\nA-->B{a-->b};B--> |yes|C["x --- y"];B -- no --> D-.->E';
  assertEquals(plainMermaid(text).split("\n").slice(1), [
    "A --> B{a-->b}",
    'B -->|yes| C["x --- y"]',
    "B -- no --> D -.-> E",
  ]);
});

const DAY_MS = 86_400_000;
const day = (date: string) => Date.parse(`${date}T00:00:00Z`);

Deno.test("tasks begin at a date, after others, or where the one above ends", () => {
  const text = `gantt
    title The plan
    dateFormat YYYY-MM-DD
    excludes weekends
    %% a remark
    section One
    Design :done, a, 2026-01-01, 2d
    Build :crit, active, b, after a, 2026-01-10
    Check :1w
    section Two
    Wait :c, 2026-01-02, until b
    Both :after a b, 12h
    Ship :milestone, 2026-02-01, 0d`;
  const gantt = readGantt(text)!;
  assertEquals(gantt.title, "The plan");
  const rows = gantt.tasks.map(({ name, section, start, end, kind }) => [name, section, start, end, kind]);
  const [one, two] = [day("2026-01-01"), day("2026-01-10")];
  assertEquals(rows.slice(0, 3), [
    ["Design", "One", one, one + 2 * DAY_MS, "done"],
    ["Build", "One", one + 2 * DAY_MS, two, "crit"],
    ["Check", "One", two, two + 7 * DAY_MS, "plain"],
  ]);
  assertEquals(readGantt(text.replace("until b", "until x")), null);
  assertEquals(
    readGantt(text.replace(/\n.*until b/, ""))!.tasks.slice(3).map(({ start, isMilestone }) => [
      start,
      isMilestone,
    ]),
    [[two, false], [day("2026-02-01"), true]],
  );
});

Deno.test("dates have the form that the plan tells, with times", () => {
  const read = (format: string, date: string) =>
    readGantt(`gantt\ndateFormat ${format}\nA :${date}, 1h`)?.tasks[0]?.start;
  assertEquals(read("DD/MM/YYYY", "02/01/2026"), day("2026-01-02"));
  assertEquals(read("YYYY-MM-DD HH:mm", "2026-01-02 06:30"), day("2026-01-02") + 6.5 * 3_600_000);
  assertEquals(read("HH:mm", "01:00"), 3_600_000);
  assertEquals(read("YYYY-MM-DD", "2026-13-02"), undefined);
});

Deno.test("what is no plan, or is not understood, is told as such", () => {
  const texts = [
    "graph TD",
    "gantt",
    "gantt\nA :x, 1d",
    "gantt\nA :1d",
    "gantt\nA",
    "gantt\nA :2026-01-02, 2026-01-01",
  ];
  for (const text of texts) assertEquals(readGantt(text), null, text);
  assertEquals(readGantt(`gantt\n${"A :2026-01-01, 1d\n".repeat(101)}`), null);
});

Deno.test("changedWords marks what differs within lines that stand for each other, and not in unlike ones", () => {
  const [file] = readDiff("@@ -1,3 +1,3 @@\n-const a = 1;\n+const a = 22;\n same\n-wholly\n+OTHER\n");
  const words = changedWords(file!.lines);
  const texts = file!.lines.map((line) => line.text.slice(...words.get(line) ?? [0, 0]));
  assertEquals(texts, ["", "1", "22", "", "", ""]);
});

const TWO_FILES = `diff --git a/one.txt b/one.txt
index 1..2 100644
--- a/one.txt
+++ b/one.txt
@@ -3,3 +3,3 @@ place
 same
--- a line that looks like a head
+++ another one
 end
\\ No newline at end of file
diff --git a/two.txt b/two.txt
new file mode 100644
--- /dev/null
+++ b/two.txt
@@ -0,0 +1 @@
+new
`;

Deno.test("readDiff reads files, numbers and counts, and takes no changed line for a head", () => {
  const [one, two, ...rest] = readDiff(TWO_FILES);
  assertEquals(rest, []);
  assertEquals([one?.path, one?.added, one?.removed], ["one.txt", 1, 1]);
  assertEquals([two?.path, two?.added, two?.removed], ["two.txt", 1, 0]);
  assertEquals(one?.lines.filter(({ kind }) => kind !== "place" && kind !== "note"), [
    { kind: "same", text: "same", before: 3, after: 3 },
    { kind: "removed", text: "-- a line that looks like a head", before: 4, after: 0 },
    { kind: "added", text: "++ another one", before: 0, after: 4 },
    { kind: "same", text: "end", before: 5, after: 5 },
  ]);
});

Deno.test("readDiff reads a removed file, a piece without a head, and finds nothing in a text", () => {
  assertEquals(readDiff("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")[0]?.path, "x");
  assertEquals(readDiff("@@ -1 +1 @@\n-a\n+b\n")[0]?.added, 1);
  assertEquals(readDiff("no diff\n- at all\n"), []);
});

Deno.test("lines with signs alone are read as one change", () => {
  const change = readSigned("-old\n+new\n+\n");
  assertEquals(change && [change.added, change.removed], [2, 1]);
  assertEquals(change?.lines.map(({ kind, text }) => `${kind} ${text}`), [
    "removed old",
    "added new",
    "added ",
  ]);
  assertEquals([readSigned("words\n+a"), readSigned(""), readSigned(" same")], [null, null, null]);
});

const TEXT = "# Title\n\nA *text*.\n\n- one\n- two\n\n  more\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n" +
  "```js\nlet a;\n\nlet b;\n```\n\n$$\nx^2\n$$\n\n> said\n\nHead\n====\n\nEnd $y$.\r\n\r\nLast\n";

const read = (text: string, before: Blocks | null) =>
  readBlocks({ text, isOpen: true, before }, (asked) => Promise.resolve(cutBlocks(asked.text, asked.isOpen)));

Deno.test("a text that grows letter by letter gives the blocks that it gives as a whole", async () => {
  for (const text of [TEXT, `${TEXT}\n[a]: https://example.com\n\n[a] again\n\nend\n`]) {
    let grown: Blocks | null = null;
    for (let end = 0; end <= text.length; end++) grown = await read(text.slice(0, end), grown);
    assertEquals(raws(grown!), raws(await read(text, null)));
  }
});

Deno.test("of a text that has grown, blocks that it cannot change stay the same ones", async () => {
  const before = await read("one\n\ntwo\n\nthree\n\nfo", null);
  const after = await read("one\n\ntwo\n\nthree\n\nfour", before);
  assert(after.blocks![0] === before.blocks![0]);
  assert(after.blocks!.at(-1) !== before.blocks!.at(-1));
  assertEquals(raws(await read("another text", before)), ["another text"]);
});

Deno.test("what reads texts and draws diagrams is loaded by the reader alone, not by the page", async () => {
  const built = new URL("../../../../../runtime/server/built/", import.meta.url);
  const imported = async (name: string) => {
    const text = await Deno.readTextFile(new URL(name, built));
    return [...text.matchAll(/"\.\/(\w+\.js)"/g)].map(([, found]) => found!);
  };
  const readers = ["cut_blocks.js", "draw_diagram.js", "colour_code.js"];
  assertEquals(
    (await imported("reader.js")).filter((name) => readers.includes(name)).toSorted(),
    readers.toSorted(),
  );
  assertEquals((await imported("app.js")).filter((name) => readers.includes(name)), []);
});

Deno.test("a text that a page cannot bear stays a text, also when it grows into one or grows on", async () => {
  const heavy = {
    elements: "*a* ".repeat(30_000),
    cells: `|a|b|\n|--|--|\n${"|1|2|\n".repeat(12_000)}`,
    items: "- a\n".repeat(30_000),
    depth: ">".repeat(100) + " a",
    formulas: `$${"x".repeat(1_000)}$ `.repeat(130),
    code: "```js\n" + "a\n".repeat(250_000) + "```\n",
  };
  for (const [name, text] of Object.entries(heavy)) {
    assertEquals((await read(text, null)).blocks, null, name);
    const half = await read("Well.\n\n" + text.slice(0, 1_000), null);
    const grown = await read("Well.\n\n" + text, half);
    assertEquals(grown.blocks, null, name);
    assertEquals((await read(`${grown.text} more`, grown)).blocks, null, name);
  }
  assertEquals(raws(await read("a word. ".repeat(30_000), null)).length, 1);
});

Deno.test("formulas are read in all their forms, and amounts of money are none", () => {
  const formulas = (text: string) => {
    const [block] = cutBlocks(text, false)!;
    const inner = block && "tokens" in block ? block.tokens ?? [] : [];
    return [block?.type, ...inner.map(({ type }) => type)].filter((type) => type?.endsWith("Formula")).length;
  };
  const forms = ["$x$", "a $x_1$ b", "\\(x\\)", "$$x$$", "\\[\nx\n\\]", "a $$x$$ b"];
  for (const text of forms) assertEquals(formulas(text), 1, text);
  const none = ["$5 and $6", "it costs $5.", "a $ b $ c", "`$x$`", "\\$x$ y"];
  for (const text of none) assertEquals(formulas(text), 0, text);
});

Deno.test("a table of which the head alone is there is a table already", () => {
  assertEquals(cutBlocks("| a | b |\n|--", true)![0]!.type, "table");
  assertEquals(cutBlocks("| a | b |\n|--", false)![0]!.type, "paragraph");
  assertEquals(cutBlocks("a | b", true)![0]!.type, "paragraph");
});

function raws({ blocks }: Blocks): string[] {
  return blocks!.map(({ raw }) => raw);
}

Deno.test("withoutEntities puts characters for the names that it knows, and leaves others", () => {
  assertEquals(withoutEntities("&lt;a&gt; &amp;amp; &#65;&#x42; &hellip;"), "<a> &amp; AB …");
  assertEquals(withoutEntities("&nonsense; &constructor; &"), "&nonsense; &constructor; &");
  assertEquals(withoutEntities("&#0; &#9999999;"), "\ufffd \ufffd");
});

Deno.test("a formula is looked for in its own paragraph, however long the text is", () => {
  const block = FORMULAS.find(({ level }) => level === "block")!;
  const start = (text: string) => block.start!.call({ lexer: new Lexer() }, text);
  assertEquals(start("a\n$$x$$"), 1);
  assertEquals(start("a\n\n$$x$$"), undefined);
});

const DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

Deno.test("shapeOf tells changes, pages, steps and screens by their shape, and else a text", () => {
  assertEquals(shapeOf({ path: "x", diff: DIFF }, "Edited."), { kind: "diff", text: DIFF });
  assertEquals(shapeOf(null, DIFF).kind, "diff");
  assertEquals(shapeOf({ results: [{ url: "https://a", title: "A", snippet: "s" }] }, ""), {
    kind: "pages",
    pages: [{ url: "https://a", title: "A", snippet: "s", number: null }],
  });
  assertEquals(shapeOf({ citations: [{ url: "https://a", number: 2 }] }, ""), {
    kind: "pages",
    pages: [{ url: "https://a", title: "https://a", snippet: "", number: 2 }],
  });
  const steps = [{ text: "do", status: "completed", notes: "" }];
  assertEquals(shapeOf({ plan: { id: "p", title: "t", steps } }, "").kind, "steps");
  assertEquals(shapeOf({ output: "\u001b[31mred\u001b[0m" }, "red").kind, "terminal");
  const screen = { session_id: "term_1", alive: true, output: "$ ls\na.txt" };
  assertEquals(shapeOf(screen, "[TerminalRead] …"), { kind: "terminal", text: "$ ls\na.txt" });
  assertEquals(shapeOf({ ...screen, output: "\n" }, "text"), { kind: "text" });
  for (
    const other of [{ results: [] }, { results: [1] }, { url: "https://a" }, null, { steps: [{ text: 1 }] }]
  ) {
    assertEquals(shapeOf(other, "text"), { kind: "text" });
  }
});

Deno.test("linkAddress opens pages and letters, and nothing that runs or that this page would take for its own", () => {
  assertEquals(linkAddress("https://example.com/a?b"), "https://example.com/a?b");
  assertEquals(linkAddress("mailto:a@example.com"), "mailto:a@example.com");
  const programs = [
    "javascript:x",
    " JavaScript:x",
    "java\nscript:x",
    "data:text/html,x",
    "vbscript:x",
    "blob:x",
  ];
  for (
    const address of [...programs, "file:///etc/passwd", "#/runs/1", "/runs", "src/a.ts", "//example.com"]
  ) {
    assertEquals(linkAddress(address), null, address);
  }
});

Deno.test("pictureAddress takes pictures in the text and files of runs, and nothing from outside", () => {
  for (const address of ["data:image/png;base64,AA", "/runs/r-1/files/a%20b.png"]) {
    assertEquals(pictureAddress(address), address);
  }
  const outside = ["https://example.com/a.png", "//example.com/a.png", "data:text/html,x", "javascript:x"];
  const elsewhere = ["/folders?path=/", "/runs/../folders", "/runs/r/files/a/../../b", "/runs/r/files/a?b"];
  for (const address of [...outside, ...elsewhere, "/runs/r/files\\a"]) {
    assertEquals(pictureAddress(address), null, address);
  }
});

Deno.test("visible shows what hides itself, and leaves lines, letters and signs of all languages", () => {
  assertEquals(visible("a\u202Eb\u0007\u2066"), "a⟨U+202E⟩b⟨U+0007⟩⟨U+2066⟩");
  const plain = "line\n\ttab\r\n שלום 👩‍👩‍👧 é";
  assertEquals(visible(plain), plain);
});
