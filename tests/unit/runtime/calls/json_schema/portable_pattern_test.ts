import { assertEquals, assertThrows } from "@std/assert";

import { portablePattern } from "../../../../../runtime/calls/json_schema/portable_pattern.ts";

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
