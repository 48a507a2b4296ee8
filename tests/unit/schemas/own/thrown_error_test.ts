import { assertEquals, assertStringIncludes } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { sayThrown, thrownError } from "../../../../schemas/own/thrown_error.ts";

Deno.test("sayThrown() says what was thrown, whatever it is", { permissions: "none" }, () => {
  const hidden = {
    get message() {
      throw new Error("hidden");
    },
  };
  const cases: [unknown, string][] = [
    [new TypeError("wrong"), "TypeError: wrong"],
    ["why", "why"],
    [undefined, "undefined"],
    [Symbol("x"), "Symbol(x)"],
    [{ code: 7, why: "late" }, '{"code":7,"why":"late"}'],
    [{ message: "late" }, "late"],
    [{ name: "Late", message: "late" }, "Late: late"],
    [["a"], '["a"]'],
    [hidden, "something that cannot be shown"],
    [{ n: 1n }, "something that cannot be shown"],
  ];
  for (const [thrown, said] of cases) assertEquals(sayThrown(thrown), said);
  assertEquals(sayThrown("x".repeat(1_000_000)).length, 10_000);
});

Deno.test(
  "thrownError() keeps errors of the closed list, and mends the others",
  { permissions: "none" },
  () => {
    const right = new ToolError("not_found", "no shop", { details: { at: 1 } });
    assertEquals(thrownError(right), right);
    assertEquals(thrownError({ why: 1 }).toInfo(), {
      code: "internal",
      message: 'Tool execution error: {"why":1}',
      retryable: false,
      details: {},
    });
    const unknown = thrownError(new ToolError("weird" as never, "no shop"));
    assertEquals(unknown.code, "internal");
    assertStringIncludes(unknown.message, 'the code "weird", and the codes are not_found, conflict');
    assertStringIncludes(unknown.message, "no shop");
    const odd = thrownError(new ToolError("conflict", "in use", { details: { n: 1n } }));
    assertEquals([odd.code, odd.message, odd.details], ["conflict", "in use", {}]);
    const long = thrownError(new ToolError("conflict", "x".repeat(1_000_000)));
    assertEquals([long.code, long.message.length], ["conflict", 10_000]);
  },
);
