import { assert, assertEquals } from "@std/assert";

import { compileFinder } from "../../../../tools/engine/grep/literal_finder.ts";
import { createFileScanner, WINDOW_BYTES } from "../../../../tools/engine/grep/scan_file.ts";
import { createScanMemory } from "../../../../tools/engine/grep/scan_memory.ts";
import { compilePattern } from "../../../../tools/engine/pattern/pattern.ts";
import { workspace } from "../../../support/run_tool.ts";

const memory = createScanMemory(8192);

/** All places where the literal begins, looked for one after the other. */
function findAll(text: Uint8Array, wanted: Uint8Array, fold: boolean): number[] {
  memory.bytes.fill(wanted[0]!, 0, text.length + 100);
  memory.bytes.set(text);
  const find = compileFinder({ bytes: wanted, fold }, memory);
  const places: number[] = [];
  for (let at = find(0, text.length); at >= 0; at = find(at + 1, text.length)) places.push(at);
  return places;
}

function findAllSlowly(text: Uint8Array, wanted: Uint8Array, fold: boolean): number[] {
  const plain = (byte: number) => fold && byte >= 65 && byte <= 90 ? byte + 32 : byte;
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= text.length; at++) {
    if (wanted.every((byte, index) => byte === plain(text[at + index]!))) places.push(at);
  }
  return places;
}

/** Numbers that look random and are the same in every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed;;) {
    state = (state * 1664525 + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

Deno.test("compileFinder() finds what a naive search finds", () => {
  const random = numbers(1);
  const next = (below: number) => random.next().value % below;
  for (let turn = 0; turn < 2000; turn++) {
    const letters = turn % 3 === 0
      ? [97, 98]
      : turn % 3 === 1
      ? [97, 65, 98, 66]
      : [97, 10, 195, 164, 91, 64];
    const text = Uint8Array.from({ length: next(60) }, () => letters[next(letters.length)]!);
    const fold = turn % 2 === 0;
    const wanted = Uint8Array.from({ length: 1 + next(5) }, () => letters[next(letters.length)]!)
      .map((byte) => fold && byte >= 65 && byte <= 90 ? byte + 32 : byte);
    assertEquals(findAll(text, wanted, fold), findAllSlowly(text, wanted, fold), `${text} ${wanted} ${fold}`);
  }
});

Deno.test("compileFinder() finds literals longer than a vector", () => {
  const wanted = new TextEncoder().encode("abc".repeat(200) + "d");
  const text = new TextEncoder().encode("abc".repeat(500) + "d" + "abc".repeat(200) + "d");
  assertEquals(findAll(text, wanted, false), findAllSlowly(text, wanted, false));
  assertEquals(findAll(text, wanted, false).length, 2);
});

Deno.test("compileFinder() does not look behind the end", () => {
  const find = compileFinder({ bytes: new TextEncoder().encode("aaa"), fold: false }, memory);
  memory.bytes.fill(97);
  assertEquals(find(0, 2), -1);
});

type Content = string | Uint8Array;

/** Searches one file; the two patterns find the same, one by bytes, one by regular expression alone. */
async function scan(content: Content, pattern: string, budget = { lines: 100, chars: 1e6 }) {
  using ws = workspace({ "a.txt": content });
  const scanner = createFileScanner(await compilePattern(pattern));
  const { kind, matches, pieces } = scanner.scan(ws.at("a.txt"), { ...budget });
  return { kind, pieces, matches: matches.map(({ line, text }) => `${line}:${text}`) };
}

async function lines(content: Content, pattern: string): Promise<string[]> {
  return (await scan(content, pattern)).matches;
}

/**
 * Patterns that match "hit" on every way: by bytes, by bytes and then the line, by the line alone, from the
 * first of two.
 */
const WAYS = ["hit", "hit(?![a-z])", "[hH]i[tT]", "hit|HIT"];

Deno.test("createFileScanner() numbers lines at LF and drops CR and BOM", async () => {
  const table: [Content, string[]][] = [
    ["", []],
    ["hit", ["1:hit"]],
    ["hit\n", ["1:hit"]],
    ["\nhit", ["2:hit"]],
    ["hit\r\nx\r\nhit\r\n", ["1:hit", "3:hit"]],
    ["\ufeffhit\n\ufeffhit", ["1:hit", "2:\ufeffhit"]],
    ["a\rhit\n\n\nhit hit\nb", ["1:a\rhit", "4:hit hit"]],
    ["x\u2028hit\u0085\f\vhit\nhit", ["1:x\u2028hit\u0085\f\vhit", "2:hit"]],
    [Uint8Array.of(0xff, 0x68, 0x69, 0x74, 0xc3, 10), ["1:\ufffdhit\ufffd"]],
    ["ähit\nö", ["1:ähit"]],
  ];
  for (const [content, expected] of table) {
    for (const way of WAYS) {
      assertEquals(await lines(content, way), expected, `${JSON.stringify(content)} ${way}`);
    }
  }
});

Deno.test("createFileScanner() matches each line by itself", async () => {
  assertEquals(await lines("a\nb\n", "a\nb"), []);
  assertEquals(await lines("a\nb\n", "a\\nb"), []);
  assertEquals(await lines("a\nb\n", "a[^x]b"), []);
  assertEquals(await lines("a\nb\n", "a\\s*$"), ["1:a"]);
  assertEquals(await lines("ab\r\nb\r\n", "^b$"), ["2:b"]);
  assertEquals(await lines("\n\nx\n", "^$"), ["1:", "2:"]);
  assertEquals(await lines("x", "^"), ["1:x"]);
  assertEquals(await lines("ab", "(?m)^b|\\Ab"), []);
  assertEquals(await lines("x\ufffd", "\ufffd"), ["1:x\ufffd"]);
});

Deno.test("createFileScanner() tells files that are not text", async () => {
  const text = new TextEncoder().encode("hit ".repeat(4000));
  const withNul = (at: number) => Uint8Array.from(text, (byte, index) => index === at ? 0 : byte);
  const table: [Content, string][] = [
    [withNul(0), "binary"],
    [withNul(8191), "binary"],
    [withNul(8192), "text"],
    [Uint8Array.of(0x68, 0x69, 0x74, 0), "binary"],
    ["%PDF-1.7 hit", "pdf"],
    ["GIF89a hit", "image"],
    ["GIFT hit", "text"],
    [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), "image"],
    [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), "image"],
    ["RIFF1234WEBPhit", "image"],
    ["RIFF1234WAVEhit", "text"],
    ["%P", "text"],
  ];
  for (const [content, kind] of table) {
    assertEquals((await scan(content, "hit")).kind, kind, String(content.slice(0, 12)));
  }
});

Deno.test("createFileScanner() clips long lines around the match", async () => {
  const long = "a".repeat(1000) + "hit " + "b".repeat(2000);
  const around = `[900 characters cut] ${"a".repeat(100)}hit ${"b".repeat(396)} [1604 characters cut]`;
  const atStart = `hit ${"c".repeat(496)} [504 characters cut]`;
  const atEnd = `[503 characters cut] ${"d".repeat(497)}hit`;
  const whole = "é".repeat(497) + "hit";
  const wide = "😀".repeat(497) + "hit";
  const content = [long, "hit " + "c".repeat(1000), "d".repeat(1000) + "hit", whole, wide, "hit"].join("\n");
  for (const way of WAYS) {
    const expected = [`1:${around}`, `2:${atStart}`, `3:${atEnd}`, `4:${whole}`, `5:${wide}`, "6:hit"];
    assertEquals(await lines(content, way), expected, way);
  }
});

Deno.test("createFileScanner() never cuts a character in two", async () => {
  const [match] = await lines("😀".repeat(600) + "x" + "😀".repeat(600), "x");
  assertEquals(match!.isWellFormed(), true);
  const [before, after] = [/\[(\d+) characters cut\] /, / \[(\d+) characters cut\]$/].map((p) =>
    Number(p.exec(match!)![1])
  );
  const shown = [...match!.replace(/^1:\[.*?\] /, "").replace(/ \[[^[]*\]$/, "")].length;
  assertEquals(before! + shown + after!, 1201);
});

Deno.test("createFileScanner() searches files larger than its window", async () => {
  const filler = "0123456789abcdef\n".repeat(WINDOW_BYTES / 17 + 1000);
  const feeds = filler.length / 17;
  for (const way of WAYS) {
    assertEquals(await lines(`hit 1\n${filler}hit 2\n${filler}hit 3`, way), [
      "1:hit 1",
      `${feeds + 2}:hit 2`,
      `${2 * feeds + 3}:hit 3`,
    ]);
  }
});

Deno.test("createFileScanner() finds what lies across the window's end", async () => {
  for (const shift of [-3, -2, -1, 0]) {
    const content = "x\n" + "y".repeat(WINDOW_BYTES - 3 + shift) + "\nhit\n";
    assertEquals(await lines(content, "hit"), ["3:hit"], `lines ${shift}`);
    const oneLine = "y".repeat(WINDOW_BYTES + shift) + "hit\nhit";
    const marker = `[${WINDOW_BYTES + shift - 497} characters cut]`;
    assertEquals(
      await lines(oneLine, "hit"),
      [`1:${marker} ${"y".repeat(497)}hit`, "2:hit"],
      `one line ${shift}`,
    );
  }
});

Deno.test("createFileScanner() goes on after a match in a line longer than its window", async () => {
  const content = "hit" + "é".repeat(WINDOW_BYTES) + "hit\r\nx\nhit";
  for (const way of WAYS.slice(0, 2)) {
    const cut = WINDOW_BYTES - 497 + 3;
    assertEquals(
      await lines(content, way),
      [`1:hit${"é".repeat(497)} [${cut} characters cut]`, "3:hit"],
      way,
    );
  }
});

Deno.test("createFileScanner() gives long lines to a regular expression in pieces and says so", async () => {
  const content = "y".repeat(3_000_000) + "hit" + "y".repeat(3_000_000) + "\nhit";
  const { matches, pieces } = await scan(content, "h[i]t");
  assertEquals(pieces, true);
  assertEquals(matches.map((match) => match.slice(0, 28)), ["1:[2999900 characters cut] y", "2:hit"]);
  assertEquals((await scan("hit", "h[i]t")).pieces, false);
});

Deno.test("createFileScanner() decodes all lines once too many hold the literal in vain", async () => {
  const content = "hits\n".repeat(5000) + "hit\r\n" + "hits\n".repeat(10) + "a hit b\n";
  assertEquals(await lines(content, "hit\\b"), ["5001:hit", "5012:a hit b"]);
});

Deno.test("createFileScanner() takes words and dots as Python does, also among lines of ASCII", async () => {
  const content = "niño a\nab\nпривет мир\na\rb\na\x1cb\n😀\n";
  const table: [string, string[]][] = [
    ["\\bмир\\b", ["3:привет мир"]],
    ["ni\\w+o", ["1:niño a"]],
    ["^\\w+$", ["2:ab"]],
    ["a.b", ["4:a\rb", "5:a\x1cb"]],
    ["a\\sb", ["4:a\rb", "5:a\x1cb"]],
    ["^.$", ["6:😀"]],
    ["(?i)ПРИВЕТ", ["3:привет мир"]],
  ];
  for (const [pattern, expected] of table) assertEquals(await lines(content, pattern), expected, pattern);
});

Deno.test("createFileScanner() stops when its budget is used up", async () => {
  const content = "hit\n".repeat(1000);
  for (const way of WAYS) {
    assertEquals((await scan(content, way, { lines: 3, chars: 1e6 })).matches, ["1:hit", "2:hit", "3:hit"]);
    assertEquals((await scan(content, way, { lines: 100, chars: 7 })).matches, ["1:hit", "2:hit"]);
  }
});

Deno.test("createFileScanner() calls a file that it cannot open unreadable", async () => {
  using ws = workspace();
  const scanner = createFileScanner(await compilePattern("x"));
  assertEquals(scanner.scan(ws.at("none.txt"), { lines: 1, chars: 1 }).kind, "unreadable");
});

Deno.test({
  name: "createFileScanner() calls a file behind the walls of its room unreadable",
  permissions: "none",
  async fn() {
    const scanner = createFileScanner(await compilePattern("root"));
    assertEquals(scanner.scan("/etc/passwd", { lines: 1, chars: 1 }).kind, "unreadable");
  },
});

Deno.test("createFileScanner() gives away nothing of a file behind a link", async () => {
  using ws = workspace({ "real.txt": "hit" });
  Deno.symlinkSync(ws.at("real.txt"), ws.at("link.txt"));
  for (const pattern of ["hit", "other"]) { // Not even whether it matches.
    const scanner = createFileScanner(await compilePattern(pattern));
    const { kind, matches } = scanner.scan(ws.at("link.txt"), { lines: 1, chars: 100 });
    assertEquals([kind, matches], ["unreadable", []]);
  }
});

Deno.test("createFileScanner() finds what a naive search finds", async () => {
  let state = 7;
  const next = (below: number) => (state = (state * 1664525 + 1013904223) >>> 0) % 65_521 % below;
  const words = ["hit", "hits", "Hit", "\n", "\r\n", "\r", " ", "ü", "\n\n", "x"];
  for (let turn = 0; turn < 150; turn++) {
    const content = Array.from({ length: next(200) }, () => words[next(words.length)]).join("");
    for (
      const pattern of [
        "hit",
        "(?i)HIT",
        "hit\\b",
        "^x?h?",
        "ü$",
        "(?i)Ü.*hit",
        "hit.hit",
        "x|ü",
        "(?i)HITS|xh",
      ]
    ) {
      // What Python means, in JavaScript.
      const source = pattern.replace("(?i)", "").replace("\\b", "(?![\\wü])").replaceAll(".", "[^\n]");
      const plain = new RegExp(source, pattern.startsWith("(?i)") ? "i" : "");
      const texts = content.split("\n");
      if (texts.at(-1) === "") texts.pop();
      const all = texts.map((line, index) => ({ line: line.replace(/\r$/, ""), number: index + 1 }));
      const expected = all.filter(({ line }) => plain.test(line)).map(({ line, number }) =>
        `${number}:${line}`
      );
      assertEquals((await scan(content, pattern, { lines: 1e6, chars: 1e9 })).matches, expected, pattern);
    }
  }
});

Deno.test("createScanMemory() finds a NUL anywhere before the end and none behind it", {
  permissions: "none",
}, () => {
  const memory = createScanMemory(4096);
  memory.bytes.fill(1);
  for (const size of [0, 1, 15, 16, 17, 31, 100]) {
    assertEquals(memory.hasNul(size), false, String(size));
    for (let at = 0; at <= size; at++) {
      memory.bytes[at] = 0;
      assertEquals(memory.hasNul(size), at < size, `${at} of ${size}`);
      memory.bytes[at] = 1;
    }
  }
});

const NONE = { write: false, net: false, run: false, env: false, sys: false, ffi: false, import: false };

/** A room in a worker that may read one folder, with as many threads. */
function openRoom(root: string, threadCount: number) {
  const start = (name: string) =>
    new Worker(new URL(`../../../fixtures/search/${name}.ts`, import.meta.url), {
      type: "module",
      deno: { permissions: { ...NONE, read: [root] } },
    });
  const room = start("room");
  const threads = Array.from({ length: threadCount }, () => start("thread"));
  for (const thread of threads) {
    const { port1, port2 } = new MessageChannel();
    thread.postMessage(null, [port2]);
    room.postMessage(null, [port1]);
  }
  return {
    // deno-lint-ignore no-explicit-any
    call(input: unknown, { cancelled = false } = {}): Promise<any> {
      room.postMessage({ root, input, cancelled });
      return new Promise((resolve, reject) => {
        room.onmessage = ({ data }) => resolve(data);
        room.onerror = reject;
      });
    },
    [Symbol.dispose]: () => {
      for (const worker of [room, ...threads]) worker.terminate();
    },
  };
}

/** Folders of files, some of them binary, ignored, or without a match. */
function manyFiles(): Record<string, string | Uint8Array> {
  const files: Record<string, string | Uint8Array> = { ".gitignore": "*.log\n" };
  for (let index = 0; index < 600; index++) {
    const name = `${index % 13}/${index % 5}/${index}.${index % 17 === 0 ? "log" : "txt"}`;
    const text = `line\n${index % 3 === 0 ? "a hit" : "nothing"} ${index}\r\nUmlaut Ä ${index % 100}\n`;
    files[name] = index % 29 === 0 ? new TextEncoder().encode(`${text}\0`) : text;
  }
  return files;
}

Deno.test("serveSearchThread() changes nothing about what a search finds", async () => {
  using ws = workspace(manyFiles());
  using alone = openRoom(ws.path, 0);
  using pair = openRoom(ws.path, 1);
  using three = openRoom(ws.path, 2);
  const table = [
    { pattern: "hit", max_results: 5000, max_chars: 1e7 },
    { pattern: "hit", max_results: 1 },
    { pattern: "hit", max_results: 133, max_chars: 1e7 },
    { pattern: "hit", max_results: 5000, max_chars: 20_000 },
    { pattern: "h[i]t \\d+7$", max_results: 5000 },
    { pattern: "ä 7$", max_results: 5000 },
    { pattern: "nowhere to be found" },
    { pattern: "hit", path: "3/2", respect_gitignore: false },
    { pattern: "hit", glob: "{1,2}/**/*7.txt" },
    { pattern: "hit", glob: "none/*" },
  ];
  for (const input of table) {
    const expected = await alone.call(input);
    assert(!("error" in expected), JSON.stringify(expected));
    assertEquals(await pair.call(input), expected, JSON.stringify(input));
    assertEquals(await three.call(input), expected, JSON.stringify(input));
  }
});

Deno.test("serveSearchThread() serves on after a search that was cancelled or failed", async () => {
  using ws = workspace(manyFiles());
  using room = openRoom(ws.path, 1);
  const input = { pattern: "hit 3\\b", max_results: 10 };
  const before = await room.call(input);
  assertEquals(
    (await room.call({ pattern: "hit", max_results: 1e6 }, { cancelled: true })).error,
    "cancelled",
  );
  assertEquals((await room.call({ pattern: "(" })).error, "invalid_input");
  assertEquals((await room.call({ pattern: "x", path: "/etc" })).error, "permission_denied");
  assertEquals(await room.call(input), before);
});
