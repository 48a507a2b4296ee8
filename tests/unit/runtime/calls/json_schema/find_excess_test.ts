import { assertEquals } from "@std/assert";

import { findExcess } from "../../../../../runtime/calls/json_schema/find_excess.ts";

const BOUNDS = { depth: 3, values: 10, characters: 20 };

Deno.test("findExcess() finds where a value is too much", () => {
  const cases: readonly (readonly [unknown, string | null])[] = [
    [{ a: [1, "b", null, true] }, null],
    [{ a: { "b/c": { d: { e: 1 } } } }, "#/a/b~1c/d: the values lie more than 3 deep"],
    [Array.from({ length: 11 }, () => 1), "#: there are more than 10 values"],
    [{ a: "x".repeat(20) }, "#: the texts are longer than 20 characters"],
    [{ a: () => 1 }, "#/a: function is no JSON"],
    [{ a: 1n }, "#/a: bigint is no JSON"],
  ];
  for (const [value, wanted] of cases) {
    const found = findExcess(value, BOUNDS);
    assertEquals(found && `${found.pointer}: ${found.message}`, wanted);
  }
});

Deno.test("findExcess() shows the end of a long way", () => {
  let value: unknown = 1n;
  for (let at = 0; at < 100_000; at++) value = { a: value };
  const found = findExcess(value, { ...BOUNDS, depth: 1_000_000, values: 1_000_000, characters: 1_000_000 });
  assertEquals(found?.pointer, `#…${"/a".repeat(20)}`);
});
