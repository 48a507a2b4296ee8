import { assertEquals } from "@std/assert";

import { parseBatch } from "../../../../../runtime/calls/batch/batch_calls.ts";
import { catalogOf, entryOf } from "../../../../support/manifest_entry.ts";

const catalog = catalogOf(
  entryOf("harness/Read", { parallel: true }),
  entryOf("harness/Edit", { parallel: false }),
);

async function* lines(...all: string[]): AsyncGenerator<string> {
  yield* all;
}

Deno.test(
  "parseBatch() understands a line a call and passes empty lines over",
  { permissions: "none" },
  async () => {
    const calls = await Array.fromAsync(parseBatch(
      lines(
        '{"id":"a","tool":"Read","arguments":{"path":"x"}}',
        "  ",
        '{"tool":"harness/Edit"}',
        '{"id":7,"tool":"Read"}',
      ),
      catalog,
    ));
    const seen = calls.map(({ id, toolName, input, parallel }) => ({ id, toolName, input, parallel }));
    assertEquals(seen, [
      { id: "a", toolName: "harness/Read", input: { path: "x" }, parallel: true },
      { id: 3, toolName: "harness/Edit", input: {}, parallel: false },
      { id: 7, toolName: "harness/Read", input: {}, parallel: true },
    ]);
  },
);

Deno.test("parseBatch() makes a bad line that call's error", { permissions: "none" }, async () => {
  const bad = [
    "not json",
    "[]",
    "null",
    '{"arguments":{}}',
    '{"tool":5}',
    '{"tool":"Reed"}',
    '{"tool":"Read","argument":{}}',
    '{"tool":"Read","id":{}}',
    '{"tool":"Read","id":1e999}',
  ];
  const calls = await Array.fromAsync(parseBatch(lines(...bad, '{"tool":"Read"}'), catalog));
  assertEquals(calls.map(({ error }) => error?.code), [...bad.map(() => "invalid_input"), undefined]);
  assertEquals(calls.map(({ id }) => id), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  const named = ['{"id":"a"}', '{"id":"a","tool":"Reed"}', '{"id":"a","tool":"Read","args":{}}'];
  const errors = await Array.fromAsync(parseBatch(lines(...named), catalog));
  assertEquals(errors.map(({ id, error }) => [id, error?.code]), named.map(() => ["a", "invalid_input"]));
});
