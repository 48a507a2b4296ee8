import { RegExpParser } from "@eslint-community/regexpp";
import { assertEquals, assertThrows } from "@std/assert";

import { compilePattern } from "../../../../runtime/calls/json_schema/bounded_pattern.ts";
import { makeAutomaton } from "../../../../runtime/calls/json_schema/pattern_automaton.ts";
import { costOf } from "../../../../runtime/calls/json_schema/pattern_cost.ts";
import { portablePattern } from "../../../../runtime/calls/json_schema/portable_pattern.ts";

const PATTERNS = String.raw`
  a ^a a$ ^$ ^(?:)$ ab|cd ^(ab|cd)$ a* ^a*$ ^a+$ ^a?b$ ^a{2}$ ^a{2,}$ ^a{1,3}b$ ^(a|b)*$ ^(a*)*$ ^(?:a|)+$ ^(a+)+b$
  ^(?:ab?)*$ . ^.$ ^..$ \. [ab] ^[^ab]+$ [\w-] \d \D \s \W \ba a\b \Ba ^\B \p{L} ^\p{Lu}+$ \u{61} a(?=b) a(?!b)
  (?<=a)b (?<!a)b (?<=^a)b (?<=ab|c)d (?<=a*)b$ ^(?=.*a)(?=.*b).{2,4}$ ^(?!.*aa)[ab]+$ (?<=(?=b)b)a ^(?:(?=a)a|b)+$
  (?<=a(?<!ba))b (?i:A)b (?s:.)$ (?m:^b$) (?i:[a-c])+$ (?<name>a)b a*?b (?:a{2}){2} ^(?:a{0,2}b){1,2}$ $^
  ^[a-z0-9]+(?:-[a-z0-9]+)*$ ^\w+@\w+\.\w{2,}$`.split(/\s+/);

const parse = (source: string) =>
  new RegExpParser().parsePattern(source, 0, source.length, { unicode: true, unicodeSets: false });

Deno.test("makeAutomaton() finds what V8 finds", () => {
  const odd = ["", "cd", "ab\nb", "\n", "B", "aB b", "é", "😀", "😀a", "a1_", "a@b.de", "Ab\u2028"];
  const texts = [...odd, ...wordsUpTo(5, ["a", "b", "-"])];
  for (const source of PATTERNS) {
    const matches = makeAutomaton(parse(source))!;
    const native = new RegExp(source, "u");
    for (const text of texts) {
      assertEquals(matches(text), native.test(text), `/${source}/ on ${JSON.stringify(text)}`);
    }
  }
});

Deno.test("makeAutomaton() makes no automaton that is too large", () => {
  assertEquals(makeAutomaton(parse("(?:a{1,300}){1,300}")), null);
});

/** All words of some letters, up to a length. */
function wordsUpTo(length: number, letters: readonly string[]): string[] {
  if (length === 0) return [];
  const shorter = ["", ...wordsUpTo(length - 1, letters)];
  return [...new Set(shorter.flatMap((word) => letters.map((letter) => `${word}${letter}`)))];
}

Deno.test("costOf() tells what repeats, and what repeats within it", () => {
  const cases: readonly (readonly [string, boolean, number, number])[] = [
    ["^abc$", false, 0, 1],
    ["abc", false, 1, 1],
    ["^a*b+$", false, 2, 1],
    ["^a{3}b?$", false, 0, 2],
    ["^a{0,100}$", false, 1, 1],
    ["^(?:a|b|c)$", false, 0, 3],
    ["^(?:a|b)+$", true, 1, 2],
    ["^(a+)+$", true, 2, 1],
    ["^(?:[a-z]{4})*$", false, 1, 1],
    ["^(?:a?){20}$", true, 0, 2],
    ["^(?!.*x)a$", false, 1, 1],
    ["^(?:(?=a)a)*$", true, 1, 1],
    ["^a|b", false, 1, 2],
  ];
  for (const [source, isNested, power, ways] of cases) {
    assertEquals(costOf(parse(source)), { isNested, hasReference: false, power, ways }, source);
  }
});

Deno.test("compilePattern() matches as V8 does, long texts too", () => {
  const text = "ab".repeat(5_000);
  for (const source of ["^(?:ab)*$", "(ba)+b$", "^(a|b)+$", "\\bab", "(?<=a)b$", "^.{10000}$", "x"]) {
    assertEquals(compilePattern(source).test(text), new RegExp(source, "u").test(text), source);
  }
});

Deno.test("compilePattern() refuses what it could not end", () => {
  for (const source of ["^(a+)+\\1$", "^(?:a{1,300}){1,300}$"]) {
    assertThrows(() => compilePattern(source), SyntaxError, "could take any time");
  }
  const backwards = compilePattern("(a*)b*\\1$");
  assertEquals(backwards.test("aba"), true);
  assertThrows(() => backwards.test("a".repeat(10_000)), Error, "for a text of 10000 characters");
});

Deno.test("portablePattern() makes old patterns readable with the flag u", () => {
  const cases = [
    ["^a+$", "^a+$"],
    ["\\@\\_\\-", "@_-"],
    ["[\\w\\-\\@]", "[\\w\\-@]"],
    ["a{2,3}\\@", "a{2,3}@"],
    ["{\\@}", "\\{@\\}"],
    ["[{]\\@]", "[{]@\\]"],
    ["\\p{L}\\@", "\\p{L}@"],
  ];
  for (const [source = "", wanted] of cases) assertEquals(portablePattern(source), wanted);
  for (const source of ["[", "(", "a**", "(?<n"]) assertThrows(() => portablePattern(source), SyntaxError);
});
