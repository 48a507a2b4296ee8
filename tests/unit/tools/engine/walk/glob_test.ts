import { assert, assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { compileGlob, type GlobOptions } from "../../../../../tools/engine/walk/glob.ts";

/** Matches a whole path; a final slash makes it a folder. */
function matches(pattern: string, path: string, options: GlobOptions = {}): boolean {
  const glob = compileGlob(pattern, options);
  const names = path.split("/").filter((name) => name !== "");
  const states = names.reduce((states, name) => glob.step(states, name), glob.start);
  return glob.accepts(states, path === "" || path.endsWith("/") ? "folder" : "file");
}

Deno.test("compileGlob() matches paths as pathlib does", () => {
  const table: [string, string[], string[]][] = [
    ["*.py", ["a.py", ".py", ".a.py"], ["a/b.py", "a.pyc", "a.PY", "apy"]],
    ["**/*.py", ["a.py", "a/b.py", "a/b/c.py", ".hidden/b.py"], ["a.pyc", "py"]],
    ["src/*.ts", ["src/a.ts"], ["a.ts", "src/b/a.ts", "lib/src/a.ts"]],
    ["src/**/*.ts", ["src/a.ts", "src/b/c/a.ts"], ["a.ts", "lib/src/a.ts"]],
    ["**/test/**/*.ts", ["test/a.ts", "x/test/y/a.ts"], ["x/a.ts", "tests/a.ts"]],
    ["**", ["a", "a/b", ""], []],
    ["src/**", ["src/", "src/a", "src/a/b"], ["lib/a", "src2/a"]],
    ["src/**/", ["src/", "src/a/"], ["src/a", "lib/"]],
    ["*/", ["a/"], ["a", "a/b/"]],
    ["?", ["a", "é", "😀", "*"], ["", "ab"]],
    ["a?c*", ["abc", "abcd"], ["ac", "xabc"]],
    ["[ab]c", ["ac", "bc"], ["cc", "c", "abc"]],
    ["[!ab]c", ["cc", "^c"], ["ac", "bc"]],
    ["[^a]", ["^", "a"], ["b"]],
    ["[a-c0-9]", ["b", "5"], ["d", "-"]],
    ["[]a]", ["]", "a"], ["[", "b"]],
    ["[!]a]", ["b"], ["]", "a"]],
    ["[z-a]", [], ["z", "a", "m", "-"]],
    ["[a-]", ["a", "-"], ["b"]],
    ["[ab", ["[ab"], ["a", "b"]],
    ["a[*]b", ["a*b"], ["axb"]],
    ["a\\b", ["a\\b"], ["ab"]],
    ["./a//b", ["a/b"], ["b"]],
    ["*.{ts,tsx}", ["a.ts", "a.tsx"], ["a.js", "a.{ts,tsx}"]],
    ["{src,lib/x}/*.ts", ["src/a.ts", "lib/x/a.ts"], ["lib/a.ts"]],
    ["{a,b}{1,2}", ["a1", "a2", "b1", "b2"], ["a", "12"]],
    ["{a,{b,c}d}", ["a", "bd", "cd"], ["d", "b"]],
    ["{a,}b", ["ab", "b"], ["a"]],
    ["{id}.ts", ["{id}.ts"], ["id.ts"]],
    ["{{a,b}}", ["{a}", "{b}"], ["a"]],
    ["[{]a,b[}]", ["{a,b}"], ["a", "b"]],
    ["{a", ["{a"], ["a"]],
  ];
  for (const [pattern, yes, no] of table) {
    for (const path of yes) assert(matches(pattern, path), `${pattern} should match ${path}`);
    for (const path of no) assert(!matches(pattern, path), `${pattern} should not match ${path}`);
  }
});

Deno.test("compileGlob() lets ** cross folders inside a component if asked to", () => {
  const options: GlobOptions = { doubleStar: "anywhere" };
  assert(matches("src/**.ml", "src/a.ml", options));
  assert(matches("src/**.ml", "src/b/c/a.ml", options));
  assert(!matches("src/**.ml", "lib/a.ml", options));
  assert(matches("**.ml", "a/b.ml", options));
  assert(matches("a**b", "axb", options));
  assert(matches("a**b", "ax/y/zb", options));
  assert(matches("{**/x,y}", "x", options));
});

Deno.test("compileGlob() refuses what has no meaning below a folder", () => {
  const table: [string, string][] = [
    ["**.py", "Invalid glob pattern: Invalid pattern: '**' can only be an entire path component"],
    ["a/**b/c", "Invalid glob pattern: Invalid pattern: '**' can only be an entire path component"],
    [
      "/etc/*",
      'Invalid glob pattern: "/etc/*" is absolute; give the folder as path and a pattern relative to it',
    ],
    ["../*", 'Invalid glob pattern: "../*" climbs with ".."; give the upper folder as path instead'],
    ["{a,../b}", 'Invalid glob pattern: "../b" climbs with ".."; give the upper folder as path instead'],
    [".", 'Invalid glob pattern: "." names no entry below the search root'],
    ["a\0b", "Invalid glob pattern: the pattern holds a null byte"],
    ["x".repeat(5000), "Invalid glob pattern: the pattern has more than 4096 characters"],
    [
      "{a,b}".repeat(20),
      `Invalid glob pattern: "${"{a,b}".repeat(20)}" expands to more than 256 alternatives`,
    ],
  ];
  for (const [pattern, message] of table) {
    const error = assertThrows(() => compileGlob(pattern), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", message]);
  }
});

Deno.test("compileGlob() does not run away on many stars", () => {
  const name = "a".repeat(5000);
  assert(!matches("*a".repeat(200) + "*b", name));
  assert(matches("*a".repeat(200) + "*", name));
});

Deno.test("compileGlob() tells which folders can hold matches", () => {
  const glob = compileGlob("src/*.ts");
  assertEquals(glob.step(glob.start, "lib"), []);
  const src = glob.step(glob.start, "src");
  assert(glob.descends(src));
  assert(!glob.accepts(src, "folder"));
  assert(!glob.descends(glob.step(src, "a.ts")));
});
