import { assertEquals, assertThrows } from "@std/assert";

import { translatePattern } from "../../../../../tools/engine/pattern/translate_pattern.ts";

/** What tests/fixtures/patterns/make_goldens.py wrote: a bit a text, or `null` where Python refuses. */
interface Goldens {
  texts: string[];
  rows: [pattern: string, sensitive: string | null, insensitive: string | null][];
}

const GOLDENS = new URL("../../../../fixtures/patterns/goldens.json", import.meta.url);

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
  for (const [pattern, ...wanted] of rows) {
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
