import { assertEquals, assertMatch } from "@std/assert";

import { openModel, type OpenModelOptions } from "../../../../runtime/model/open_model.ts";
import type { ModelRequest } from "../../../../schemas/agent/model.ts";
import { ToolError } from "../../../../schemas/error.ts";
import {
  type OutputItem,
  responsesServer,
  type ResponsesTurn,
} from "../../../support/servers/responses_server.ts";

const THOUGHT = { type: "reasoning", id: "rs1", summary: [], encrypted_content: "gAAAA-enc" };
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
const BY_RESPONSES = { quirks: { responses: true } };

/** Asks a server of the Responses API once, or goes on with its reply as often as there are more requests. */
async function ask(
  turns: readonly ResponsesTurn[],
  options: Partial<OpenModelOptions> = BY_RESPONSES,
  requests: readonly ModelRequest[] = [REQUEST],
) {
  await using server = responsesServer(turns);
  const basic = { name: "deep", baseUrl: server.url, apiKey: "", requestTimeoutMs: 20_000 };
  await using model = await openModel({ ...basic, ...options });
  const texts: string[] = [];
  const asked = { signal: new AbortController().signal, onText: (text: string) => void texts.push(text) };
  try {
    const replies = [];
    for (const request of requests) replies.push(await model.complete(request, asked));
    return { replies, error: null, texts, requests: server.requests };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { replies: [], error, texts, requests: server.requests };
  }
}

Deno.test("complete() asks by the Responses API once a server says that the model is only there", async () => {
  const { replies, texts, requests } = await ask(
    [{ output: [THOUGHT, say("Hello there"), CALL] }, { output: [say("Bye")] }],
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
    tools: [{
      type: "function",
      strict: false,
      name: "Read",
      description: "Reads a file",
      parameters: { type: "object" },
    }],
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
  const finishOf = async (turn: ResponsesTurn) => {
    const { replies: [reply] } = await ask([turn]);
    return [reply?.finish, reply?.content];
  };
  const half = { status: "incomplete" as const, output: [say("Half")] };
  assertEquals(await finishOf({ ...half, reason: "max_output_tokens" }), ["length", "Half"]);
  assertEquals(await finishOf({ ...half, reason: "content_filter" }), ["content_filter", "Half"]);
  const refusal = { type: "message", content: [{ type: "refusal", refusal: "I will not" }] };
  assertEquals(await finishOf({ output: [refusal] }), ["stop", "I will not"]);
  const failures: readonly (readonly [ResponsesTurn, string, boolean])[] = [
    [{ status: "failed", error: { code: "server_error", message: "Oops" } }, "external_failure", true],
    [{ status: "failed", error: { code: "rate_limit_exceeded", message: "Slow" } }, "rate_limited", true],
    [
      { status: "failed", error: { code: "context_length_exceeded", message: "Long" } },
      "limit_exceeded",
      false,
    ],
    [{ output: [say("Half")], cut: true }, "external_failure", true],
    [{ refusal: { status: 401, message: "No" } }, "unauthenticated", false],
    [{ refusal: { status: 429, message: "Slow" } }, "rate_limited", true],
    [{ refusal: { status: 404, message: "The model `deep` does not exist" } }, "configuration", false],
  ];
  for (const [turn, code, retryable] of failures) {
    const { error } = await ask([turn]);
    assertEquals([error?.code, error?.retryable], [code, retryable], JSON.stringify(turn));
  }
  const { error } = await ask([{ status: "failed", error: { code: "server_error", message: "Oops" } }]);
  assertMatch(error?.message ?? "", /: Oops$/);
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
  assertEquals(requests.map(({ body }) => [body.text, body.tool_choice]), [
    [
      { format: { type: "json_schema", name: "next_step", schema: { type: "object" }, strict: false } },
      undefined,
    ],
    [undefined, "required"],
  ]);
});
