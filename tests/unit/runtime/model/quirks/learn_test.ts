import { assertEquals } from "@std/assert";

import { learn, type Quirks } from "../../../../../runtime/model/quirks/learn.ts";

/** Refusals of servers that take no forced call, or no schema. */
const REFUSALS: readonly (readonly [status: number, said: string, learned: Quirks])[] = [
  [400, "deepseek-reasoner does not support this tool_choice", { noChoice: true }],
  [404, "No endpoints found that support the provided 'tool_choice' value.", { noChoice: true }],
  [400, "Thinking may not be enabled when tool_choice forces tool use.", { noChoice: true }],
  [400, "This response_format type is unavailable now", { noForm: true }],
  [422, "json_schema is not supported by this model", { noForm: true }],
  [500, "failed to parse grammar", { noForm: true }],
];

Deno.test("learn() knows servers that take no forced call and no schema", () => {
  const sent = { messages: [], tools: [], tool_choice: "required", response_format: {} };
  for (const [status, said, learned] of REFUSALS) {
    const quirks: Quirks = {};
    const body = JSON.stringify({ error: { message: said } });
    assertEquals(learn(quirks, { status, body, sent, lessons: new Set() }), true, said);
    assertEquals(quirks, learned, said);
  }
});

Deno.test("learn() takes a refusal of what was not sent for something else", () => {
  const quirks: Quirks = {};
  const body = JSON.stringify({ error: { message: "tool_choice and response_format are odd" } });
  assertEquals(learn(quirks, { status: 400, body, sent: { messages: [] }, lessons: new Set() }), false);
  assertEquals(quirks, {});
});
