import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { compilePattern } from "../../../../tools/engine/pattern/pattern.ts";
import { translatePattern } from "../../../../tools/engine/pattern/translate_pattern.ts";
import { compileGlob, type GlobOptions } from "../../../../tools/engine/walk/glob.ts";
import { walk } from "../../../../tools/engine/walk/walk.ts";
import { workspace } from "../../../support/run_tool.ts";
import { rounds } from "../../../support/tier.ts";

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
    ["app/[locale]/(auth)/*", ["app/[locale]/(auth)/x", "app/e/(auth)/x"], [
      "app/x/(auth)/x",
      "app/[locale]/a/x",
    ]],
    ["[...slug]?", ["[...slug]?", "sx"], ["[...slug]x"]],
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

Deno.test("walk() tells no name of a folder that a link replaced after it was found", () => {
  using ws = workspace({ "d/own.txt": "", "e/b.txt": "" });
  using elsewhere = workspace({ "hidden.txt": "" });
  const counts = { ignored: 0, hidden: 0, unnamed: 0, unfollowed: [] };
  const walls = { mayRead: () => true, folderBehind: () => null, enter: null, rulesAbove: () => null };
  const options = { glob: compileGlob("**"), counts, ...walls };
  const found: string[] = [];
  for (const entry of walk(ws.path, options)) {
    if (entry === null) continue;
    found.push(entry.path.slice(ws.path.length));
    if (!entry.path.endsWith("/d")) continue;
    Deno.renameSync(entry.path, `${ws.path}/moved`);
    Deno.symlinkSync(elsewhere.path, entry.path);
  }
  assertEquals([found, counts.hidden], [["", "/d", "/e", "/e/b.txt"], 1]);
});

type Case = "sensitive" | "insensitive";

async function compile(pattern: string, letterCase: Case = "sensitive") {
  const { literals, regex } = await compilePattern(pattern, { letterCase });
  const texts = literals.map(({ bytes, fold }) => new TextDecoder().decode(bytes) + (fold ? " folded" : ""));
  return { literal: texts.length === 0 ? null : texts.join("|"), regex: regex && String(regex) };
}

Deno.test("compilePattern() searches plain text without the regular expression engine", async () => {
  const table: [string, Case, string | null, string | null][] = [
    ["TODO", "sensitive", "TODO", null],
    ["TODO", "insensitive", "todo folded", null],
    [" a b ", "sensitive", " a b ", null],
    ["größe", "sensitive", "größe", null],
    ["größe", "insensitive", "gr folded", "/größe/i"],
    ["foo\\.bar\\(", "sensitive", "foo.bar(", null],
    ["(?i)foo\\.", "sensitive", "foo. folded", null],
    ["a\nb", "sensitive", "a\nb", "/a\\nb/"],
    ["a\\nb", "sensitive", "a\nb", "/a\\nb/"],
    ["a\rb", "sensitive", null, "/a\\rb/"],
    ["\ufeff", "sensitive", null, "/\ufeff/"],
    ["\ufffd", "sensitive", null, "/\ufffd/"],
    ["\ud83d", "sensitive", null, "/\ud83d/"],
    ["😀", "sensitive", "😀", null],
  ];
  for (const [pattern, letterCase, literal, regex] of table) {
    const compiled = await compile(pattern, letterCase);
    assertEquals([compiled.literal, compiled.regex?.replace("\n", "\\n").replace("\r", "\\r") ?? null], [
      literal,
      regex,
    ], pattern);
  }
});

Deno.test("compilePattern() finds the longest text that every match holds", async () => {
  const table: [string, Case, string | null][] = [
    ["function\\s+\\w+", "sensitive", "function"],
    ["ab\\d+longer", "sensitive", "longer"],
    ["colou?r", "sensitive", "colo"],
    ["fo+bar", "sensitive", "bar"],
    ["(ab){2,}c", "sensitive", "ab"],
    ["\\bword\\b", "sensitive", "word"],
    ["foo(?=lookahead)bar", "sensitive", "foobar"],
    ["(?<!verylong)x", "sensitive", "x"],
    ["(?:abc)(def)g", "sensitive", "abcdefg"],
    ["(?i:abc)d", "sensitive", "d"],
    ["a|b", "sensitive", "a|b"],
    ["TODO|FIX(ME)?", "insensitive", "todo folded|fix folded"],
    ["TODO|\\d", "sensitive", null],
    ["a|b|c|d|e|f|g|h|i", "sensitive", null],
    ["x(one|two|three)", "sensitive", "one|two|three"],
    ["long(a|b)", "sensitive", "long"],
    ["(one|two)*x", "sensitive", "x"],
    ["(one|two)+", "sensitive", "one|two"],
    ["x(a|b)yz", "sensitive", "yz"],
    ["(abc)?", "sensitive", null],
    ["(abc)*d{0,3}", "sensitive", null],
    ["\\d+", "sensitive", null],
    ["ünïxyz[0-9]code", "sensitive", "ünïxyz"],
    ["ünïx[0-9]code", "insensitive", "code folded"],
    ["\\p{L}kelvin", "insensitive", null],
    ["\\p{L}kelvin", "sensitive", "kelvin"],
    ["FOO.*Bar", "insensitive", "foo folded"],
  ];
  for (const [pattern, letterCase, literal] of table) {
    assertEquals((await compile(pattern, letterCase)).literal, literal, pattern);
  }
});

Deno.test("compilePattern() translates Python's spellings", async () => {
  const table: [string, string][] = [
    ["(?im)(?s)a.", "/a./ims"],
    ["(?m)\\Aa.\\Z", "/(?<![^])a.(?![^])/m"],
    ["\\\\A.", "/\\\\A./"],
    ["[(?P<]x*", "/[(?P<]x*/"],
    ["[[:alpha:]_]+[^[:space:][:digit:]]", "/[a-zA-Z_]+[^\\s0-9]/"],
    ["[:alpha:]+", "/[:alpha:]+/"],
    ["[\\[:alpha:]+", "/[\\[:alpha:]+/"],
    ["\\u{41}\\-\\\"[a\\-\\']+", "/A-\"[a\\-']+/"],
    ["\\\\p{a}+", "/\\\\p\\{a\\}+/"],
  ];
  for (const [pattern, regex] of table) {
    assertEquals((await compile(pattern)).regex, regex, pattern);
  }
});

Deno.test("compilePattern() says what is wrong with a pattern", async () => {
  const table: [string, string][] = [
    ["(", "Invalid regex pattern: "],
    ["[z-a]", "Invalid regex pattern: "],
    ["a(?x)b", "Invalid regex pattern: the flag (?x) stands inside the pattern, put it at the start"],
    ["[[:letter:]]", "Invalid regex pattern: the class [:letter:] is not known"],
    ["(?L)a", "Invalid regex pattern: the flag (?L) is not supported, use (?i), (?m) or (?s)"],
  ];
  for (const [pattern, message] of table) {
    const error = await assertRejects(() => compilePattern(pattern), ToolError, message);
    assertEquals(error.code, "invalid_input");
  }
});

/** What tests/fixtures/patterns/make_goldens.py wrote: a bit a text, or `null` where Python refuses. */
interface Goldens {
  texts: string[];
  rows: [pattern: string, sensitive: string | null, insensitive: string | null][];
}

const GOLDENS = new URL("../../../fixtures/patterns/goldens.json", import.meta.url);

/** Patterns that Python takes and that are refused here. */
const REFUSED_HERE = ["\\N{LATIN SMALL LETTER A}", "(?:(a)?b)+\\1", "(?:x(a)?){1,2}(?:b\\1)"];

function search(pattern: string, ignoreCase: boolean, texts: readonly string[]): string {
  const { regex, wide } = translatePattern(pattern, ignoreCase);
  let found = 0n;
  for (const [index, text] of texts.entries()) {
    const one = wide?.when.test(text) ? wide.regex : regex;
    if (one.test(text)) found |= 1n << BigInt(index);
  }
  return found.toString(16);
}

Deno.test("translatePattern() finds what Python's re finds, and refuses what it refuses", async () => {
  const { texts, rows }: Goldens = JSON.parse(await Deno.readTextFile(GOLDENS));
  const wrong: string[] = [];
  const step = rounds(3, 1);
  for (const [pattern, ...wanted] of rows.filter((_, at) => at % step === 0)) {
    for (const [index, want] of wanted.entries()) {
      const ignoreCase = index === 1;
      if (want === null || REFUSED_HERE.includes(pattern)) {
        assertThrows(() => translatePattern(pattern, ignoreCase), SyntaxError);
      } else if (search(pattern, ignoreCase, texts) !== want) {
        wrong.push(`${pattern}${ignoreCase ? " without case" : ""}`);
      }
    }
  }
  assertEquals(wrong, []);
});

Deno.test("translatePattern() keeps JavaScript's properties, code points and names", () => {
  assertEquals(search("^\\p{Lu}\\P{Lu}$", false, ["Ñé", "ñé", "ÑÉ"]), "1");
  assertEquals(search("\\u{1F600}", false, ["😀", "a"]), "1");
  assertEquals(search("(?<n>.)\\k<n>", false, ["aa", "ab"]), "1");
  assertEquals(search("^[[:alpha:]_]+[^[:space:][:digit:]]$", false, ["ab_c", "ab1", "ab "]), "1");
});

Deno.test("translatePattern() gives lines of ASCII a regular expression without Unicode", () => {
  const table: [string, string, string | null][] = [
    ["foo\\(", "/foo\\(/", null],
    ["(a+)+$", "/(a+)+$/", null],
    ["\\w+", "/\\w+/", "[\\x80-\\uffff]"],
    ["a.*b", "/a.*b/", "[\\ud800-\\udfff\\r\\u2028\\u2029]"],
    ["[^a]", "/[^a]/", "[\\ud800-\\udfff]"],
  ];
  for (const [pattern, regex, when] of table) {
    const translated = translatePattern(pattern, false);
    assertEquals([String(translated.regex), translated.wide?.when.source ?? null], [regex, when], pattern);
  }
});

Deno.test("translatePattern() says what to write instead", () => {
  const table: [string, string][] = [
    ["\\h", "the escape \\h is not known, write [ \\t]"],
    ["\\z", "the escape \\z is not known, write \\Z"],
    ["\\R", "the escape \\R is not known, write (?:\\r\\n|\\r|\\n)"],
    ["\\y", "the escape \\y is not known, write y for the letter itself"],
    ["\\N{DASH}", "names of characters (\\N{…}) are not known here, write the character itself"],
    ["(a)(?(1)b|c)", "conditions (?(1)…) cannot be searched for, write both cases with |"],
    [
      "(?:(a)|b)\\1",
      "group 1 may have no match where it is referred to, write it so that it always takes part",
    ],
    ["(?|a)", "the group (?| is not known, use (…), (?:…), (?P<name>…) or (?=…)"],
    ["a(?i)b", "the flag (?i) stands inside the pattern, put it at the start or write (?i:…)"],
    ["a**", "a repeat is repeated, put a group (?:…) around the first"],
  ];
  for (const [pattern, message] of table) {
    assertThrows(() => translatePattern(pattern, false), SyntaxError, message);
  }
});
