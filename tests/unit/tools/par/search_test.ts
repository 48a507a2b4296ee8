import { assertEquals, assertMatch } from "@std/assert";

import find from "../../../../tools/par/find.ts";
import grep from "../../../../tools/par/grep.ts";
import ls from "../../../../tools/par/ls.ts";
import read from "../../../../tools/par/read.ts";
import { assertRefuses, workspace } from "../../../support/run_tool.ts";

const OUTSIDE = /^Cannot read "\.\.\/x" \(.*\): it is outside the granted folders, pass --allow-read=/;

Deno.test("ls() lists a directory by the order of bytes", async () => {
  using ws = workspace({
    "src/a.ml": "let x",
    "README.md": "12345",
    "\u{1f600}": "",
    "\uff5e": "",
    ".env": "x=1",
  });
  Deno.symlinkSync("nowhere", ws.at("link"));
  Deno.utimeSync(ws.at("README.md"), 1_717_000_000, 1_717_000_000);
  const { text, result } = await ws.run(ls, { path: "." });
  const entries = result.entries.map(({ name, type, size }: Record<string, unknown>) => [name, type, size]);
  assertEquals(entries, [
    [".env", "file", 3],
    ["README.md", "file", 5],
    ["link", "link", 7],
    ["src", "dir", null],
    ["\uff5e", "file", 0],
    ["\u{1f600}", "file", 0],
  ]);
  assertEquals(result.entries[1].modified, 1_717_000_000);
  assertEquals(JSON.parse(text), result);
  assertMatch(text, /^\{"path":"\.","entries":\[\{"name":"\.env","type":"file","size":3,"modified":\d+\}/);
});

Deno.test("ls() lists an empty directory, and a linked one", async () => {
  using ws = workspace({ "a/b": "" });
  Deno.mkdirSync(ws.at("empty"));
  Deno.symlinkSync("a", ws.at("link"));
  assertEquals((await ws.run(ls, { path: "empty" })).text, '{"path":"empty","entries":[]}');
  assertEquals((await ws.run(ls, { path: "link" })).result.entries[0].name, "b");
});

Deno.test("find() compares a pattern without a slash with names, else with paths", async () => {
  using ws = workspace({
    "src/main.ml": "",
    "src/a/agent.ml": "",
    "test/test.ml": "",
    "a.txt": "",
    "bar": "",
  });
  const table: [string, string[]][] = [
    ["**/*.ml", ["src/a/agent.ml", "src/main.ml", "test/test.ml"]],
    ["*.ml", ["src/a/agent.ml", "src/main.ml", "test/test.ml"]],
    ["src/*.ml", ["src/main.ml"]],
    ["src/**", ["src/a/agent.ml", "src/main.ml"]],
    ["src/**.ml", ["src/a/agent.ml", "src/main.ml"]],
    ["a", []],
    ["bar", ["bar"]],
    ["*.{txt,md}", ["a.txt"]],
    ["[ab]*", ["a.txt", "bar", "src/a/agent.ml"]],
    ["*.nothing", []],
  ];
  for (const [pattern, expected] of table) {
    assertEquals((await ws.run(find, { pattern })).result, expected, pattern);
  }
  const below = await ws.run(find, { pattern: "a/*.ml", path: "src" });
  assertEquals(below.text, '["src/a/agent.ml"]');
  assertEquals((await ws.run(read, { path: below.result[0] })).error, null);
  const around = await ws.run(find, { pattern: "*.ml", path: "./src/a/.." });
  assertEquals(around.result, ["src/a/agent.ml", "src/main.ml"]);
});

Deno.test("find() sorts whole paths", async () => {
  using ws = workspace({ "a/b": "", "a.txt": "", "a-c": "" });
  assertEquals((await ws.run(find, { pattern: "*" })).result, ["a-c", "a.txt", "a/b"]);
});

Deno.test("find() skips folders of tools and what .gitignore files name", async () => {
  using ws = workspace({
    ".gitignore": "*.log\n",
    ".git/a.ml": "",
    "node_modules/a.ml": "",
    "x/_build/a.ml": "",
    "_opam/a.ml": "",
    "x/a.ml": "",
    "x/a.log": "",
    ".env": "",
  });
  const { result, warnings } = await ws.run(find, { pattern: "*" });
  assertEquals(result, [".gitignore", "x/a.ml"]);
  assertEquals(warnings, [
    "1 path(s) were left out because .gitignore files name them; pass respect_gitignore: false to get them",
  ]);
  const all = await ws.run(find, { pattern: "*", respect_gitignore: false });
  assertEquals([all.result, all.warnings], [[".gitignore", "x/a.log", "x/a.ml"], []]);
});

Deno.test("grep() matches anywhere in the line, by case", async () => {
  using ws = workspace({
    "lib/runtime.ml": "let x\n(* TODO: handle *)\n  TODO\n",
    "lib/b/agent.ml": "todo\nTODO",
    "lib/c.txt": "TODO",
    "top.ml": "TODO",
  });
  const { result, text } = await ws.run(grep, { pattern: "TODO", path: "lib", glob: "*.ml" });
  assertEquals(result, [
    "lib/b/agent.ml:2:TODO",
    "lib/runtime.ml:2:(* TODO: handle *)",
    "lib/runtime.ml:3:  TODO",
  ]);
  assertEquals(text, JSON.stringify(result));
  assertEquals((await ws.run(grep, { pattern: "(?i)^todo$", path: "lib/b" })).result, [
    "lib/b/agent.ml:1:todo",
    "lib/b/agent.ml:2:TODO",
  ]);
});

Deno.test("grep() filters by name, or by path if the glob has a slash", async () => {
  using ws = workspace({ "a.ml": "x", "src/a.ml": "x", "src/b/a.ml": "x", "src/b/c.txt": "x" });
  const table: [string, string[]][] = [
    ["a.ml", ["a.ml", "src/a.ml", "src/b/a.ml"]],
    ["src/*", ["src/a.ml"]],
    ["src/**/*.{ml,txt}", ["src/a.ml", "src/b/a.ml", "src/b/c.txt"]],
  ];
  for (const [glob, files] of table) {
    const { result } = await ws.run(grep, { pattern: "x", glob });
    assertEquals(result, files.map((file) => `${file}:1:x`), glob);
  }
});

Deno.test("grep() shows lines of context once each", async () => {
  using ws = workspace({
    "a.txt": "\ufeff1\r\n2\r\nhit 3\r\n4\r\nhit 5\r\n6\r\n7\r\n8\r\nhit 9",
    "b.txt": "hit\n\nx\n",
  });
  const run = async (context_lines: number) => (await ws.run(grep, { pattern: "hit", context_lines })).result;
  assertEquals(await run(1), [
    "a.txt-2-2",
    "a.txt:3:hit 3",
    "a.txt-4-4",
    "a.txt:5:hit 5",
    "a.txt-6-6",
    "a.txt-8-8",
    "a.txt:9:hit 9",
    "b.txt:1:hit",
    "b.txt-2-",
  ]);
  assertEquals((await run(100)).length, 12);
  assertEquals((await run(2)).slice(0, 2), ["a.txt-1-1", "a.txt-2-2"]);
});

Deno.test("grep() clips long lines of context", async () => {
  using ws = workspace({ "a.txt": `${"é".repeat(3000)}\nhit\n` });
  assertEquals((await ws.run(grep, { pattern: "hit", context_lines: 1 })).result, [
    `a.txt-1-${"é".repeat(500)} [2500 characters cut]`,
    "a.txt:2:hit",
  ]);
});

Deno.test("grep() searches a file that path names", async () => {
  using ws = workspace({ "a/b.txt": "x\ny", "c.pdf": "x", "d": Uint8Array.of(120, 0) });
  assertEquals((await ws.run(grep, { pattern: "y", path: "./a/b.txt", glob: "*.ml" })).result, [
    "a/b.txt:2:y",
  ]);
  const { result, warnings } = await ws.run(grep, { pattern: "x", path: "d" });
  assertEquals([result, warnings], [[], ['"d" is not text (binary) and was not searched']]);
});

Deno.test("grep() lists at most 10,000 lines and says so", async () => {
  using ws = workspace({ "a.txt": "x\n".repeat(10_001), "b.txt": "x\n" });
  const { result, warnings } = await ws.run(grep, { pattern: "x", path: "a.txt" });
  assertEquals(result.length, 10_000);
  assertEquals(warnings, ["Only the first 10000 matches are listed; use a narrower pattern, path or glob"]);
});

Deno.test("grep() takes patterns as Python does, and says how OCaml's are written", async () => {
  using ws = workspace({ "a.txt": "привет мир\n(a|b)\n" });
  assertEquals((await ws.run(grep, { pattern: "\\bмир\\b" })).result, ["a.txt:1:привет мир"]);
  assertEquals((await ws.run(grep, { pattern: "\\(a\\|b\\)" })).warnings, []);
  const { result, warnings } = await ws.run(grep, { pattern: "\\(foo\\|bar\\)\\b" });
  assertEquals(result, []);
  assertEquals(warnings, [
    "\\( \\| \\) are plain signs in this pattern and nothing was found; for a group and alternatives write (foo|bar)\\b",
  ]);
});

Deno.test("ls(), find() and grep() say what is wrong", async () => {
  using ws = workspace({ "a.txt": "x" });
  const empty = (name: string) => `Cannot search: ${name} is empty, give a non-empty ${name}`;
  for (const [tool, input] of [[ls, {}], [find, { pattern: "*" }], [grep, { pattern: "x" }]] as const) {
    await assertRefuses(ws, tool, "", [
      [{ ...input, path: "no" }, "not_found", 'No such file or directory: "no"'],
    ]);
    const { text, error } = await ws.run(tool, { ...input, path: "../x" });
    assertEquals(error?.code, "permission_denied");
    assertMatch(text, OUTSIDE);
  }
  await assertRefuses(ws, ls, "", [[{ path: "a.txt" }, "invalid_input", 'Not a directory: "a.txt"']]);
  await assertRefuses(ws, find, "", [
    [{ pattern: "" }, "invalid_input", empty("pattern")],
    [{ pattern: "*", path: "a.txt" }, "invalid_input", 'Not a directory: "a.txt"'],
  ]);
  await assertRefuses(ws, grep, "", [
    [{ pattern: "" }, "invalid_input", empty("pattern")],
    [{ pattern: "x", glob: "" }, "invalid_input", empty("glob")],
  ]);
  const others: [unknown, Record<string, unknown>, RegExp][] = [
    [ls, { path: "a:b" }, /colon/],
    [ls, { path: ws.path }, /use the relative path "\."$/],
    [find, { pattern: "../*" }, /^Invalid glob pattern: "\.\.\/\*" climbs/],
    [grep, { pattern: "(" }, /^Invalid regex pattern: /],
    [grep, { pattern: "x", path: ws.at("a.txt") }, /use the relative path "a\.txt"$/],
  ];
  for (const [tool, input, message] of others) {
    const { error, text } = await ws.run(tool, input);
    assertEquals(error?.code, "invalid_input", JSON.stringify(input));
    assertMatch(text, message);
  }
});
