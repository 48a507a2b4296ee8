import { assertEquals, assertThrows } from "@std/assert";

import { compilePattern } from "../../../../../runtime/calls/json_schema/bounded_pattern.ts";

Deno.test("compilePattern() matches as V8 does, long texts too", () => {
  const text = "ab".repeat(5_000);
  for (
    const source of [
      "^(?:ab)*$",
      "(ba)+b$",
      "^(a|b)+$",

      "\\bab",
      "(?<=a)b$",
      "^.{10000}$",
      "x",
    ]
  ) {
    assertEquals(compilePattern(source).test(text), new RegExp(source, "u").test(text), source);
  }
});

Deno.test("compilePattern() ends where V8 would not", () => {
  assertEquals(compilePattern("^(?:[ab]*)*c").test("ab".repeat(5_000)), false);
});

Deno.test("compilePattern() refuses what it could not end", () => {
  for (const source of ["^(a+)+\\1$", "^(?:a{1,300}){1,300}$"]) {
    assertThrows(() => compilePattern(source), SyntaxError, "could take any time");
  }
  const backwards = compilePattern("(a*)b*\\1$");
  assertEquals(backwards.test("aba"), true);
  assertThrows(() => backwards.test("a".repeat(10_000)), Error, "for a text of 10000 characters");
});

Deno.test("compilePattern() shows the pattern as it was written", () => {
  assertEquals(String(compilePattern("^\\@a")), "/^\\@a/");
});
