import { assertEquals, assertRejects } from "@std/assert";

import { askModel, type AskModelOptions } from "../../../../runtime/model/ask_model.ts";
import { connectionError, givenUpReply, modelRefusal } from "../../../../runtime/model/model_error.ts";
import type { ModelSettings } from "../../../../runtime/model/protocol.ts";
import { learn, type Quirks } from "../../../../runtime/model/quirks/learn.ts";
import { readTokenLimit } from "../../../../runtime/model/quirks/token_limit.ts";
import { retryAfterMs } from "../../../../runtime/model/retry_after.ts";
import type { Model, ModelReply, ModelRequest } from "../../../../schemas/agent/model.ts";
import { ToolError } from "../../../../schemas/error.ts";

Deno.test("readTokenLimit() finds the longest reply in the words of servers", () => {
  const cases: [string, number][] = [
    [
      "max_tokens is too large: 16384. This model supports at most 4096 completion tokens, whereas you provided 16384.",
      4096,
    ],
    ["Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8192],
    ["Range of max_tokens should be [1, 8192]", 8192],
    ["The supported range is from 1 (inclusive) to 8193 (exclusive), max_tokens was 16384", 8192],
    [
      "Unable to submit request because it has a maxOutputTokens value of 16384 but the supported range is from 1 (inclusive) to 8193 (exclusive).",
      8192,
    ],
    [
      "max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet-20240620",
      8192,
    ],
    [
      "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
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
  const cause = new TypeError(
    `error sending request for url (http://a.test/v1): client error (Connect): ${refused}`,
  );
  const settings = { ...SETTINGS, baseUrl: "http://a.test/v1" };
  const { message } = await connectionError(cause, settings, { begun: false });
  assertEquals(message, `Cannot reach the model at a.test:80: ${refused}`);
});

Deno.test("givenUpReply() makes a broken reply of every error in it that a new try may mend", () => {
  const cases: [unknown, string, boolean][] = [
    [{}, "external_failure", true],
    ["no power", "external_failure", true],
    [{ code: 504, message: "late" }, "external_failure", true],
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
    [{ "retry-after": "0" }, 0],
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
  assertEquals(retries.slice(1, 3), [
    "2/6 2500 external_failure Broken",
    "3/6 120 rate_limited Slow down",
  ]);
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
