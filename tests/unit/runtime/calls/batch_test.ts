import { assertEquals, assertThrows } from "@std/assert";

import { parseBatch } from "../../../../runtime/calls/batch/batch_calls.ts";
import { judgeResult, readExpectation } from "../../../../runtime/calls/batch/expect.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { catalogOf, entryOf } from "../../../support/manifest_entry.ts";
import { toolResult } from "../../../support/tool_result.ts";

const catalog = catalogOf(
  entryOf("harness/Read", { parallel: true }),
  entryOf("harness/Edit", { parallel: false }),
);

async function* lines(...all: string[]): AsyncGenerator<string> {
  yield* all;
}

Deno.test("parseBatch() understands a line a call and passes empty lines over", async () => {
  const read = '{"id":"a","tool":"Read","arguments":{"path":"x"}}';
  const all = lines(read, "  ", '{"tool":"harness/Edit"}', '{"id":7,"tool":"Read"}');
  const calls = await Array.fromAsync(parseBatch(all, catalog));
  const seen = calls.map(({ id, toolName, input, parallel }) => ({ id, toolName, input, parallel }));
  assertEquals(seen, [
    { id: "a", toolName: "harness/Read", input: { path: "x" }, parallel: true },
    { id: 3, toolName: "harness/Edit", input: {}, parallel: false },
    { id: 7, toolName: "harness/Read", input: {}, parallel: true },
  ]);
});

Deno.test("parseBatch() makes a bad line that call's error", { permissions: "none" }, async () => {
  const bad = [
    ...["not json", "[]", "null", '{"arguments":{}}', '{"tool":5}', '{"tool":"Reed"}'],
    ...['{"tool":"Read","argument":{}}', '{"tool":"Read","id":{}}', '{"tool":"Read","id":1e999}'],
  ];
  const calls = await Array.fromAsync(parseBatch(lines(...bad, '{"tool":"Read"}'), catalog));
  assertEquals(calls.map(({ error }) => error?.code), [...bad.map(() => "invalid_input"), undefined]);
  assertEquals(calls.map(({ id }) => id), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const named = ['{"id":"a"}', '{"id":"a","tool":"Reed"}', '{"id":"a","tool":"Read","args":{}}'];
  const errors = await Array.fromAsync(parseBatch(lines(...named), catalog));
  assertEquals(errors.map(({ id, error }) => [id, error?.code]), named.map(() => ["a", "invalid_input"]));
});

const refuse = (why: string) => new ToolError("invalid_input", why);

const FOUND = toolResult({
  result: { match_count: 3, results: [{ path: "a.ts" }], "odd.name": 1, nothing: null },
  text: "match_count: 3\na.ts:1: text",
});
const MISSING = toolResult({
  ok: false,
  text: "File not found",
  error: { code: "not_found", message: "File not found: x", retryable: false, details: {} },
});

const HAS = "it has match_count, results, odd.name, nothing";

async function judge(result: ToolResult, expect: unknown, check = false) {
  const expected = expect === null ? null : readExpectation(expect, refuse);
  const judged = await judgeResult(result, { expect: expected, check });
  return { met: judged.met, ok: judged.result.ok, error: judged.result.error };
}

Deno.test("judgeResult() compares fields, bounds, patterns and failures with what is expected", async () => {
  const met: [result: ToolResult, expect: unknown][] = [
    [FOUND, { match_count: 3 }],
    [FOUND, { match_count: { min: 3 } }],
    [FOUND, { match_count: { min: 1, max: 3 }, ok: true }],
    [FOUND, { "results.0.path": "a.ts", "results.length": 1, "result.match_count": 3 }],
    [FOUND, { results: [{ path: "a.ts" }], "odd.name": 1, nothing: null }],
    [FOUND, { matches: "^a\\.ts:\\d", text: "count: 3$" }],
    [toolResult({ result: 3400 }), { result: 3400 }],
    [MISSING, { ok: false }],
    [MISSING, { error: "not_found", matches: "found" }],
  ];
  for (const [result, expect] of met) {
    const { met, ok } = await judge(result, expect);
    assertEquals([met, ok], [true, result.ok], JSON.stringify(expect));
  }
});

Deno.test("judgeResult() says what was expected and what came", async () => {
  const unmet: [result: ToolResult, expect: unknown, message: string][] = [
    [FOUND, { match_count: 0 }, "expected match_count 0, got 3"],
    [FOUND, { match_count: "3" }, 'expected match_count "3", got 3'],
    [FOUND, { match_count: { min: 4 } }, "expected match_count of at least 4, got 3"],
    [FOUND, { match_count: { max: 2 } }, "expected match_count of at most 2, got 3"],
    [FOUND, { results: { min: 1 } }, 'expected results of at least 1, got [{"path":"a.ts"}]'],
    [FOUND, { count: 1 }, `expected count 1, but the result has no count: ${HAS}`],
    [FOUND, { toString: 1 }, `expected toString 1, but the result has no toString: ${HAS}`],
    [
      FOUND,
      { matches: "b\\d" },
      'expected a text that matches "b\\\\d", got "match_count: 3\\na.ts:1: text"',
    ],
    [FOUND, { error: "not_found" }, "expected not_found, but the call succeeded"],
    [FOUND, { ok: false }, "expected a failure, but the call succeeded"],
    [FOUND, { match_count: 1, "odd.name": 2 }, "expected match_count 1, got 3; expected odd.name 2, got 1"],
  ];
  for (const [result, expect, message] of unmet) {
    const { met, ok, error } = await judge(result, expect);
    assertEquals([met, ok, error?.code, error?.message], [false, false, "conflict", message]);
  }
  // A call that failed by itself keeps its error.
  for (const expect of [{ ok: true }, { match_count: 0 }, { error: "timeout" }]) {
    const { met, error } = await judge(MISSING, expect);
    assertEquals([met, error?.code, error?.message], [false, "not_found", "File not found: x"]);
  }
});

Deno.test("judgeResult() takes a failed program for a failure only with check, or if it is expected", async () => {
  const failed = toolResult({ result: { exit_code: 2, stdout: "" } });
  assertEquals((await judge(failed, null)).met, true);
  const { met, error } = await judge(failed, null, true);
  assertEquals([met, error?.code, error?.message], [false, "conflict", "the program ended with exit code 2"]);
  assertEquals((await judge(failed, { exit_code: 2 }, true)).met, true);
  assertEquals((await judge(failed, { stdout: "" }, true)).met, false);
  assertEquals((await judge(toolResult({ result: { success: false } }), null, true)).met, false);
  for (const fine of [{ exit_code: 0 }, { exit_code: null }, { success: true }, 3, null]) {
    assertEquals((await judge(toolResult({ result: fine }), null, true)).met, true);
  }
  assertEquals((await judge(MISSING, null, true)).error?.code, "not_found");
});

Deno.test("judgeResult() does not wait for a pattern that never ends", async () => {
  const result = toolResult({ text: `${"a".repeat(60)}!` });
  assertEquals((await judge(result, { matches: "^(a|a)*(?=b)$" })).met, false);
});

Deno.test("judgeResult() says which pattern it cannot try", async () => {
  const { error, met } = await judge(toolResult({ text: "aa" }), { matches: "^(a+)+\\1$" });
  assertEquals([met, error?.code], [false, "conflict"]);
  assertEquals(error?.message.includes("which could not be tried: "), true, error?.message);
});

Deno.test("readExpectation() refuses what cannot be expected", () => {
  const bad = [
    ...[{}, [], null, "text", 0, { ok: 1 }, { error: "unknown_code" }, { error: 3 }, { matches: 1 }],
    ...[{ matches: "(" }, { text: "[" }, { exit_code: { min: "1" } }, { exit_code: { min: 3, max: 1 } }],
    { ok: true, error: "not_found" },
  ];
  for (const expect of bad) assertThrows(() => readExpectation(expect, refuse), ToolError, "expect");
});
