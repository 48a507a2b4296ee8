import { RegExpParser } from "@eslint-community/regexpp";
import { assertEquals } from "@std/assert";

import { costOf, isQuick } from "../../../../../runtime/calls/json_schema/pattern_cost.ts";

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
    const tree = new RegExpParser().parsePattern(source, 0, source.length, {
      unicode: true,
      unicodeSets: false,
    });
    assertEquals(costOf(tree), { isNested, hasReference: false, power, ways }, source);
  }
});

Deno.test("isQuick() looks at the length of the text", () => {
  const cost = { isNested: false, hasReference: false, power: 2, ways: 1 };
  assertEquals([isQuick(cost, 1_000), isQuick(cost, 10_000)], [true, false]);
  assertEquals(isQuick({ ...cost, isNested: true }, 0), false);
});
