import { assertEquals } from "@std/assert";

import { toResponses, withoutItems } from "../../../../../runtime/model/responses/to_responses.ts";

const CALL = { id: "c1", type: "function", function: { name: "Read", arguments: "{}" } };
const THOUGHT = { type: "reasoning", id: "rs1", summary: [], encrypted_content: "enc" };

Deno.test("toResponses() names every field as the other API does", () => {
  const made = toResponses({
    model: "m",
    messages: [
      { role: "system", content: "Be brief" },
      { role: "system", content: "Be kind" },
      {
        role: "user",
        content: [{ type: "text", text: "Look" }, {
          type: "image_url",
          image_url: { url: "data:image/png;base64,AA" },
        }],
      },
      { role: "assistant", content: null, tool_calls: [CALL] },
      { role: "tool", tool_call_id: "c1", content: "hello" },
      { role: "user", content: "Well?" },
    ],
    tools: [{
      type: "function",
      function: { name: "Read", description: "Reads", parameters: { type: "object" } },
    }],
    max_completion_tokens: 100,
    stream: true,
    stream_options: { include_usage: true },
    reasoning_effort: "low",
    response_format: { type: "json_schema", json_schema: { name: "a", schema: {} } },
    top_p: 0.5,
  }, { reasoning: true });
  assertEquals(made, {
    model: "m",
    instructions: "Be brief\n\nBe kind",
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "Look" },
          { type: "input_image", image_url: "data:image/png;base64,AA", detail: "auto" },
        ],
      },
      { type: "function_call", call_id: "c1", name: "Read", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "hello" },
      { role: "user", content: "Well?" },
    ],
    tools: [{
      type: "function",
      strict: false,
      name: "Read",
      description: "Reads",
      parameters: { type: "object" },
    }],
    max_output_tokens: 100,
    reasoning: { effort: "low" },
    text: { format: { type: "json_schema", name: "a", schema: {} } },
    store: false,
    include: ["reasoning.encrypted_content"],
    stream: true,
    top_p: 0.5,
  });
});

Deno.test("withoutItems() leaves out what chat completions do not know", () => {
  const plain = { role: "user", content: "Hi" };
  const kept = { role: "assistant", content: "Hi", response_items: [THOUGHT] };
  assertEquals(withoutItems<object>([plain, kept]), [plain, { role: "assistant", content: "Hi" }]);
});

Deno.test("toResponses() sends reasoning back before what it led to, and never alone", () => {
  const message = { type: "message", phase: "commentary" };
  const call = { type: "function_call" };
  const inputOf = (response_items: unknown[], more: Record<string, unknown>, reasoning = true) =>
    toResponses({
      messages: [{ role: "assistant", content: "I look.", tool_calls: [CALL], response_items, ...more }],
    }, { reasoning }).input;
  const said = { role: "assistant", content: "I look.", phase: "commentary" };
  const called = { type: "function_call", call_id: "c1", name: "Read", arguments: "{}" };
  assertEquals(inputOf([THOUGHT, message, { ...THOUGHT, id: "rs2" }, call], {}), [
    THOUGHT,
    said,
    { ...THOUGHT, id: "rs2" },
    called,
  ]);
  assertEquals(inputOf([THOUGHT, call, message], {}), [THOUGHT, called, said]);
  // A call that was cut off is not sent back, so neither is its reasoning.
  assertEquals(inputOf([message, THOUGHT, call], { tool_calls: [] }), [said]);
  assertEquals(inputOf([THOUGHT, message, call], {}, false), [said, called]);
  const plain = { role: "assistant", content: "I look." };
  assertEquals(inputOf([], {}), [plain, called]);
});
