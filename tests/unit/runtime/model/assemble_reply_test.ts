import { assertEquals } from "@std/assert";

import { ReplyAssembler } from "../../../../runtime/model/assemble_reply.ts";
import type { ToolCall } from "../../../../schemas/agent/chat.ts";

function assemble(deltas: readonly unknown[], last: Record<string, unknown> = {}) {
  const reply = new ReplyAssembler();
  for (const delta of deltas) reply.add({ choices: [{ index: 0, delta }] });
  reply.add({ choices: [{ index: 0, delta: {}, ...last }] });
  return reply.reply();
}

const piece = (more: Record<string, unknown>, name?: string, text?: unknown) => ({
  tool_calls: [{ ...more, function: { ...(name !== undefined && { name }), arguments: text } }],
});
const call = (id: string, name: string, text: string): ToolCall => ({ id, name, arguments: text });

Deno.test("ReplyAssembler puts calls together, however a server cuts them up", () => {
  const two = [call("a", "Read", '{"p":1}'), call("b", "Grep", '{"q":2}')];
  const cases: [string, unknown[], ToolCall[]][] = [
    ["by index", [
      piece({ index: 0, id: "a" }, "Read", ""),
      piece({ index: 1, id: "b" }, "Grep", ""),
      piece({ index: 0 }, undefined, '{"p"'),
      piece({ index: 1 }, undefined, '{"q":2}'),
      piece({ index: 0 }, undefined, ":1}"),
    ], two],
    ["without index", [
      piece({ id: "a" }, "Read", '{"p"'),
      piece({}, undefined, ":1}"),
      piece({ id: "b" }, "Grep", '{"q":2}'),
    ], two],
    ["whole calls under one index", [
      piece({ index: 0, id: "a" }, "Read", '{"p":1}'),
      piece({ index: 0, id: "b" }, "Grep", '{"q":2}'),
    ], two],
    ["id and name in every piece", [
      piece({ index: 0, id: "a" }, "Read", '{"p"'),
      piece({ index: 0, id: "a" }, "Read", ":1}"),
      piece({ index: 1, id: "b" }, "Grep", '{"q":2}'),
      piece({ index: 1, id: "b" }, "Grep", ""),
    ], two],
    ["arguments as an object", [
      piece({ index: 0, id: "a" }, "Read", { p: 1 }),
      piece({ index: 1, id: "b" }, "Grep", { q: 2 }),
    ], two],
    ["whole calls without index and id", [
      piece({}, "Read", '{"p":1}'),
      piece({}, "Grep", '{"q":2}'),
    ], [call("", "Read", '{"p":1}'), call("", "Grep", '{"q":2}')]],
    ["whole calls that share their id", [
      piece({ id: "a" }, "Read", '{"p":1}'),
      piece({ id: "a" }, "Grep", '{"q":2}'),
    ], [call("a", "Read", '{"p":1}'), call("a", "Grep", '{"q":2}')]],
    ["a name in pieces", [
      piece({ index: 0, id: "a" }, "Re", ""),
      piece({ index: 0 }, "ad", ""),
      piece({ index: 0 }, undefined, '{"p":1}'),
    ], two.slice(0, 1)],
    ["no arguments", [piece({ index: 0, id: "a" }, "Read", null)], [call("a", "Read", "")]],
    ["broken arguments", [piece({ index: 0, id: "a" }, "Read", '{"p":')], [call("a", "Read", '{"p":')]],
    ["nothing", [{ tool_calls: [{ index: 0 }, null] }, { tool_calls: "x" }], []],
  ];
  for (const [name, deltas, expected] of cases) assertEquals(assemble(deltas).tool_calls, expected, name);
});

Deno.test("ReplyAssembler says how a reply ended", () => {
  const cases: [unknown, string][] = [
    ["stop", "stop"],
    ["tool_calls", "tool_calls"],
    ["function_call", "tool_calls"],
    ["length", "length"],
    ["content_filter", "content_filter"],
    ["because", "other"],
    [null, "stop"],
  ];
  for (const [finish_reason, finish] of cases) assertEquals(assemble([], { finish_reason }).finish, finish);
  assertEquals(assemble([piece({ index: 0 }, "Read", "{}")], { finish_reason: "stop" }).finish, "tool_calls");
});

Deno.test("ReplyAssembler keeps the fields that it does not know", () => {
  const reply = assemble([
    { role: "assistant", reasoning_content: "Let me ", refusal: null, audio: null },
    { reasoning_content: "think", reasoning_details: [{ n: 1 }] },
    { reasoning_details: [{ n: 2 }], content: "Yes" },
    piece({ index: 0, id: "a", extra_content: { signature: "s" } }, "Read", "{}"),
  ]);
  assertEquals(reply.content, "Yes");
  assertEquals(reply.extra, {
    reasoning_content: "Let me think",
    reasoning_details: [{ n: 1 }, { n: 2 }],
    tool_calls: [{ extra_content: { signature: "s" } }],
  });
});

Deno.test("ReplyAssembler takes content in parts, a refusal as the answer, and usage from any chunk", () => {
  const parts = [{ type: "thinking", thinking: [] }, { type: "text", text: "A" }, {
    type: "text",
    text: "B",
  }];
  assertEquals(assemble([{ content: parts }]).content, "AB");
  assertEquals(assemble([{ refusal: "I will " }, { refusal: "not" }]).content, "I will not");
  const reply = new ReplyAssembler();
  reply.add({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 2, prompt_cache_hit_tokens: 3 } });
  reply.add({ choices: [], usage: { prompt_tokens: "many" } });
  for (const chunk of [null, 1, {}, { choices: {} }, { choices: [null] }, { choices: [{ index: 1 }] }]) {
    assertEquals(reply.add(chunk), "");
  }
  assertEquals(reply.reply().usage, { input_tokens: 4, cached_tokens: 3, output_tokens: 2 });
  reply.add({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 2, cost: 0.0012 } });
  assertEquals(reply.reply().usage, { input_tokens: 4, cached_tokens: 0, output_tokens: 2, cost: 0.0012 });
});
