import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { evaluateArithmetic } from "../../../../tools/engine/arithmetic.ts";

const VALUES: readonly (readonly [string, number])[] = [
  ["2 + 3 * 4", 14],
  ["(2+3)*4", 20],
  ["2*-3", -6],
  ["2--3", 5],
  ["-(2+3)", -5],
  ["+2", 2],
  ["8/4/2", 1],
  ["8-4-2", 2],
  ["2/4*2", 1],
  ["1e3", 1000],
  ["1.5E-2", 0.015],
  ["2e+2-1", 199],
  [".5 + 5.", 5.5],
  ["\t1\n+ 2 ", 3],
  ["10/3", 10 / 3],
  ["0.1+0.2", 0.1 + 0.2],
  [`${"-".repeat(10_001)}1`, -1],
  [`${"1+".repeat(20_000)}1`, 20_001],
];

Deno.test("evaluateArithmetic() computes with precedence, from the left", () => {
  for (const [expression, value] of VALUES) {
    assertEquals(evaluateArithmetic(expression), value, expression.slice(0, 40));
  }
});

Deno.test("evaluateArithmetic() never returns -0", () => {
  for (const expression of ["-0", "0*-1", "0/-5"]) {
    assertEquals(Object.is(evaluateArithmetic(expression), 0), true);
  }
});

const FAILURES: readonly (readonly [string, string])[] = [
  ["", 'Cannot evaluate "": it is empty at position 1'],
  ["  ", 'Cannot evaluate "  ": it is empty at position 3'],
  ["2+abc", 'Cannot evaluate "2+abc": unexpected "abc" at position 3'],
  ["1.2.3", 'Cannot evaluate "1.2.3": unexpected ".3" at position 4'],
  ["2*", 'Cannot evaluate "2*": a number or "(" is missing at position 3'],
  ["*2", 'Cannot evaluate "*2": unexpected "*" at position 1'],
  ["(1+2", 'Cannot evaluate "(1+2": ")" is missing at position 5'],
  ["1+2)", 'Cannot evaluate "1+2)": unexpected ")" at position 4'],
  ["()", 'Cannot evaluate "()": unexpected ")" at position 2'],
  [".", 'Cannot evaluate ".": unexpected "." at position 1'],
  ["1 / 0", 'Cannot evaluate "1 / 0": division by zero at position 3'],
  ["0/(1-1)", 'Cannot evaluate "0/(1-1)": division by zero at position 2'],
  ["1e999", 'Cannot evaluate "1e999": the result is too large for a number at position 1'],
  ["1e308*10", 'Cannot evaluate "1e308*10": the result is too large for a number at position 6'],
];

Deno.test("evaluateArithmetic() refuses everything else and names the position", () => {
  for (const [expression, message] of FAILURES) {
    const error = assertThrows(() => evaluateArithmetic(expression), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", message]);
  }
});

Deno.test("evaluateArithmetic() bounds the nesting of parentheses", () => {
  const nested = (depth: number) => "(".repeat(depth) + "1" + ")".repeat(depth);
  assertEquals(evaluateArithmetic(nested(100)), 1);
  const error = assertThrows(() => evaluateArithmetic(nested(50_000)), ToolError);
  assertEquals(error.code, "invalid_input");
});
