import { assertEquals } from "@std/assert";

import { ReplyAssembler } from "../../../../runtime/model/assemble_reply.ts";
import { ThoughtSplitter } from "../../../../runtime/model/quirks/thought_splitter.ts";
import { toWireMessage } from "../../../../runtime/model/wire.ts";
import type { Message, Part, ToolCall } from "../../../../schemas/agent/chat.ts";

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
    ["the same call under two indexes", [
      piece({ index: 0, id: "a" }, "Read", '{"p":1}'),
      piece({ index: 1, id: "a" }, "Read", '{ "p": 1 }'),
      piece({ index: 2, id: "a" }, "Read", '{"p":2}'),
    ], [call("a", "Read", '{"p":1}'), call("a", "Read", '{"p":2}')]],
    ["the same call again in its place", [
      piece({ index: 0, id: "a" }, "Read", '{"p":1}'),
      piece({ index: 0 }, "Read", '{"p":1}'),
    ], [call("a", "Read", '{"p":1}')]],
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
  const text = (text: string) => ({ type: "text", text });
  const parts = [{ type: "thinking", thinking: [] }, text("A"), text("B")];
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

/** Splits pieces; `told` is what a person saw as it came, from the last time that all was taken back. */
function split(pieces: readonly string[], options: { holds?: boolean } = {}) {
  const splitter = new ThoughtSplitter(options);
  let told = "";
  let leaked = "";
  const take = (tell: () => string) => {
    const { leftOut } = splitter;
    const text = tell();
    if (splitter.leftOut && !leftOut) {
      leaked = told;
      told = "";
    }
    told += text;
  };
  for (const piece of pieces) take(() => splitter.add(piece));
  take(() => splitter.end());
  assertEquals(told, splitter.text);
  return { text: splitter.text, thought: splitter.thought, leaked };
}

const THOUGHTS: [reply: string, text: string, thought: string][] = [
  ["<think>\nI should say ok.\n</think>\n\nThe answer is ok.", "The answer is ok.", "\nI should say ok.\n"],
  ["\n <thinking>Hm</thinking>Yes", "Yes", "Hm"],
  ["<THINK>a</THINK>b", "b", "a"],
  ["[THINK]a[/THINK]b", "b", "a"],
  ["<think>a</think>\n<think>b</think>\nc", "c", "ab"],
  ["<think></think>\n\nok", "\n\nok", ""],
  ["<think>never closed", "", "never closed"],
  ["<think>a</think>", "", "a"],
  ["<think>a < b </thin k> c</think>d", "d", "a < b </thin k> c"],
  ["I think so.\n</think>\n\nYes", "Yes", "I think so.\n"],
  ["so</think>Yes", "Yes", "so"],
  ["The mark `</think>` ends a thought.", "The mark `</think>` ends a thought.", ""],
  ['It ends with "</think>".', 'It ends with "</think>".', ""],
  ["```xml\n<b>\n</think>\n```\nDone", "```xml\n<b>\n</think>\n```\nDone", ""],
  ["First <think>a</think> then b", "First <think>a</think> then b", ""],
  ["<thin", "<thin", ""],
  ["<b>bold</b>", "<b>bold</b>", ""],
  [" plain\n", " plain\n", ""],
  ["", "", ""],
];

Deno.test("ThoughtSplitter parts thoughts from the answer wherever a reply is cut, and tells none between marks", () => {
  for (const [reply, text, thought] of THOUGHTS) {
    for (let at = 0; at <= reply.length; at++) {
      for (let to = at; to <= reply.length; to += 3) {
        const parted = split([reply.slice(0, at), reply.slice(at, to), reply.slice(to)]);
        assertEquals([parted.text, parted.thought], [text, thought], `${reply} cut at ${at}, ${to}`);
      }
    }
    const parted = split([...reply]);
    assertEquals([parted.text, parted.thought], [text, thought], reply);
    if (/^\s*[<[]/.test(reply)) assertEquals(parted.leaked, "", reply);
  }
});

Deno.test("ThoughtSplitter tells nothing before the second mark if the first is known to be left out", () => {
  for (const [reply, text, thought] of THOUGHTS) {
    const parted = split([...reply], { holds: true });
    assertEquals([parted.text, parted.thought, parted.leaked], [text, thought, ""], reply);
  }
});

const picture: Part = { type: "image", path: "/w/a.png", mime_type: "image/png", bytes: 3 };
const user = (...content: Part[]): Message => ({ role: "user", kind: "task", content });
const calls = (name: string, text: string): Message => ({
  role: "assistant",
  content: "",
  tool_calls: [{ id: "a", name, arguments: text }],
});

Deno.test("toWireMessage() makes the provider's form of every message", () => {
  const cases: [Message, unknown][] = [
    [{ role: "system", content: "Be brief" }, { role: "system", content: "Be brief" }],
    [user({ type: "text", text: "A" }, { type: "text", text: "B" }), { role: "user", content: "A\n\nB" }],
    [user({ type: "text", text: "A\ud800" }), { role: "user", content: "A\ufffd" }],
    [user({ type: "text", text: "See" }, { ...picture, data: "QUJD" }), {
      role: "user",
      content: [
        { type: "text", text: "See" },
        { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } },
      ],
    }],
    [user(picture), { role: "user", content: "[Picture /w/a.png]" }],
    [{ role: "tool", tool_call_id: "a", content: "ok" }, { role: "tool", tool_call_id: "a", content: "ok" }],
    [{ role: "assistant", content: "Yes", tool_calls: [] }, { role: "assistant", content: "Yes" }],
  ];
  for (const [message, wire] of cases) assertEquals<unknown>(toWireMessage(message, { extra: "send" }), wire);
});

Deno.test("toWireMessage() mends calls that a provider would refuse", () => {
  const cases: [string, string, string, string][] = [
    ["Read", '{"p":1}', "Read", '{"p":1}'],
    ["Read", "", "Read", "{}"],
    ["Read", '{"p":', "Read", '{"invalid_arguments":"{\\"p\\":"}'],
    ["Read", "[1]", "Read", '{"invalid_arguments":"[1]"}'],
    ["my tool.x", "{}", "my_tool_x", "{}"],
    ["", "{}", "unknown", "{}"],
  ];
  for (const [name, text, wireName, wireText] of cases) {
    assertEquals<unknown>(toWireMessage(calls(name, text), { extra: "send" }), {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "a", type: "function", function: { name: wireName, arguments: wireText } }],
    });
  }
});

Deno.test("toWireMessage() gives back what the provider said besides, unless it does not want it", () => {
  const extra = { reasoning_content: "Hm", tool_calls: [{ extra_content: { signature: "s" } }] };
  const message = { ...calls("Read", "{}"), extra } as Message;
  const wired = { id: "a", type: "function", function: { name: "Read", arguments: "{}" } };
  const bare = { role: "assistant", content: null, tool_calls: [wired] };
  assertEquals<unknown>(toWireMessage(message, { extra: "send" }), {
    ...{ ...bare, reasoning_content: "Hm" },
    tool_calls: [{ extra_content: { signature: "s" }, ...wired }],
  });
  assertEquals<unknown>(toWireMessage(message, { extra: "drop" }), bare);
});
