import { assertEquals } from "@std/assert";

import { readTokenLimit } from "../../../../../runtime/model/quirks/token_limit.ts";

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
