import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { compilePattern } from "../../../../../tools/engine/pattern/pattern.ts";

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
    ["(?i)a.", "/a./i"],
    ["(?im)(?s)a.", "/a./ims"],
    ["(?u)a.", "/a./"],
    ["(?P<year>\\d+)-(?P=year)", "/(?<year>\\d+)-\\k<year>/"],
    ["\\Aa.\\Z", "/^a.$/"],
    ["(?m)\\Aa.\\Z", "/(?<![^])a.(?![^])/m"],
    ["\\\\A.", "/\\\\A./"],
    ["[(?P<]x*", "/[(?P<]x*/"],
    ["[[:alpha:]_]+[^[:space:][:digit:]]", "/[a-zA-Z_]+[^\\s0-9]/"],
    ["[:alpha:]+", "/[:alpha:]+/"],
    ["[\\[:alpha:]+", "/[\\[:alpha:]+/"],
    ["\\p{Lu}+", "/[\\p{Lu}]+/v"],
    ["\\u{41}\\-\\\"[a\\-\\']+", "/A-\"[a\\-']+/"],
    ["\\\\p{a}+", "/\\\\p\\{a\\}+/"],
    ["[😀]", "/[😀]/v"],
  ];
  for (const [pattern, regex] of table) {
    assertEquals((await compile(pattern)).regex, regex, pattern);
  }
});

Deno.test("compilePattern() says what is wrong with a pattern", async () => {
  const table: [string, string][] = [
    ["(", "Invalid regex pattern: "],
    ["a(?i)b", "Invalid regex pattern: "],
    ["[z-a]", "Invalid regex pattern: "],
    ["*", "Invalid regex pattern: "],
    ["a(?x)b", "Invalid regex pattern: the flag (?x) stands inside the pattern, put it at the start"],
    ["[[:letter:]]", "Invalid regex pattern: the class [:letter:] is not known"],
    ["(?L)a", "Invalid regex pattern: the flag (?L) is not supported, use (?i), (?m) or (?s)"],
  ];
  for (const [pattern, message] of table) {
    const error = await assertRejects(() => compilePattern(pattern), ToolError, message);
    assertEquals(error.code, "invalid_input");
  }
});
