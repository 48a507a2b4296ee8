import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { plainTree } from "../../../../../../runtime/agent/definitions/upstream/plain_tree.ts";

function refusal(value: unknown): string {
  return assertThrowsMessage(() => plainTree(value, "the file"));
}

function assertThrowsMessage(run: () => unknown): string {
  let message = "";
  assertThrows(() => {
    try {
      run();
    } catch (error) {
      message = error instanceof Error ? error.message : "";
      throw error;
    }
  }, ToolError);
  return message;
}

Deno.test("plainTree() fills in what a mapping takes from others; its own fields count first", () => {
  const base = { model: "a", temperature: 0.1 };
  assertEquals(plainTree({ "<<": base, model: "b" }, "f"), { model: "b", temperature: 0.1 });
  assertEquals(plainTree({ "<<": [{ x: 1 }, { x: 2, y: 3 }] }, "f"), { x: 1, y: 3 });
  assertEquals(refusal({ "<<": 4 }), "Cannot use the file: << takes a mapping");
});

Deno.test("plainTree() counts each use of an alias, and ends at a value that holds itself", () => {
  let bomb: unknown = ["x"];
  for (let level = 0; level < 20; level++) bomb = Array(9).fill(bomb);
  assertEquals(refusal(bomb), "Cannot use the file: it has more than 20000 values, its aliases filled in");
  const loop: unknown[] = [];
  loop.push(loop);
  assertEquals(refusal(loop), "Cannot use the file: it has more than 32 levels");
});

Deno.test("plainTree() keeps names of prototypes as fields, and takes only what JSON has", () => {
  const value = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
  const tree = plainTree(value, "f") as Record<string, unknown>;
  assertEquals(Object.keys(tree), ["__proto__", "constructor"]);
  assertEquals(Object.getPrototypeOf(tree), Object.prototype);
  assertEquals(refusal({ day: new Date(0) }), "Cannot use the file: day is Date, which JSON has not");
  assertEquals(refusal({ a: [{ n: NaN }] }), "Cannot use the file: a.0.n is NaN, which JSON has not");
});
