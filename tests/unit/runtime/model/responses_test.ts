import { assertEquals, assertMatch } from "@std/assert";

import { ReplyAssembler } from "../../../../runtime/model/assemble_reply.ts";
import { openModel, type OpenModelOptions } from "../../../../runtime/model/open_model.ts";
import { ResponseEvents } from "../../../../runtime/model/responses/response_events.ts";
import { toResponses, withoutItems } from "../../../../runtime/model/responses/to_responses.ts";
import type { ModelReply, ModelRequest } from "../../../../schemas/agent/model.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { ToolError } from "../../../../schemas/error.ts";
import {
  type OutputItem,
  responsesServer,
  type ResponsesTurn,
} from "../../../support/servers/responses_server.ts";

const THOUGHT = { type: "reasoning", id: "rs1", summary: [], encrypted_content: "gAAAA-enc" };
const PLAIN = { type: "reasoning", id: "rs2", summary: [] };
const CALL = { type: "function_call", id: "f1", call_id: "c1", name: "Read", arguments: '{"path":"a"}' };
const say = (text: string): OutputItem => ({
  type: "message",
  id: "m1",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});
const REQUEST: ModelRequest = {
  purpose: "turn",
  messages: [
    { role: "system", content: "Be brief" },
    { role: "user", kind: "task", content: [{ type: "text", text: "Hello" }] },
  ],
  tools: [{ name: "Read", description: "Reads a file", parameters: { type: "object" } }],
};
const READ_TOOL = { type: "function", strict: false, name: "Read", parameters: { type: "object" } };
const BY_RESPONSES = { quirks: { responses: true } };

/** Asks a server of the Responses API with each request, one after the other. */
async function ask(
  turns: readonly ResponsesTurn[],
  options: Partial<OpenModelOptions> = BY_RESPONSES,
  asked: readonly ModelRequest[] = [REQUEST],
) {
  await using server = responsesServer(turns);
  const basic = { name: "deep", baseUrl: server.url, apiKey: "", requestTimeoutMs: 20_000 };
  await using model = await openModel({ ...basic, ...options });
  const texts: string[] = [];
  const call = { signal: new AbortController().signal, onText: (text: string) => void texts.push(text) };
  const replies: (ModelReply | null)[] = [];
  const errors: (ToolError | null)[] = [];
  for (const request of asked) {
    const error = await refusalOf(async () => replies.push(await model.complete(request, call)));
    errors.push(error);
    if (error !== null) replies.push(null);
  }
  return { replies, errors, texts, requests: server.requests };
}

Deno.test("complete() asks by the Responses API once a server says that the model is only there", async () => {
  const { replies, texts, requests } = await ask(
    // What is not encrypted cannot be sent back.
    [{ output: [{ ...THOUGHT, status: null }, say("Hello there"), PLAIN, CALL] }, { output: [say("Bye")] }],
    {},
    [REQUEST, REQUEST],
  );
  const [first, second] = replies;
  assertEquals(requests.map(({ path }) => path), ["/v1/chat/completions", "/v1/responses", "/v1/responses"]);
  assertEquals(texts.slice(0, 3), ["Hell", "o th", "ere"]);
  assertEquals(first, {
    content: "Hello there",
    tool_calls: [{ id: "c1", name: "Read", arguments: '{"path":"a"}' }],
    finish: "tool_calls",
    usage: { input_tokens: 10, cached_tokens: 4, output_tokens: 5 },
    extra: { response_items: [THOUGHT, { type: "message" }, { type: "function_call" }] },
  });
  assertEquals([second?.content, second?.finish], ["Bye", "stop"]);
  const { input: _, ...body } = requests[1]?.body ?? {};
  assertEquals(body, {
    model: "deep",
    instructions: "Be brief",
    tools: [{ ...READ_TOOL, description: "Reads a file" }],
    store: false,
    include: ["reasoning.encrypted_content"],
    stream: true,
  });
});

Deno.test("complete() sends reasoning and calls back with their results", async () => {
  const messages = [
    ...REQUEST.messages,
    {
      role: "assistant" as const,
      content: "",
      tool_calls: [{ id: "c1", name: "Read", arguments: '{"path":"a"}' }],
      extra: { response_items: [THOUGHT, { type: "function_call" }] },
    },
    { role: "tool" as const, tool_call_id: "c1", content: "hello" },
  ];
  const request = { ...REQUEST, messages, maxOutputTokens: 50 };
  const { replies, requests } = await ask([{ output: [say("It says hello")] }], BY_RESPONSES, [request]);
  assertEquals(replies[0]?.content, "It says hello");
  assertEquals(requests[0]?.body.max_output_tokens, 50);
  assertEquals(requests[0]?.body.input.slice(1), [
    THOUGHT,
    { type: "function_call", call_id: "c1", name: "Read", arguments: '{"path":"a"}' },
    { type: "function_call_output", call_id: "c1", output: "hello" },
  ]);
  // Another model cannot read the reasoning of this one.
  const foreign = { status: 400, message: "The encrypted content gAAA could not be verified." };
  const other = await ask([{ refusal: foreign }, { output: [say("Hi")] }], BY_RESPONSES, [request]);
  assertEquals(other.replies[0]?.content, "Hi");
  const { include, input } = other.requests[1]?.body ?? {};
  assertEquals([include, input[1].type], [undefined, "function_call"]);
});

Deno.test("complete() tells how a response ended, failed or broke off", async () => {
  const half = { status: "incomplete" as const, output: [say("Half")] };
  const refusal = { type: "message", content: [{ type: "refusal", refusal: "I will not" }] };
  const ends: readonly (readonly [ResponsesTurn, finish: string, content: string])[] = [
    [{ ...half, reason: "max_output_tokens" }, "length", "Half"],
    [{ ...half, reason: "content_filter" }, "content_filter", "Half"],
    [{ output: [refusal] }, "stop", "I will not"],
  ];
  const failed = (code: string, message: string) => ({ status: "failed" as const, error: { code, message } });
  const failures: readonly (readonly [ResponsesTurn, string, boolean])[] = [
    [failed("server_error", "Oops"), "external_failure", true],
    [failed("rate_limit_exceeded", "Slow"), "rate_limited", true],
    [failed("context_length_exceeded", "Long"), "limit_exceeded", false],
    [{ output: [say("Half")], cut: true }, "external_failure", true],
    [{ refusal: { status: 401, message: "No" } }, "unauthenticated", false],
    [{ refusal: { status: 429, message: "Slow" } }, "rate_limited", true],
    [{ refusal: { status: 404, message: "The model `deep` does not exist" } }, "configuration", false],
  ];
  const turns = [...ends, ...failures].map(([turn]) => turn);
  const { replies, errors } = await ask(turns, BY_RESPONSES, turns.map(() => REQUEST));
  const ended = replies.slice(0, ends.length).map((reply) => [reply?.finish, reply?.content]);
  assertEquals(ended, ends.map(([, ...end]) => end));
  const told = errors.slice(ends.length).map((error) => [error?.code, error?.retryable]);
  assertEquals<unknown>(told, failures.map(([, ...failure]) => failure));
  assertMatch(errors[ends.length]?.message ?? "", /: Oops$/);
});

Deno.test("complete() takes a whole response where a stream is refused", async () => {
  const refusal = { status: 400, message: "Your organization must be verified to stream this model." };
  const { replies, requests } = await ask([{ refusal }, { output: [THOUGHT, say("Whole"), CALL] }]);
  assertEquals([replies[0]?.content, replies[0]?.tool_calls.length], ["Whole", 1]);
  assertEquals(requests.map(({ body }) => body.stream), [true, false]);
});

Deno.test("complete() demands a call and a form by the Responses API", async () => {
  const form = { name: "next_step", schema: { type: "object" } } as const;
  const { requests } = await ask([{ output: [say("{}")] }, { output: [CALL] }], BY_RESPONSES, [
    { ...REQUEST, tools: [], form },
    { ...REQUEST, mustCall: true },
  ]);
  const format = { type: "json_schema", name: "next_step", schema: { type: "object" }, strict: false };
  const sent = requests.map(({ body }) => [body.text, body.tool_choice]);
  assertEquals(sent, [[{ format }, undefined], [undefined, "required"]]);
});

const CHAT_CALL = { id: "c1", type: "function", function: { name: "Read", arguments: "{}" } };

Deno.test("toResponses() names every field as the other API does", () => {
  const PNG = "data:image/png;base64,AA";
  const image = { type: "input_image", detail: "auto" };
  const made = toResponses({
    model: "m",
    messages: [
      { role: "system", content: "Be brief" },
      { role: "system", content: "Be kind" },
      {
        role: "user",
        content: [{ type: "text", text: "Look" }, { type: "image_url", image_url: { url: PNG } }],
      },
      { role: "assistant", content: null, tool_calls: [CHAT_CALL] },
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
      { role: "user", content: [{ type: "input_text", text: "Look" }, { ...image, image_url: PNG }] },
      { type: "function_call", call_id: "c1", name: "Read", arguments: "{}" },
      { type: "function_call_output", call_id: "c1", output: "hello" },
      { role: "user", content: "Well?" },
    ],
    tools: [{ ...READ_TOOL, description: "Reads" }],
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
      messages: [{ role: "assistant", content: "I look.", tool_calls: [CHAT_CALL], response_items, ...more }],
    }, { reasoning }).input;
  const said = { role: "assistant", content: "I look.", phase: "commentary" };
  const called = { type: "function_call", call_id: "c1", name: "Read", arguments: "{}" };
  const second = { ...THOUGHT, id: "rs2" };
  assertEquals(inputOf([THOUGHT, message, second, call], {}), [THOUGHT, said, second, called]);
  assertEquals(inputOf([THOUGHT, call, message], {}), [THOUGHT, called, said]);
  // A call that was cut off is not sent back, so neither is its reasoning.
  assertEquals(inputOf([message, THOUGHT, call], { tool_calls: [] }), [said]);
  assertEquals(inputOf([THOUGHT, message, call], {}, false), [said, called]);
  const plain = { role: "assistant", content: "I look." };
  assertEquals(inputOf([], {}), [plain, called]);
});

const message = (text: string) => ({ type: "message", id: "m1", content: [{ type: "output_text", text }] });

/** What the events say, as a reply. */
function read(events: readonly unknown[]) {
  const [reader, reply] = [new ResponseEvents(), new ReplyAssembler()];
  const texts = events.map((event) => reply.add(reader.toChunk(event))).filter((text) => text !== "");
  return { reply: reply.reply(), texts, finished: reply.finished, failure: reply.failure };
}

Deno.test("ResponseEvents tell a text once, whether it comes in pieces, as a part, or at the end", () => {
  const end = { type: "response.completed", response: { status: "completed", output: [message("Hello")] } };
  const pieces = [
    { type: "response.output_text.delta", output_index: 0, delta: "Hel" },
    { type: "response.output_text.delta", output_index: 0, delta: "lo" },
  ];
  const done = { type: "response.output_item.done", output_index: 0, item: message("Hello") };
  for (const events of [[...pieces, done, end], [...pieces, end], [done, end], [end], [end.response]]) {
    const whole = events[0] === end.response ? [{ object: "response", ...end.response }] : events;
    const { reply, texts, finished } = read(whole);
    assertEquals([reply.content, texts.join(""), finished], ["Hello", "Hello", true]);
  }
  assertEquals(read([{ type: "response.created" }, null, { type: "x" }]).finished, false);
});
