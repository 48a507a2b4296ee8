import { assertEquals, assertMatch } from "@std/assert";

import { ignoreLists } from "../../../../runtime/programs/git/ignore_lists.ts";
import Glob from "../../../../tools/harness/glob.ts";
import { assertRefuses, type Workspace, workspace } from "../../../support/run_tool.ts";

async function glob(ws: Workspace, input: Record<string, unknown>): Promise<string[]> {
  const { ok, text, result } = await ws.run(Glob, input);
  assertEquals(ok, true, text);
  return result.results.map((path: string) => path === ws.path ? "." : path.slice(ws.path.length + 1));
}

Deno.test("Glob() lists files as the document shows", async () => {
  using ws = workspace({ "b.py": "", "a/b.py": "", "a.py": "", "a/c.txt": "" });
  const { text, result } = await ws.run(Glob, { pattern: " **/*.py " });
  assertEquals(
    text,
    `root: ${ws.path}\npattern: **/*.py\ninclude_dirs: false\nmatch_count: 3\ntruncated: false\nresults:\n` +
      `${ws.path}/a/b.py\n${ws.path}/a.py\n${ws.path}/b.py`,
  );
  assertEquals(result, {
    root: ws.path,
    pattern: "**/*.py",
    include_dirs: false,
    match_count: 3,
    truncated: false,
    ignored_paths: 0,
    left_below: 0,
    results: [ws.at("a/b.py"), ws.at("a.py"), ws.at("b.py")],
  });
});

Deno.test("Glob() ends after results: if nothing matches", async () => {
  using ws = workspace({ "a.txt": "" });
  const { text } = await ws.run(Glob, { pattern: "*.py", path: "." });
  assertMatch(text, /^match_count: 0\ntruncated: false\nresults:\n$/m);
});

Deno.test("Glob() orders by path components and code points", async () => {
  const names = ["B", "a/z", "a-b/c", "a.txt", "b/1", "b/10", "b/2", "ä", "\uff5e", "\u{1f600}"];
  using ws = workspace(Object.fromEntries(names.toReversed().map((name) => [name, ""])));
  assertEquals(await glob(ws, { pattern: "**/*" }), names);
});

Deno.test("Glob() lists folders if asked to", async () => {
  using ws = workspace({ "a/b/c.txt": "", "a.txt": "", "d/.git/config": "" });
  assertEquals(await glob(ws, { pattern: "**/*", include_dirs: true }), [
    "a",
    "a/b",
    "a/b/c.txt",
    "a.txt",
    "d",
  ]);
  assertEquals(await glob(ws, { pattern: "**/", include_dirs: true }), [".", "a", "a/b", "d"]);
  assertEquals(await glob(ws, { pattern: "**/" }), []);
  assertEquals(await glob(ws, { pattern: "a/**" }), ["a/b/c.txt"]);
  assertEquals(await glob(ws, { pattern: ".git/**", path: "d" }), []);
});

Deno.test("Glob() searches below path and names results by it", async () => {
  using ws = workspace({ "a/b/c.txt": "", "c.txt": "" });
  for (const path of ["a", "./a/", "a/b/..", ws.at("a")]) {
    const { result } = await ws.run(Glob, { pattern: "**/*.txt", path });
    assertEquals([result.root, result.results], [ws.at("a"), [ws.at("a/b/c.txt")]]);
  }
});

Deno.test("Glob() tells exactly whether there is more", async () => {
  using ws = workspace({ "a": "", "b": "", "c": "", "d/e": "" });
  const table: [number, string, number, boolean][] = [
    [3, "*", 3, false],
    [2, "*", 2, true],
    [4, "**/*", 4, false],
    [3, "**/*", 3, true],
    [1, "d/*", 1, false],
  ];
  for (const [max_results, pattern, count, truncated] of table) {
    const { result } = await ws.run(Glob, { pattern, max_results });
    assertEquals([result.match_count, result.truncated], [count, truncated], `${max_results} ${pattern}`);
  }
});

Deno.test("Glob() lists a link under its own name if what it leads to may be read", async () => {
  using ws = workspace({ "a/real.txt": "", "a/.env": "" });
  Deno.symlinkSync("a/real.txt", ws.at("link.txt"));
  Deno.symlinkSync("a", ws.at("folder"));
  Deno.symlinkSync("nowhere", ws.at("broken.txt"));
  Deno.symlinkSync("loop.txt", ws.at("loop.txt"));
  Deno.symlinkSync("/etc/passwd", ws.at("outside.txt"));
  Deno.symlinkSync("a/.env", ws.at("secret.txt"));
  assertEquals(await glob(ws, { pattern: "**/*" }), ["a/real.txt", "link.txt"]);
  assertEquals(await glob(ws, { pattern: "*", include_dirs: true }), ["a", "folder", "link.txt"]);
  assertEquals(await glob(ws, { pattern: "*/", include_dirs: true }), ["a", "folder"]);
});

Deno.test("Glob() follows a link given as path, and keeps its name", async () => {
  using ws = workspace({ "a/x.txt": "" });
  Deno.symlinkSync("a", ws.at("folder"));
  assertEquals(await glob(ws, { pattern: "*.txt", path: "folder" }), ["folder/x.txt"]);
});

Deno.test("Glob() hides secrets and denied paths", async () => {
  using ws = workspace({
    ".env": "",
    ".env.example": "",
    "key.pem": "",
    ".ssh/config": "",
    "no/a": "",
    "yes/a": "",
  });
  const { result } = await ws.run(Glob, { pattern: "**/*" }, { denyRead: [ws.at("no")] });
  assertEquals(result.results, [ws.at(".env.example"), ws.at("yes/a")]);
});

Deno.test("Glob() leaves out what .gitignore files name and counts it", async () => {
  using ws = workspace({
    ".gitignore": "\ufeffnode_modules/\n*.log\n/top.txt\n# note\n!keep.log\n",
    "node_modules/a/index.js": "",
    "a.log": "",
    "keep.log": "",
    "top.txt": "",
    "sub/top.txt": "",
    "sub/.gitignore": "!b.log\nlocal\n",
    "sub/b.log": "",
    "sub/c.log": "",
    "sub/local": "",
    "local": "",
    "Upper.LOG": "",
  });
  const { text, result } = await ws.run(Glob, { pattern: "**/*" });
  const left = ".gitignore Upper.LOG keep.log local sub/.gitignore sub/b.log sub/top.txt".split(" ");
  assertEquals(result.results.map((path: string) => path.slice(ws.path.length + 1)), left);
  assertMatch(text, /^truncated: false\nignored_paths: 5\nresults:$/m);
  assertEquals((await glob(ws, { pattern: "**/*", respect_gitignore: false })).length, 12);
});

Deno.test("Glob() counts only what the pattern could have matched as ignored", async () => {
  using ws = workspace({ ".gitignore": "*.log\nout/\n", "a.log": "", "b.txt": "", "out/c.txt": "" });
  const ignored = async (pattern: string) => (await ws.run(Glob, { pattern })).result.ignored_paths;
  assertEquals([await ignored("*.txt"), await ignored("**/*.txt"), await ignored("**/*")], [0, 1, 2]);
});

Deno.test("Glob() honours the .gitignore files above path, but not for what path names itself", async () => {
  using ws = workspace({
    ".gitignore": "*.log\nbuild/\n",
    "a/.gitignore": "b.txt\n",
    "a/b/b.txt": "",
    "a/b/x.log": "",
    "a/b/c.txt": "",
    "build/out.txt": "",
    "build/x.log": "",
  });
  assertEquals(await glob(ws, { pattern: "*", path: "a/b" }), ["a/b/c.txt"]);
  assertEquals(await glob(ws, { pattern: "*", path: "build" }), ["build/out.txt", "build/x.log"]);
});

Deno.test("Glob() does not follow a .gitignore that is a link", async () => {
  using ws = workspace({ "rules": "a.txt\n", "a.txt": "" });
  Deno.symlinkSync("rules", ws.at(".gitignore"));
  assertEquals(await glob(ws, { pattern: "*.txt" }), ["a.txt"]);
});

Deno.test("Glob() reads git's other lists, in linked working trees and above path as well", async () => {
  using ws = workspace({
    ...{ ".git/HEAD": "", ".git/objects/x": "", ".git/refs/x": "", "all": "*.all\n" },
    ...{ ".git/info/exclude": "own.txt\n*.x\n", ".git/config": "[core]\n\texcludesFile = all\n" },
    ...{ "own.txt": "", "sub/own.txt": "", "a.all": "", "keep.txt": "", "k.x": "", ".gitignore": "!k.x\n" },
    ".git/worktrees/t/commondir": "../..\n",
    "tree/own.txt": "",
    "tree/keep.txt": "",
    "tree/k.x": "",
    ...{ "inner/.git/HEAD": "", "inner/a.x": "", "inner/own.txt": "", "inner/.gitignore": "" },
    "empty/.git/x": "",
    "empty/own.txt": "",
  });
  Deno.writeTextFileSync(ws.at(".git/config"), `[core]\n\texcludesFile = ${ws.at("all")}\n`);
  Deno.writeTextFileSync(ws.at("tree/.git"), `gitdir: ${ws.at(".git/worktrees/t")}\n`);
  const found = await glob(ws, { pattern: "**/*.{txt,x,all,git}" });
  // A repository begins where git sees one: the rules of the outer one end there. The user's own list goes on.
  assertEquals(found, ["inner/a.x", "inner/own.txt", "k.x", "keep.txt", "tree/keep.txt"]);
  const above = ignoreLists(ws.at("tree"), { home: "", env: {} });
  assertEquals(above.above.map(({ text }) => text), ["*.all\n", "own.txt\n*.x\n"]);
  Deno.mkdirSync(ws.at("home/.config/git"), { recursive: true });
  Deno.writeTextFileSync(ws.at("home/.config/git/ignore"), "*.user\n");
  assertEquals(ignoreLists("/", { home: ws.at("home"), env: {} }), { user: "*.user\n", above: [] });
  const below = ignoreLists(ws.at("sub/deep"), { home: ws.at("home"), env: {} });
  assertEquals(below.above.map(({ folder }) => folder.slice(ws.path.length)), ["", "", ""]);
  assertEquals(below.user, "*.all\n");
});

Deno.test("Glob() goes through links that the pattern names, and through no others", async () => {
  using elsewhere = workspace({ "o.md": "" });
  using ws = workspace({
    "items/foo/r.md": "",
    "items/.gitignore": "*.tmp\n",
    "items/foo/x.tmp": "",
    "cat/a.md": "",
  });
  for (
    const [name, to] of [["foo", "../items/foo"], ["out", elsewhere.path], ["gone", "nowhere"], ["up", ".."]]
  ) {
    Deno.symlinkSync(to!, ws.at(`cat/${name}`));
  }
  Deno.symlinkSync("cat/foo", ws.at("twice"));
  const rows: [string, string[]][] = [
    ["cat/foo/**/*.md", ["cat/foo/r.md"]],
    ["cat/foo/*", ["cat/foo/r.md"]],
    ["{cat,dog}/f?o/*.md", ["cat/foo/r.md"]],
    ["twice/*.md", ["twice/r.md"]],
    ["cat/up/cat/foo/*.md", ["cat/up/cat/foo/r.md"]],
    ["cat/up/items/**/*.md", ["cat/up/items/foo/r.md"]],
    ["**/foo/*.md", ["cat/foo/r.md", "items/foo/r.md"]],
    ["**/*.md", ["cat/a.md", "items/foo/r.md"]],
    ["cat/**/*.md", ["cat/a.md"]],
    ["cat/gone/*.md", []],
    ["cat/out/*.md", []],
  ];
  for (const [pattern, expected] of rows) assertEquals(await glob(ws, { pattern }), expected, pattern);
  const { warnings } = await ws.run(Glob, { pattern: "cat/out/*.md" });
  assertMatch(
    warnings.join(),
    /A link was not followed: .*cat\/out.* is outside the granted folders, pass --allow-read=/,
  );
  const read = [ws.path, elsewhere.path];
  assertEquals((await ws.run(Glob, { pattern: "cat/out/*.md" }, { read })).result.results, [
    ws.at("cat/out/o.md"),
  ]);
});

Deno.test("Glob() says what is wrong", async () => {
  using ws = workspace({ "a.txt": "" });
  Deno.symlinkSync("/etc", ws.at("etc"));
  const outside = `Blocked or invalid path: Search access is limited to the workspace root: ${ws.path} ` +
    "(/etc lies outside; pass --allow-read=/etc to grant it)";
  const climbs = '"../*" climbs with ".."; give the upper folder as path instead';
  await assertRefuses(ws, Glob, "[Glob] ", [
    [{ pattern: "" }, "invalid_input", "pattern must be a non-empty string."],
    [{ pattern: "  " }, "invalid_input", "pattern must be a non-empty string."],
    [{ pattern: "*", max_results: 0 }, "invalid_input", "max_results must be > 0."],
    [{ pattern: "*", path: "no" }, "not_found", `Search root not found: ${ws.at("no")}`],
    [{ pattern: "*", path: "a.txt" }, "invalid_input", `Search root is not a directory: ${ws.at("a.txt")}`],
    [{ pattern: "../*" }, "invalid_input", `Invalid glob pattern or filesystem error: ${climbs}`],
    [{ pattern: "*", path: "/etc" }, "permission_denied", outside],
    [{ pattern: "*", path: "etc" }, "permission_denied", outside],
  ]);
});

Deno.test("Glob() takes odd names as they are", async () => {
  const names = [" a ", "b\nc", "[d]", "e*", "{f,g}", "h\\i", "-j", "%41"];
  using ws = workspace(Object.fromEntries(names.map((name) => [`${name}/x`, ""])));
  assertEquals((await glob(ws, { pattern: "*/x" })).sort(), names.map((name) => `${name}/x`).sort());
  assertEquals(await glob(ws, { pattern: "[[]d]/x" }), ["[d]/x"]);
});
