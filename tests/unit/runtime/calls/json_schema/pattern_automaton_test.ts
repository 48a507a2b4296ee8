import { RegExpParser } from "@eslint-community/regexpp";
import { assertEquals } from "@std/assert";

import { makeAutomaton } from "../../../../../runtime/calls/json_schema/pattern_automaton.ts";

const PATTERNS = [
  ...[
    "a",
    "^a",
    "a$",
    "^$",
    "",
    "^(?:)$",
    "ab|cd",
    "^(ab|cd)$",
    "a*",
    "^a*$",
    "^a+$",
    "^a?b$",
    "^a{2}$",
    "^a{2,}$",
  ],
  ...[
    "^a{1,3}b$",
    "^(a|b)*$",
    "^(a*)*$",
    "^(?:a|)+$",
    "^(a+)+b$",
    "^(?:ab?)*$",
    ".",
    "^.$",
    "^..$",
    "\\.",
    "[ab]",
  ],
  ...[
    "^[^ab]+$",
    "[\\w-]",
    "\\d",
    "\\D",
    "\\s",
    "\\W",
    "\\ba",
    "a\\b",
    "\\Ba",
    "^\\B",
    "\\p{L}",
    "^\\p{Lu}+$",
    "\\u{61}",
  ],
  ...[
    "a(?=b)",
    "a(?!b)",
    "(?<=a)b",
    "(?<!a)b",
    "(?<=^a)b",
    "(?<=ab|c)d",
    "(?<=a*)b$",
    "^(?=.*a)(?=.*b).{2,4}$",
  ],
  ...[
    "^(?!.*aa)[ab]+$",
    "(?<=(?=b)b)a",
    "^(?:(?=a)a|b)+$",
    "(?<=a(?<!ba))b",
    "(?i:A)b",
    "(?s:.)$",
    "(?m:^b$)",
    "(?i:[a-c])+$",
  ],
  ...[
    "(?<name>a)b",
    "a*?b",
    "(?:a{2}){2}",
    "^(?:a{0,2}b){1,2}$",
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "$^",
    "^\\w+@\\w+\\.\\w{2,}$",
  ],
];

Deno.test("makeAutomaton() finds what V8 finds", () => {
  const texts = [
    "",
    ...wordsUpTo(5, ["a", "b", "-"]),
    "cd",
    "ab\nb",
    "\n",
    "B",
    "aB b",
    "é",
    "😀",
    "😀a",
    "a1_",
    "a@b.de",
    "Ab\u2028",
  ];
  for (const source of PATTERNS) {
    const tree = new RegExpParser().parsePattern(source, 0, source.length, {
      unicode: true,
      unicodeSets: false,
    });
    const matches = makeAutomaton(tree)!;
    const native = new RegExp(source, "u");
    for (const text of texts) {
      assertEquals(matches(text), native.test(text), `/${source}/ on ${JSON.stringify(text)}`);
    }
  }
});

Deno.test("makeAutomaton() makes no automaton that is too large", () => {
  const source = "(?:a{1,300}){1,300}";
  const tree = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: true,
    unicodeSets: false,
  });
  assertEquals(makeAutomaton(tree), null);
});

/** All words of some letters, up to a length. */
function wordsUpTo(length: number, letters: readonly string[]): string[] {
  if (length === 0) return [];
  const shorter = ["", ...wordsUpTo(length - 1, letters)];
  return [...new Set(shorter.flatMap((word) => letters.map((letter) => `${word}${letter}`)))];
}
