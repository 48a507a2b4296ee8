import { assert, assertEquals, assertMatch } from "@std/assert";

import Grep from "../../../../tools/harness/grep.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";

async function grep(ws: Workspace, input: Record<string, unknown>): Promise<string[]> {
  const { ok, text, result } = await ws.run(Grep, input);
  assertEquals(ok, true, text);
  return result.results.map(({ path, line, text }: { path: string; line: number; text: string }) =>
    `${path.slice(ws.path.length + 1)}:${line}:${text}`
  );
}

Deno.test("Grep() shows matches as the document does", async () => {
  using ws = workspace({ "b.txt": "one\nTwo two\n", "a/c.txt": "x\r\n\ttwo\r\n", "d.txt": "three" });
  const { text, result } = await ws.run(Grep, { pattern: "two" });
  assertEquals(
    text,
    `root: ${ws.path}\npattern: two\nglob: **/*\ncase_sensitive: false\nfiles_scanned: 3\nmatch_count: 2\n` +
      `truncated: false\nresults:\n${ws.path}/a/c.txt:2: \ttwo\n${ws.path}/b.txt:2: Two two`,
  );
  assertEquals(result.results, [
    { path: ws.at("a/c.txt"), line: 2, text: "\ttwo" },
    { path: ws.at("b.txt"), line: 2, text: "Two two" },
  ]);
});

Deno.test("Grep() ends after results: if nothing matches", async () => {
  using ws = workspace({ "a.txt": "x" });
  const { text } = await ws.run(Grep, { pattern: "y" });
  assertMatch(text, /^files_scanned: 1\nmatch_count: 0\ntruncated: false\nresults:\n$/m);
});

Deno.test("Grep() matches by case only if asked to", async () => {
  using ws = workspace({ "a.txt": "abc\nABC\nÄ\nä" });
  const table: [Record<string, unknown>, string[]][] = [
    [{ pattern: "abc" }, ["a.txt:1:abc", "a.txt:2:ABC"]],
    [{ pattern: "ABC", case_sensitive: true }, ["a.txt:2:ABC"]],
    [{ pattern: "(?i)abc", case_sensitive: true }, ["a.txt:1:abc", "a.txt:2:ABC"]],
    [{ pattern: "a.c" }, ["a.txt:1:abc", "a.txt:2:ABC"]],
    [{ pattern: "a.c", case_sensitive: true }, ["a.txt:1:abc"]],
    [{ pattern: "ä" }, ["a.txt:3:Ä", "a.txt:4:ä"]],
    [{ pattern: "ä", case_sensitive: true }, ["a.txt:4:ä"]],
  ];
  for (const [input, expected] of table) assertEquals(await grep(ws, input), expected, JSON.stringify(input));
});

Deno.test("Grep() searches the files that the glob fits", async () => {
  using ws = workspace({ "a.ts": "x", "b.js": "x", "src/c.ts": "x", "src/d.tsx": "x" });
  const table: [string, string[]][] = [
    ["**/*.ts", ["a.ts", "src/c.ts"]],
    ["**/*.{ts,tsx}", ["a.ts", "src/c.ts", "src/d.tsx"]],
    ["*.ts", ["a.ts"]],
    ["src/*", ["src/c.ts", "src/d.tsx"]],
    ["  ", ["a.ts", "b.js", "src/c.ts", "src/d.tsx"]],
  ];
  for (const [glob, files] of table) {
    assertEquals(await grep(ws, { pattern: "x", glob }), files.map((file) => `${file}:1:x`), glob);
  }
  // One that leaves files of that name out below says how many, and what finds them.
  const rows: [glob: string, warning: string | null, left: number][] = [
    ["*.tsx", "*.tsx means the top folder alone: 1 more file lies below it, **/*.tsx has it.", 1],
    ["*.ts", "*.ts means the top folder alone: 1 more file lies below it, **/*.ts has it.", 1],
    ["c.ts", "c.ts means the top folder alone: 1 more file lies below it, **/c.ts has it.", 1],
    ["*.js", null, 0],
    ["src/*.ts", null, 0],
    ["**/*.ts", null, 0],
  ];
  for (const [glob, warning, left] of rows) {
    const { warnings, result } = await ws.run(Grep, { pattern: "x", glob });
    assertEquals([warnings, result.left_below], [warning === null ? [] : [warning], left], glob);
  }
});

Deno.test("Grep() searches only the file that path names, whatever the glob", async () => {
  using ws = workspace({ "a/b.txt": "x\ny\n", "a/c.txt": "x", ".gitignore": "b.txt" });
  const { text } = await ws.run(Grep, { pattern: "x", path: "a/b.txt", glob: "*.py" });
  assertEquals(
    text,
    `root: ${ws.path}/a/b.txt\npattern: x\nglob: *.py\ncase_sensitive: false\nfiles_scanned: 1\nmatch_count: 1\n` +
      `truncated: false\nresults:\n${ws.path}/a/b.txt:1: x`,
  );
});

Deno.test("Grep() says why it does not search a file that path names", async () => {
  using ws = workspace({
    "a.pdf": "x",
    "b.PNG": "x",
    "c": Uint8Array.of(120, 0),
    "d": "%PDF-1.4 x",
    "e.txt": Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 120),
  });
  const table: [string, string][] = [
    ["a.pdf", "PDF files are not searched. Use ReadPDF instead: "],
    ["b.PNG", "Image files are not searched. Use ReadImage instead: "],
    ["c", "Binary files are not searched: "],
    ["d", "PDF files are not searched. Use ReadPDF instead: "],
    ["e.txt", "Image files are not searched. Use ReadImage instead: "],
  ];
  for (const [path, warning] of table) {
    const { result, text, warnings } = await ws.run(Grep, { pattern: "x", path });
    assertEquals(warnings, [warning + ws.at(path)]);
    assertEquals([result.files_scanned, result.files_skipped, result.match_count], [0, 1, 0]);
    assertMatch(text, /^truncated: false\nfiles_skipped: 1\nresults:\n$/m);
  }
});

Deno.test("Grep() skips and counts what is not text, secret or ignored", async () => {
  using ws = workspace({
    "a.txt": "hit",
    "b.bin": "hit\0",
    "c.pdf": "hit",
    ".env": "hit",
    ".git/HEAD": "hit",
    ".gitignore": "*.log\n",
    "d.log": "hit",
  });
  Deno.symlinkSync("a.txt", ws.at("link.txt"));
  const { result, text } = await ws.run(Grep, { pattern: "hit" });
  assertEquals(result.results, [{ path: ws.at("a.txt"), line: 1, text: "hit" }]);
  assertMatch(
    text,
    /^files_scanned: 2\nmatch_count: 1\ntruncated: false\nfiles_skipped: 3\nignored_paths: 1\nresults:$/m,
  );
  const all = await ws.run(Grep, { pattern: "hit", respect_gitignore: false });
  assertEquals([all.result.match_count, all.result.ignored_paths], [2, 0]);
});

Deno.test("Grep() searches behind a link that the glob names, and names files as the glob does", async () => {
  using ws = workspace({ "items/foo/a.txt": "hit", "cat/.gitkeep": "" });
  Deno.symlinkSync("../items/foo", ws.at("cat/foo"));
  const found = async (glob: string) =>
    (await ws.run(Grep, { pattern: "hit", glob })).result.results.map(({ path }: { path: string }) => path);
  assertEquals(await found("cat/foo/*"), [ws.at("cat/foo/a.txt")]);
  assertEquals(await found("cat/**/*"), []);
  assertEquals(await found("{cat,items}/foo/*"), [ws.at("cat/foo/a.txt"), ws.at("items/foo/a.txt")]);
});

Deno.test("Grep() tells exactly whether there is more", async () => {
  using ws = workspace({ "a.txt": "x\nx\n", "b.txt": "x\n", "c.txt": "y" });
  const line = `${ws.path}/a.txt:1: x`.length;
  const table: [Record<string, unknown>, number, boolean, number][] = [
    [{ max_results: 3 }, 3, false, 3],
    [{ max_results: 2 }, 2, true, 2],
    [{ max_results: 1 }, 1, true, 1],
    [{ max_chars: 3 * line + 2 }, 3, false, 3],
    [{ max_chars: 3 * line + 1 }, 2, true, 2],
    [{ max_chars: line }, 1, true, 1],
  ];
  for (const [limits, count, truncated, scanned] of table) {
    const { result } = await ws.run(Grep, { pattern: "x", ...limits });
    const seen = [result.match_count, result.truncated, result.files_scanned];
    assertEquals(seen, [count, truncated, scanned], JSON.stringify(limits));
  }
});

Deno.test("Grep() says so if max_chars leaves no room for a match", async () => {
  using ws = workspace({ "a.txt": "x" });
  const { result, warnings } = await ws.run(Grep, { pattern: "x", max_chars: 3 });
  assertEquals([result.match_count, result.truncated], [0, true]);
  assertEquals(warnings, ["max_chars is too small for the first matching line. Raise it to see matches."]);
});

Deno.test("Grep() warns that a pattern cannot match across lines", async () => {
  using ws = workspace({ "a.txt": "a\nb" });
  for (const pattern of ["a\nb", "a\\nb", "a\\s*\\nb"]) {
    const { result, warnings } = await ws.run(Grep, { pattern });
    assertEquals(result.match_count, 0);
    assertEquals(warnings, [
      "The pattern asks for a line end, but lines are matched one at a time, without their ends.",
    ]);
  }
});

Deno.test("Grep() warns that a line was matched in pieces", async () => {
  using ws = workspace({ "a.txt": "x".repeat(1_100_000) + "hit" });
  const { result, warnings } = await ws.run(Grep, { pattern: "h[i]t$" });
  assertEquals([result.match_count, warnings.length], [1, 1]);
  assertMatch(warnings[0]!, /^1 file\(s\) have lines over 1,048,576 characters/);
});

Deno.test("Grep() says what is wrong", async () => {
  using ws = workspace({ "a.txt": "" });
  const blocked = "Blocked or invalid path: Search access";
  const table: [Record<string, unknown>, string, string][] = [
    [{ pattern: "" }, "invalid_input", "pattern must be a non-empty string."],
    [{ pattern: "x", max_results: 0 }, "invalid_input", "max_results must be > 0."],
    [{ pattern: "x", max_chars: -1 }, "invalid_input", "max_chars must be > 0."],
    [{ pattern: "x", path: "no" }, "not_found", `Search root not found: ${ws.at("no")}`],
    [{ pattern: "(" }, "invalid_input", "Invalid regex pattern: a ( has no ), write \\( for the sign ("],
    [{ pattern: "x", glob: "**.py" }, "invalid_input", "Invalid glob pattern or filesystem error: "],
    [{ pattern: "x", path: "../x" }, "permission_denied", `${blocked} is limited to the workspace root: `],
    [{ pattern: "x", path: ".env" }, "permission_denied", `${blocked} to sensitive paths is blocked: `],
  ];
  for (const [input, code, lead] of table) {
    const { error, text } = await ws.run(Grep, input);
    assertEquals([error?.code, text.startsWith(`[Grep] ${lead}`)], [code, true], text);
  }
});

Deno.test("Grep() keeps the order of paths over many batches", async () => {
  const names = Array.from(
    { length: 700 },
    (_, index) => `${index % 7}/${String(index).padStart(4, "0")}.txt`,
  );
  using ws = workspace(Object.fromEntries(names.map((name) => [name, `hit ${name}\n`])));
  const found = await grep(ws, { pattern: "hit", max_results: 1000, max_chars: 1e6 });
  assertEquals(found, names.toSorted().map((name) => `${name}:1:hit ${name}`));
  const few = await ws.run(Grep, { pattern: "hit", max_results: 40, max_chars: 1e6 });
  assertEquals([few.result.match_count, few.result.truncated, few.result.files_scanned], [40, true, 41]);
  assert(few.result.results.at(-1).path.endsWith(names.toSorted()[39]!));
});
