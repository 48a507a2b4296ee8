import { assertEquals, assertRejects } from "@std/assert";

import { type LineRange, readLines } from "../../../../../tools/engine/file/read_lines.ts";
import { workspace } from "../../../../support/run_tool.ts";

async function read(content: string | Uint8Array, range: Partial<LineRange> = {}) {
  using ws = workspace({ "a.txt": content });
  using file = await Deno.open(ws.at("a.txt"));
  return await readLines(file, { start: 1, end: Infinity, maxChars: Infinity, ...range });
}

const SPLITS: readonly (readonly [string, string[]])[] = [
  ["", []],
  ["\n", [""]],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\n\n", ["a", ""]],
  ["a\r\nb\r\n", ["a", "b"]],
  ["a\rb\n", ["a\rb"]],
  ["a\r\r\n", ["a\r"]],
  ["a\u2028b\u0085c\x0cd\n", ["a\u2028b\u0085c\x0cd"]],
  ["\ufeffa\n\ufeffb", ["a", "\ufeffb"]],
  ["\r\nx", ["", "x"]],
];

for (const [content, lines] of SPLITS) {
  Deno.test(`readLines() splits ${JSON.stringify(content)} at LF alone`, async () => {
    const result = await read(content);
    assertEquals(result.lines, lines);
    assertEquals(result.totalLines, lines.length);
  });
}

Deno.test("readLines() counts all lines and keeps the range", async () => {
  const content = Array.from({ length: 5000 }, (_, at) => `line ${at + 1}`).join("\n");
  const { lines, totalLines, nextStart } = await read(content, { start: 2500, end: 2502 });
  assertEquals({ lines, totalLines, nextStart }, {
    lines: ["line 2500", "line 2501", "line 2502"],
    totalLines: 5000,
    nextStart: null,
  });
});

Deno.test("readLines() joins lines and characters that lie across chunks of a MiB", async () => {
  const chunk = 1024 * 1024;
  const content = `${"a".repeat(chunk - 1)}é\r\n${"b".repeat(chunk - 5)}\r\nlast`;
  const { lines, totalLines, invalid } = await read(content);
  assertEquals(lines.map((line) => [line.length, line.at(-1)]), [[chunk, "é"], [chunk - 5, "b"], [4, "t"]]);
  assertEquals({ totalLines, invalid }, { totalLines: 3, invalid: false });
});

Deno.test("readLines() cuts at whole lines and says where to go on", async () => {
  const content = "aaaa\nbbbb\ncccc\n";
  for (
    const [maxChars, lines, nextStart] of [
      [14, ["aaaa", "bbbb", "cccc"], null],
      [13, ["aaaa", "bbbb"], 3],
      [9, ["aaaa", "bbbb"], 3],
      [8, ["aaaa"], 2],
      [4, ["aaaa"], 2],
    ] as const
  ) {
    const result = await read(content, { maxChars });
    assertEquals([result.lines, result.nextStart, result.clippedChars], [[...lines], nextStart, 0]);
  }
});

Deno.test("readLines() clips only a line that is too long by itself, in code points", async () => {
  const result = await read("😀😀😀😀é\r\nnext\n", { maxChars: 3 });
  assertEquals(result.lines, ["😀😀😀"]);
  assertEquals([result.clippedChars, result.nextStart, result.totalLines], [2, 2, 2]);
  const last = await read("first\nabcdef", { start: 2, maxChars: 2 });
  assertEquals([last.lines, last.clippedChars, last.nextStart], [["ab"], 4, null]);
});

Deno.test("readLines() counts what it cuts from a line of many chunks exactly", async () => {
  const chars = 3 * 1024 * 1024;
  const result = await read(`${"é".repeat(chars)}\r\nend`, { maxChars: 10 });
  assertEquals(result.lines, ["é".repeat(10)]);
  assertEquals([result.clippedChars, result.invalid, result.totalLines], [chars - 10, false, 2]);
});

Deno.test("readLines() keeps nothing after the range is full, but counts on", async () => {
  const result = await read("long line\nshort\n".repeat(100_000), { maxChars: 20 });
  assertEquals(result.lines, ["long line", "short"]);
  assertEquals([result.nextStart, result.totalLines], [3, 200_000]);
});

Deno.test("readLines() replaces invalid UTF-8 and says so only where it shows", async () => {
  const content = Uint8Array.of(0x61, 0xff, 0x0a, 0x62, 0x0a);
  const first = await read(content, { end: 1 });
  assertEquals([first.lines, first.invalid], [["a\ufffd"], true]);
  const second = await read(content, { start: 2 });
  assertEquals([second.lines, second.invalid], [["b"], false]);
  assertEquals((await read("\ufffd\n")).invalid, false);
});

Deno.test("readLines() gives nothing for a range past the end", async () => {
  const result = await read("a\nb\n", { start: 5 });
  assertEquals([result.lines, result.totalLines, result.nextStart], [[], 2, null]);
});

Deno.test("readLines() stops when its call is cancelled", async () => {
  using ws = workspace({ "a.txt": "a\n" });
  using file = await Deno.open(ws.at("a.txt"));
  const signal = AbortSignal.abort(new Error("stop"));
  const range = { start: 1, end: 1, maxChars: 10 };
  await assertRejects(() => readLines(file, range, { signal }), Error, "stop");
});

Deno.test("readLines() hears in the middle of a long file that its call is cancelled", async () => {
  using ws = workspace({ "a.txt": "" });
  await Deno.truncate(ws.at("a.txt"), 512 * 1024 * 1024);
  using file = await Deno.open(ws.at("a.txt"));
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(new Error("stop")), 0);
  const range = { start: 2, end: 2, maxChars: 10 };
  await assertRejects(() => readLines(file, range, { signal: cancel.signal }), Error, "stop");
});
