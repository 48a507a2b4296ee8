import { assertEquals, assertMatch, assertRejects } from "@std/assert";

import { openModel, type OpenModelOptions } from "../../../../runtime/model/open_model.ts";
import type { Message } from "../../../../schemas/agent/chat.ts";
import { VERSION } from "../../../../runtime/self/version.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Model, ModelRequest } from "../../../../schemas/agent/model.ts";
import { eventsOf, scriptedModel, type ScriptedTurn } from "../../../support/scripted_model.ts";

const SECRET = "sk-scripted-0123456789abcdef";
const REQUEST: ModelRequest = {
  purpose: "turn",
  messages: [
    { role: "system", content: "Be brief" },
    { role: "user", kind: "task", content: [{ type: "text", text: "Hello" }] },
  ],
  tools: [{ name: "Read", description: "Reads a file", parameters: { type: "object" } }],
  maxOutputTokens: 100,
};
const never = new AbortController().signal;

function open(server: { url: string }, options: Partial<OpenModelOptions> = {}): Promise<Model> {
  const usual = { name: "scripted", baseUrl: server.url, apiKey: SECRET, requestTimeoutMs: 20_000 };
  return openModel({ ...usual, ...options });
}

/** Asks a server with one turn, or with several, as often as that takes. */
async function askOnce(turns: ScriptedTurn | ScriptedTurn[], options: Partial<OpenModelOptions> = {}) {
  await using server = scriptedModel(Array.isArray(turns) ? turns : [turns]);
  await using model = await open(server, options);
  return { ...await ask(model), server };
}

/** Asks one model for one turn after the other. */
async function askEach(turns: readonly ScriptedTurn[]) {
  let turn: ScriptedTurn = {};
  await using server = scriptedModel(({ path }) => path.endsWith("/completions") ? turn : { status: 500 });
  await using model = await open(server);
  const said: Awaited<ReturnType<typeof ask>>[] = [];
  for (turn of turns) said.push(await ask(model));
  return said;
}

async function ask(model: Model) {
  const texts: string[] = [];
  try {
    const reply = await model.complete(REQUEST, { signal: never, onText: (text) => texts.push(text) });
    return { reply, error: null, texts };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { reply: null, error: error.toInfo(), texts };
  }
}

Deno.test("openModel() sends each request whole, whatever it shares with the one before", async () => {
  const say = (text: string): Message => ({ role: "user", kind: "task", content: [{ type: "text", text }] });
  const [a, b, c, d] = [say("a"), say("b"), say("c"), say("d")] as const;
  const asked = [[a, b], [a, b, c], [a, d, c], [a], [a, b, c, d], [d], [a, b], [a, b]];
  await using server = scriptedModel(asked.map(() => ({ text: "ok" })));
  await using model = await open(server);
  const growing: Message[] = [];
  for (const messages of asked) {
    growing.splice(0, growing.length, ...messages);
    await model.complete({ ...REQUEST, messages: growing }, { signal: never });
  }
  const contents = server.requests.map(({ body }) =>
    body.messages.map(({ content }: { content: string }) => content).join("")
  );
  assertEquals(contents, ["ab", "abc", "adc", "a", "abcd", "d", "ab", "ab"]);
});

Deno.test("openModel() streams a text and sends the request in the provider's form", async () => {
  const { reply, texts, server } = await askOnce({ text: "Hello there, you", usage: null });
  assertEquals(reply, { content: "Hello there, you", tool_calls: [], finish: "stop", usage: null });
  assertEquals(texts, ["Hello th", "ere, you"]);
  const [{ path, headers, body } = fail()] = server.requests;
  assertEquals(headers.get("user-agent"), `bulkhead/${VERSION}`);
  assertEquals([path, headers.get("authorization")], ["/v1/chat/completions", `Bearer ${SECRET}`]);
  assertEquals(body, {
    max_tokens: 100,
    stream_options: { include_usage: true },
    model: "scripted",
    messages: [{ role: "system", content: "Be brief" }, { role: "user", content: "Hello" }],
    tools: REQUEST.tools.map((one) => ({ type: "function", function: one })),
    stream: true,
  });
});

Deno.test("openModel() gives tool calls with their arguments, usage and 200 calls in one reply", async () => {
  const tool_calls = Array.from({ length: 200 }, (_, at) => ({
    id: `call_${at}`,
    name: "Read",
    arguments: JSON.stringify({ path: `file-${at}.txt` }),
  }));
  const usage = { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } };
  const { reply } = await askOnce({ tool_calls, usage });
  assertEquals(reply, {
    content: "",
    tool_calls,
    finish: "tool_calls",
    usage: { input_tokens: 7, cached_tokens: 2, output_tokens: 3 },
  });
});

Deno.test("openModel() maps what a server refuses with", async () => {
  const said = (message: string, more = {}) => ({ error: { message, ...more } });
  const slow = { "retry-after": "9", "retry-after-ms": "150" };
  const long = (message: string, more = {}): [ScriptedTurn, string] => [
    { status: 400, body: said(message, more) },
    "limit_exceeded",
  ];
  const context = { reason: "context" };
  const cases: [turn: ScriptedTurn, code: string, retryable: boolean, details?: Record<string, unknown>][] = [
    [{ status: 401, body: said(`Wrong key ${SECRET}`) }, "unauthenticated", false],
    [{ status: 403, body: "no" }, "unauthenticated", false],
    [{ status: 429, headers: slow }, "rate_limited", true, { retry_after_ms: 150 }],
    [{ status: 429, body: said("Pay first", { code: "insufficient_quota" }) }, "rate_limited", false, {
      provider_code: "insufficient_quota",
    }],
    [{ status: 408 }, "external_failure", true],
    [{ status: 500, body: "<html>oops" }, "external_failure", true],
    [{ status: 503, headers: { "retry-after": "1" } }, "external_failure", true, { retry_after_ms: 1000 }],
    [{ status: 400, body: said("Bad schema") }, "external_failure", false],
    [{ status: 404, body: { detail: "no such model" } }, "configuration", false],
    [{ status: 404, body: "404 page not found" }, "external_failure", false],
    [{ status: 400, body: said("scriptd is not a valid model ID", { code: 400 }) }, "configuration", false],
    [{ status: 402, body: said("Insufficient credits") }, "external_failure", false],
    [...long("Too long", { code: "context_length_exceeded" }), false, {
      ...{ provider_code: "context_length_exceeded", ...context },
    }],
    [...long("This model's maximum context length is 8192 tokens."), false, context],
    [...long("prompt is too long: 9 tokens > 8 maximum"), false, context],
  ];
  const answers = await askEach(cases.map(([turn]) => turn));
  for (const [at, [{ status }, code, retryable, details]] of cases.entries()) {
    const { error } = answers[at]!;
    assertEquals([error?.code, error?.retryable, error?.details], [code, retryable, { status, ...details }]);
    assertEquals(error?.message.includes(SECRET), false);
  }
});

Deno.test("openModel() says what a server said, clipped and without controls", async () => {
  const message = `Bad\x1b[31m ${"x".repeat(600)}`;
  const { error, server } = await askOnce({ status: 400, body: { error: { message } } });
  const lead = `The request is refused by the model at 127.0.0.1:${server.port} (400): Bad `;
  assertEquals(error?.message, `${lead}${"x".repeat(496)}…`);
});

Deno.test("openModel() tells a stream that breaks off from one that ends", async () => {
  const text = "Some words that are cut";
  const events = eventsOf({ text, finish: null });
  const cases: [ScriptedTurn, string | null][] = [
    [{ text, cutAfter: 3 }, null],
    [{ text, events }, null],
    [{ text, events: [...events, '{"choices":[{"ind'] }, null],
    [{ events: [...events, { error: { message: "Overloaded", code: 502 } }] }, null],
    [{ text, events: [...events, "[DONE]"] }, text],
    [{ text, events: eventsOf({ text }) }, text],
    [{ text, cutAfter: eventsOf({ text }).length - 1 }, text],
    [{ body: "" }, null],
  ];
  const said = await askEach(cases.map(([turn]) => turn));
  for (const [at, [turn, content]] of cases.entries()) {
    const { reply, error } = said[at]!;
    assertEquals(reply?.content ?? null, content, JSON.stringify(turn));
    if (content === null) assertEquals([error?.code, error?.retryable], ["external_failure", true]);
  }
});

Deno.test("openModel() gives up on a silent server, but not on a whole reply", async () => {
  const text = "Some words";
  const silent = await askOnce({ text, stallAfter: 2 }, { idleTimeoutMs: 100 });
  const told =
    'The model was silent for 0.1 s: --max-silence, or models."scripted".idle_seconds, sets another limit';
  assertEquals([silent.error?.code, silent.error?.message], ["timeout", told]);
  const mute = await askOnce({ text, delayMs: 60_000 }, { idleTimeoutMs: 100 });
  assertEquals(mute.error?.message, silent.error?.message);
  const late = await askOnce({ text, delayMs: 60_000 }, { requestTimeoutMs: 100 });
  const unfinished = "The model did not finish its reply within 0.1 s";
  assertEquals([late.error?.code, late.error?.message], ["timeout", unfinished]);
  const whole = await askOnce({ text, stallAfter: eventsOf({ text }).length - 1 }, { idleTimeoutMs: 2_000 });
  assertEquals(whole.reply?.content, text);
});

Deno.test("openModel() does without the fields that a server refuses, and remembers it", async () => {
  await using server = scriptedModel([
    { status: 400, body: { error: { message: "Unknown field", param: "stream_options" } } },
    { status: 400, body: { error: { message: "Use 'max_completion_tokens' instead" } } },
    { status: 422, body: { detail: "messages[1].reasoning_content: extra fields not permitted" } },
    { text: "First" },
    { text: "Second" },
    { status: 400, body: { error: { message: "stream_options again" } } },
  ]);
  await using model = await open(server, { extraBody: { temperature: 0 } });
  const extra = { reasoning_content: "Hm" };
  const said = { role: "assistant", content: "Yes", tool_calls: [], extra } as const;
  const messages = [...REQUEST.messages, said];
  const ask = () => model.complete({ ...REQUEST, messages }, { signal: never });
  assertEquals((await ask()).content, "First");
  assertEquals((await ask()).content, "Second");
  await assertRejects(ask, ToolError, "stream_options again");
  const seen = server.requests.map(({ body: { max_tokens, max_completion_tokens, messages, ...body } }) => [
    ...["stream_options" in body, max_tokens, max_completion_tokens, messages[2].reasoning_content],
    body.temperature,
  ]);
  assertEquals(seen, [
    [true, 100, undefined, "Hm", 0],
    [false, 100, undefined, "Hm", 0],
    [false, undefined, 100, "Hm", 0],
    ...Array(3).fill([false, undefined, 100, undefined, 0]),
  ]);
});

Deno.test("openModel() names models that are near one that the server does not know", async () => {
  const body = { error: { message: "The model `gpt-fife` does not exist", code: "model_not_found" } };
  const list = { data: [{ id: "gpt-five" }, { id: "other" }] };
  const options = { name: "openai/gpt-fife", names: ["gpt-fife"] };
  const near = await askOnce([{ status: 404, body }, { body: list }], options);
  assertEquals(near.error?.code, "configuration");
  const told = /^The model "gpt-fife" is not known .*, did you mean "openai\/gpt-five"\?$/;
  assertMatch(near.error?.message ?? "", told);
  assertEquals(near.server.requests.map(({ path }) => path), ["/v1/chat/completions", "/v1/models"]);
  const far = await askOnce([{ status: 404, body }, { body: { data: [{ id: "other" }] } }], options);
  assertMatch(far.error?.message ?? "", /; it offers openai\/other$/);
  const none = await askOnce([{ status: 404, body }], options);
  assertMatch(none.error?.message ?? "", /does not exist$/);
  const names = ["openai/gpt-oss", "gpt-oss"];
  const renamed = await askOnce([{ status: 404, body }, { text: "Hi" }], { name: names[0]!, names });
  assertEquals(renamed.reply?.content, "Hi");
  assertEquals(renamed.server.requests.map(({ body }) => body.model), names);
});

Deno.test("openModel() knows from the start what is known of a provider, and sends no key if there is none", async () => {
  const { server } = await askOnce({ text: "Hi" }, { provider: "openai", apiKey: "" });
  const [{ headers, body: { max_tokens, max_completion_tokens } } = fail()] = server.requests;
  assertEquals([max_tokens, max_completion_tokens], [undefined, REQUEST.maxOutputTokens]);
  assertEquals(headers.get("authorization"), null);
});

Deno.test("openModel() finds the API below /v1, says so once and stays there", async () => {
  // Some servers refuse no path.
  const odd = { body: { error: "Unexpected endpoint or method. (POST /chat/completions)" } };
  for (const missing of [{ status: 404, body: "404 page not found" }, odd]) {
    await using server = scriptedModel(({ path }) => path.startsWith("/v1/") ? { text: "Hi" } : missing);
    await using model = await open({ url: `http://127.0.0.1:${server.port}` });
    const told: string[] = [];
    const hear = { onWarning: (text: string) => told.push(text), onText: (text: string) => told.push(text) };
    const ask = () => model.complete(REQUEST, { signal: never, ...hear });
    assertEquals([(await ask()).content, (await ask()).content], ["Hi", "Hi"]);
    const chat = "/chat/completions";
    assertEquals(server.requests.map(({ path }) => path), [chat, `/v1${chat}`, `/v1${chat}`]);
    const warning =
      `The model's API is not at http://127.0.0.1:${server.port} but at ${server.url}, which is used for this run: ` +
      "set that as the base URL";
    assertEquals(told, [warning, "Hi", "Hi"]);
  }
});

Deno.test("openModel() says where it looked for an API, and keeps a version that the base URL has", async () => {
  await using server = scriptedModel(() => ({ status: 404, body: "404 page not found" }));
  const root = `http://127.0.0.1:${server.port}`;
  const cases: readonly (readonly [url: string, paths: string[], part: string])[] = [
    [root, ["/chat/completions", "/v1/chat/completions"], `; tried the base URLs ${root} and ${root}/v1`],
    [`${root}/api/v3`, ["/api/v3/chat/completions"], "404 page not found"],
  ];
  for (const [url, paths, part] of cases) {
    server.requests.length = 0;
    await using model = await open({ url });
    const error = await assertRejects(() => model.complete(REQUEST, { signal: never }), ToolError);
    assertEquals([error.code, error.message.endsWith(part)], ["external_failure", true], error.message);
    assertEquals(server.requests.map(({ path }) => path), paths);
  }
});

Deno.test("openModel() ends the request when it is cancelled", async () => {
  await using server = scriptedModel([{ text: "Some words that go on", stallAfter: 2 }, { text: "Next" }]);
  await using model = await open(server);
  const cancel = new AbortController();
  const reason = new ToolError("cancelled", "Enough");
  const onText = () => cancel.abort(reason);
  const asked = () => model.complete(REQUEST, { signal: cancel.signal, onText });
  assertEquals(await assertRejects(asked, ToolError), reason);
  await server.requests[0]?.gone;
  assertEquals((await model.complete(REQUEST, { signal: never })).content, "Next");
  await assertRejects(() => model.complete(REQUEST, { signal: cancel.signal }), ToolError, "Enough");
  assertEquals(server.requests.length, 2);
});

Deno.test("openModel() takes the key to no other server", async () => {
  await using other = scriptedModel([{ text: "Stolen" }]);
  const location = `${other.url}/chat/completions`;
  const { error } = await askOnce({ status: 307, headers: { location } });
  assertEquals([error?.code, error?.retryable, other.requests.length], ["external_failure", false, 0]);
  assertMatch(error?.message ?? "", /redirects to http:.*, which is not followed: set the base URL/);
  const elsewhere = "/elsewhere/chat/completions";
  const same = await askOnce([{ status: 308, headers: { location: elsewhere } }, { text: "Here" }]);
  assertEquals(same.reply?.content, "Here");
  assertEquals(same.server.requests.map(({ path }) => path), ["/v1/chat/completions", elsewhere]);
});

Deno.test("openModel() names the host that cannot be reached", async () => {
  const { port } = closedServer();
  await using model = await open({ url: `http://127.0.0.1:${port}/v1` });
  const error = await assertRejects(() => model.complete(REQUEST, { signal: never }), ToolError);
  assertEquals([error.code, error.retryable], ["external_failure", false]);
  const told = `^Cannot reach the model at 127.0.0.1:${port}: .*refused.*; start its server`;
  assertMatch(error.message, new RegExp(told));
});

Deno.test("openModel() sends headers, and masks what they hold", async () => {
  const headers = { "x-team": "blue-team-7", authorization: `Basic ${SECRET}-x` };
  const turn = { status: 400, body: { error: { message: `No such team: blue-team-7, ${SECRET}-x` } } };
  const { error, server } = await askOnce(turn, { apiKey: "", headers, names: ["sent"] });
  const [{ headers: sent, body } = fail()] = server.requests;
  const seen = [sent.get("x-team"), sent.get("authorization"), body.model];
  assertEquals(seen, [...Object.values(headers), "sent"]);
  assertMatch(error?.message ?? "", /No such team: \[redacted\], \[redacted\]$/);
});

Deno.test("openModel() refuses what is no address and answers that are no replies", async () => {
  for (const url of ["ftp://x/v1", "localhost", "", "http://user:pw@127.0.0.1/v1"]) {
    const error = await assertRejects(() => open({ url }), ToolError);
    assertEquals(error.code, "configuration");
  }
  for (const body of ["<!doctype html><title>Hi</title>", { hello: "world" }]) {
    const { error } = await askOnce({ body });
    assertEquals([error?.code, error?.retryable], ["external_failure", false]);
  }
});

Deno.test("openModel() bounds a reply in bytes", async () => {
  const { error } = await askOnce({ body: `{"choices":"${"x".repeat(33 * 1024 * 1024)}"}` });
  assertEquals([error?.code, error?.retryable], ["external_failure", false]);
  assertEquals(error?.message, "The model's reply is larger than 33554432 bytes");
});

/** Systems give this port to nobody. */
const closedServer = () => ({ port: 2 });

function fail(): never {
  throw new Error("No request came");
}
