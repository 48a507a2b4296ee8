import { assertEquals, assertThrows } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { plainResult, requireText } from "../../../../schemas/own/plain_result.ts";

function failure(work: () => unknown): string {
  const { code, message } = assertThrows(work, ToolError);
  return `${code} ${message}`;
}

Deno.test("plainResult() gives JSON, and says why something is none", { permissions: "none" }, () => {
  assertEquals(plainResult({ a: new Date(0), b: undefined }, "own/x"), { a: "1970-01-01T00:00:00.000Z" });
  assertEquals(plainResult(undefined, "own/x"), null);
  const ring: unknown[] = [];
  ring.push(ring);
  assertEquals(
    failure(() => plainResult(ring, "own/x")),
    "output_invalid own/x gave a result that JSON cannot hold: TypeError: Converting circular structure to JSON",
  );
  let deep: unknown = 1;
  for (let at = 0; at < 600; at++) deep = [deep];
  assertEquals(
    failure(() => plainResult(deep, "own/x")),
    "output_invalid own/x gave a result that is nested too deeply",
  );
  assertEquals(
    failure(() => plainResult("x".repeat(40_000_000), "own/x")),
    "limit_exceeded own/x gave a result of 40000002 characters: at most 33554432 are taken, write it to a file",
  );
});

Deno.test("requireText() takes texts alone", { permissions: "none" }, () => {
  assertEquals(requireText("a"), "a");
  assertEquals(failure(() => requireText(5)), "output_invalid text returned a number: it must return a text");
  assertEquals(failure(() => requireText([])), "output_invalid text returned a list: it must return a text");
});
