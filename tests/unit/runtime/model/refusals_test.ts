import { assertEquals, assertRejects } from "@std/assert";

import { askModel, type AskModelOptions } from "../../../../runtime/model/ask_model.ts";
import { connectionError, givenUpReply, modelRefusal } from "../../../../runtime/model/model_error.ts";
import type { ModelSettings } from "../../../../runtime/model/protocol.ts";
import { learn, type Lesson, type Quirks } from "../../../../runtime/model/quirks/learn.ts";
import { readLearned } from "../../../../runtime/model/quirks/learned.ts";
import { simpleSchema } from "../../../../runtime/model/quirks/simple_schema.ts";
import { readTokenLimit } from "../../../../runtime/model/quirks/token_limit.ts";
import { retryAfterMs } from "../../../../runtime/model/providers/retry_after.ts";
import type { Model, ModelReply, ModelRequest } from "../../../../schemas/agent/model.ts";
import type { JsonSchema } from "../../../../schemas/manifest.ts";
import { ToolError } from "../../../../schemas/error.ts";

Deno.test("readTokenLimit() finds the longest reply in the words of servers", () => {
  const cases: [string, number][] = [
    [
      "max_tokens is too large: 16384. This model supports at most 4096 completion tokens, whereas you provided 16384.",
      4096,
    ],
    ["Range of max_tokens should be [1, 8192]", 8192],
    [
      "Unable to submit request because it has a maxOutputTokens value of 16384 but the supported range is from 1 (inclusive) to 8193 (exclusive).",
      8192,
    ],
    [
      "max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20240620",
      8192,
    ],
    [
      "too many tokens: max tokens must be less than or equal to 4,096, the maximum output for this model - received 16384.",
      4096,
    ],
    [
      "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.",
      4095,
    ],
    [
      "This request requires more credits, or fewer max_tokens. You requested up to 16384 tokens, but can only afford 3200.",
      3200,
    ],
    ["max_tokens must be between 1 and 4096", 4096],
    ["max_completion_tokens: expected a value <= 2048, but got 16384 instead", 2048],
    ["max_new_tokens (16384) exceeds the limit (2048) of gpt-4-32", 2048],
  ];
  for (const [message, most] of cases) assertEquals(readTokenLimit(message, 16_384), { most }, message);
});

Deno.test("readTokenLimit() finds what a window leaves", () => {
  const cases: [string, number, number][] = [
    [
      "'max_tokens' or 'max_completion_tokens' is too large: 16384. This model's maximum context length is 8192 tokens and your request has 5000 input tokens",
      8192,
      5000,
    ],
    [
      "This model's maximum context length is 8192 tokens. However, you requested 20000 tokens (3616 in the messages, 16384 in the completion). Please reduce the length of the messages or completion.",
      8192,
      3616,
    ],
    [
      "input length and `max_tokens` exceed context limit: 188240 + 16384 > 200000, decrease input length or `max_tokens` and try again",
      200_000,
      188_240,
    ],
    [
      "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 1000 `inputs` tokens and 16384 `max_new_tokens`",
      4096,
      1000,
    ],
  ];
  for (const [message, window, input] of cases) {
    assertEquals(readTokenLimit(message, 16_384), { window, input }, message);
  }
});

Deno.test("readTokenLimit() leaves alone what is not about the length of a reply, or leaves no room", () => {
  const cases = [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "This model's maximum context length is 8192 tokens. However, you requested 25384 tokens (9000 in the messages, 16384 in the completion).",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "The input token count (200000) exceeds the maximum number of tokens allowed (131072).",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    "Unknown field max_tokens for gpt-4-0613",
    "temperature must be between 0 and 2",
  ];
  for (const message of cases) assertEquals(readTokenLimit(message, 16_384), null, message);
});

/** Refusals of servers that take no forced call, or no schema. */
const LESSONS: readonly (readonly [status: number, said: string, learned: Quirks])[] = [
  [400, "deepseek-reasoner does not support this tool_choice", { noChoice: true }],
  [404, "No endpoints found that support the provided 'tool_choice' value.", { noChoice: true }],
  [400, "Thinking may not be enabled when tool_choice forces tool use.", { noChoice: true }],
  [400, "This response_format type is unavailable now", { noForm: true }],
  [422, "json_schema is not supported by this model", { noForm: true }],
  [500, "failed to parse grammar", { noForm: true }],
];

Deno.test("learn() knows servers that take no forced call and no schema", () => {
  const sent = { messages: [], tools: [], tool_choice: "required", response_format: {} };
  for (const [status, said, learned] of LESSONS) {
    const quirks: Quirks = {};
    const body = JSON.stringify({ error: { message: said } });
    assertEquals(learn(quirks, { status, body, sent, lessons: new Set() }), learned, said);
    assertEquals(quirks, learned, said);
  }
});

Deno.test("learn() takes a refusal of what was not sent for something else", () => {
  const quirks: Quirks = {};
  const body = JSON.stringify({ error: { message: "tool_choice and response_format are odd" } });
  assertEquals(learn(quirks, { status: 400, body, sent: { messages: [] }, lessons: new Set() }), null);
  assertEquals(quirks, {});
});

const NAMES = ["Read", "Edit", "mcp_s_ne", "mcp_s_ok"];
const IMAGE = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
const SENT = {
  messages: [{ role: "user", content: [IMAGE] }],
  tools: NAMES.map((name) => ({ type: "function", function: { name, parameters: {} } })),
  ...{ stream: true, parallel_tool_calls: true, temperature: 0 },
};
const picture: Quirks = { noImages: true };
const without = (...withoutTools: string[]): Quirks => ({ withoutTools });

/** Refusals of a request with pictures, tools and fields besides the usual ones. */
const LEAVING: readonly (readonly [status: number, said: string, learned: Quirks | null])[] = [
  [400, "This model does not support image input", picture],
  [404, "No endpoints found that support image input", picture],
  [422, "messages[0]: unknown variant `image_url`, expected `text`", picture],
  [400, "x is not a multimodal model", picture],
  [500, "image input is not supported - hint: you may need to provide the mmproj", picture],
  [400, "messages[0].content must be a string", picture],
  [400, "Invalid schema for function 'mcp_s_ne': enum value \"A\" does not validate", without("mcp_s_ne")],
  [400, "Invalid 'tools[3].function.parameters': too deep", without("mcp_s_ok")],
  [400, "tools.1.custom.input_schema: JSON schema is invalid", without("Edit")],
  [400, "GenerateContentRequest.tools[0].function_declarations[2].parameters: invalid", without("mcp_s_ne")],
  [400, "Invalid 'tools[0].function.name': string does not match pattern", without("Read")],
  [400, "Tool at index 2 has an unsupported schema", without("mcp_s_ne")],
  [422, "body -> tools -> 1 -> function: value is not valid", without("Edit")],
  [400, "Invalid 'tools': array too long. Expected maximum length 3, but got 4 instead.", { mostTools: 3 }],
  [400, "Too many tools: at most 2 functions", { mostTools: 2 }],
  [400, "Unsupported JSON schema keyword: patternProperties", { simpleSchemas: true }],
  [400, "Unknown parameter: 'parallel_tool_calls'", { withoutFields: ["parallel_tool_calls"] }],
  [400, "Unsupported value: 'temperature' does not support 0 with this model", {
    withoutFields: ["temperature"],
  }],
  [400, "This model does not support tools", { noTools: true }],
  [400, "The answer may not be given", null],
  [429, "Invalid schema for function 'mcp_s_ne'", null],
];

Deno.test("learn() knows what a server does not take: pictures, tools by name and place, fields", () => {
  for (const [status, said, learned] of LEAVING) {
    const quirks: Quirks = {};
    const body = JSON.stringify({ error: { message: said } });
    assertEquals(learn(quirks, { status, body, sent: SENT, lessons: new Set() }), learned, said);
    assertEquals(quirks, learned ?? {}, said);
  }
  const detail = [{ loc: ["body", "tools", 2, "function"], msg: "invalid schema" }];
  const body = JSON.stringify({ detail });
  assertEquals(learn({}, { status: 422, body, sent: SENT, lessons: new Set() }), without("mcp_s_ne"));
});

Deno.test("learn() leaves out what is refused at most twice for a request", () => {
  const [quirks, lessons]: [Quirks, Set<Lesson>] = [{}, new Set()];
  const learned = NAMES.map((name) => {
    const body = `Invalid schema for function '${name}'`;
    return learn(quirks, { status: 400, body, sent: SENT, lessons }) !== null;
  });
  assertEquals(learned, [true, true, false, false]);
  assertEquals(quirks, { ...without("Read", "Edit"), simpleSchemas: true });
});

Deno.test("readLearned() takes what a session kept, and nothing of another form", () => {
  const kept = { noImages: true, withoutTools: ["a"], mostTools: 3 };
  assertEquals(readLearned({ ...kept, noTools: "yes", withoutFields: [1], mostTokens: -1, odd: true }), kept);
  assertEquals(readLearned("x"), {});
});

Deno.test("simpleSchema() keeps types, fields and words", () => {
  const schema = {
    ...{ $schema: "x", type: "object", required: ["a"], additionalProperties: false },
    $defs: { F: { type: "object", properties: { op: { type: "string", pattern: "a", enum: ["x"] } } } },
    properties: {
      a: { anyOf: [{ type: "null" }, { type: "integer", minimum: 1 }], description: "A" },
      b: { $ref: "#/$defs/F" },
      c: { type: ["string", "null"], enum: ["A", null] },
      d: { type: "array" },
    },
  };
  assertEquals(simpleSchema(schema as JsonSchema), {
    type: "object",
    required: ["a"],
    properties: {
      a: { type: "integer", description: "A" },
      b: { type: "object", required: [], properties: { op: { type: "string", enum: ["x"] } } },
      c: { type: "string" },
      d: { type: "array", items: { type: "string" } },
    },
  } as unknown as JsonSchema);
});

const SETTINGS: ModelSettings = {
  ...{ name: "m", alias: { other: null, prefix: "" }, baseUrl: "http://127.0.0.1:1234/v1", apiKey: "" },
  ...{ headers: {}, requestTimeoutMs: 1, idleTimeoutMs: 1, extraBody: {}, quirks: {} },
};
const refused = (status: number, body: string) =>
  modelRefusal({ status, headers: new Headers(), body }, SETTINGS).message;

Deno.test("modelRefusal() gives the title of a web page as the reason, and calls no failure a refusal", () => {
  const page = "<html><head><title>502 Bad Gateway &amp; more</title></head><body><h1>No</h1></body></html>";
  assertEquals(refused(502, page), "The model at 127.0.0.1:1234 failed (502): 502 Bad Gateway & more");
  assertEquals(refused(500, "<h1>Oh no</h1>"), "The model at 127.0.0.1:1234 failed (500): Oh no");
  assertEquals(refused(503, "<html>"), "The model at 127.0.0.1:1234 failed (503): it gave no reason");
  assertEquals(refused(400, "odd"), "The request is refused by the model at 127.0.0.1:1234 (400): odd");
});

Deno.test("connectionError() says the reason without the address that the message names", async () => {
  const refused = "tcp connect error: Connection refused (os error 111)";
  const said = "error sending request for url (http://a.test/v1): client error (Connect)";
  const cause = new TypeError(`${said}: ${refused}`);
  const settings = { ...SETTINGS, baseUrl: "http://a.test/v1" };
  const { message } = await connectionError(cause, settings, { begun: false });
  assertEquals(message, `Cannot reach the model at a.test:80: ${refused}`);
});

Deno.test("givenUpReply() makes a broken reply of every error in it that a new try may mend", () => {
  const cases: [unknown, string, boolean][] = [
    [{}, "external_failure", true],
    [{ code: 400, message: "odd" }, "external_failure", true],
    [{ code: 403, message: "flagged" }, "external_failure", true],
    [{ code: 429, message: "slow down" }, "rate_limited", true],
    [{ code: 402, message: "pay" }, "external_failure", false],
    [{ code: 400, message: "prompt is too long: 9 tokens > 8 maximum" }, "limit_exceeded", false],
  ];
  for (const [error, code, retryable] of cases) {
    const failed = givenUpReply(error, SETTINGS);
    assertEquals([failed.code, failed.retryable], [code, retryable], JSON.stringify(error));
  }
});

const NOW = Date.parse("2026-01-01T00:00:00Z");

Deno.test("retryAfterMs() reads seconds, milliseconds and dates", () => {
  const cases: [Record<string, string>, number | null][] = [
    [{}, null],
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "-1" }, null],
    [{ "retry-after": "soon" }, null],
    [{ "retry-after": "" }, null],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:03 GMT" }, 3000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after-ms": "150", "retry-after": "2" }, 150],
    [{ "retry-after-ms": "x", "retry-after": "2" }, 2000],
  ];
  for (const [headers, ms] of cases) {
    assertEquals(retryAfterMs(new Headers(headers), NOW), ms, JSON.stringify(headers));
  }
});

const REPLY: ModelReply = { content: "Yes", tool_calls: [], finish: "stop", usage: null };
const REQUEST: ModelRequest = { purpose: "turn", messages: [], tools: [], maxOutputTokens: 10 };

/** Asks a model that fails with each of the errors in turn; records what is waited for and reported. */
function scene(errors: readonly unknown[], more: Partial<AskModelOptions> = {}) {
  let asked = 0;
  let clock = 0;
  const waits: number[] = [];
  const retries: string[] = [];
  const model: Model = {
    name: "failing",
    complete: () => asked < errors.length ? Promise.reject(errors[asked++]) : Promise.resolve(REPLY),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const reply = askModel(REQUEST, {
    model,
    limits: { tries: 6 },
    signal: new AbortController().signal,
    deadline: 1_000_000,
    now: () => clock,
    sleep(ms) {
      waits.push(ms);
      clock += ms;
      return Promise.resolve();
    },
    random: () => 0.5,
    onRetry: ({ n, max, wait_ms, code, message }) =>
      retries.push(`${n}/${max} ${wait_ms} ${code} ${message}`),
    ...more,
  });
  return { reply, waits, retries, asked: () => asked };
}

const failure = (details = {}) => new ToolError("external_failure", "Broken", { details });

Deno.test("askModel() waits longer each time, and as long as the server asks", async () => {
  const slow = new ToolError("rate_limited", "Slow down", { details: { retry_after_ms: 120 } });
  const { reply, waits, retries } = scene([failure(), failure(), slow, failure(), failure()]);
  assertEquals(await reply, REPLY);
  assertEquals(waits, [1500, 2500, 120, 8500, 16500]);
  const [, second, third] = retries;
  assertEquals([second, third], ["2/6 2500 external_failure Broken", "3/6 120 rate_limited Slow down"]);
});

Deno.test("askModel() gives up after its tries, with the last failure", async () => {
  const errors = Array.from({ length: 9 }, (_, n) => failure({ n }));
  const { reply, waits, asked } = scene(errors, { limits: { tries: 7 } });
  const error = await assertRejects(() => reply, ToolError);
  assertEquals([error.details.n, asked()], [6, 7]);
  assertEquals(waits, [1500, 2500, 4500, 8500, 16500, 30000]);
});

Deno.test("askModel() does not try again what cannot pass", async () => {
  const errors = [
    new ToolError("unauthenticated", "Wrong key"),
    new ToolError("external_failure", "Bad request", { retryable: false }),
    new ToolError("limit_exceeded", "Too long", { details: { reason: "context" } }),
    new ToolError("cancelled", "Enough"),
    new TypeError("A bug"),
  ];
  for (const error of errors) {
    const { reply, asked } = scene([error]);
    assertEquals(await assertRejects(() => reply, Error), error);
    assertEquals(asked(), 1);
  }
});

Deno.test("askModel() waits for nothing beyond the deadline", async () => {
  const { reply, waits } = scene([failure(), failure({ retry_after_ms: 60_000 })], { deadline: 61_000 });
  const error = await assertRejects(() => reply, ToolError);
  assertEquals([error.details.retry_after_ms, waits], [60_000, [1500]]);
});

Deno.test("askModel() stops waiting when it is cancelled", async () => {
  const cancel = new AbortController();
  const reason = new ToolError("cancelled", "Enough");
  const sleep = (_ms: number, signal: AbortSignal) => {
    cancel.abort(reason);
    return Promise.reject(signal.reason);
  };
  const { reply, asked } = scene([failure()], { signal: cancel.signal, sleep });
  assertEquals(await assertRejects(() => reply, ToolError), reason);
  assertEquals(asked(), 1);
});

Deno.test("modelRefusal() knows a conversation that is too long in any words, and nothing else for one", () => {
  const isContext = (status: number, message: string) => {
    const { details } = modelRefusal({ status, headers: new Headers(), body: message }, SETTINGS);
    return details.reason === "context";
  };
  const long: [number, string][] = [
    [400, "Input length 99073 exceeds the maximum allowed input length of 99072 tokens"],
    [400, "Range of input length should be [1, 98304]"],
    [400, "The prompt has more tokens than the model can take: at most 8192"],
    [400, "Prompt exceeds max length"],
    [400, "Requested tokens (9000) exceed context window of 4096"],
    [422, "`inputs` must have less than 4095 tokens. Given: 5000"],
    [400, "this conversation does not fit: shorten it to 4096 tokens"],
    [400, "输入长度超过模型上限"],
    [413, ""],
    [500, "the request exceeds the available context size"],
    [429, "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 40000"],
  ];
  for (const [status, said] of long) assertEquals(isContext(status, said), true, said);
  const others: [number, string][] = [
    [400, "max_tokens must be at most 4096 for this prompt"],
    [400, "messages[0].name is too long"],
    [400, "temperature must be between 0 and 2"],
    [400, "the size of the image in messages exceeds 5 MB"],
    [400, "Invalid schema for function 'a': too large"],
    [429, "Too many requests"],
    [500, "the input could not be handled in time: the limit is 60 s and it took long"],
  ];
  for (const [status, said] of others) assertEquals(isContext(status, said), false, said);
});
