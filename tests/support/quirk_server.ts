import { eventsOf, type ScriptedModel, scriptedModel, type ScriptedTurn } from "./scripted_model.ts";

export interface Asked {
  // deno-lint-ignore no-explicit-any
  body: any;
  /** Replies of the assistant in the conversation so far. */
  replies: number;
  /** Number of the request, from 0. */
  n: number;
}

export type Quirk = (asked: Asked) => ScriptedTurn;

/** A server that is as difficult as some real one, for every request. */
export function quirkServer(quirk: Quirk): ScriptedModel {
  return scriptedModel(({ body }, n) => {
    const replies = body.messages.filter(({ role }: { role: string }) => role === "assistant").length;
    return quirk({ body, replies, n });
  });
}

export function refusal(message: string, status = 400): ScriptedTurn {
  return { status, body: { error: { message, type: "invalid_request_error" } } };
}

const ok: ScriptedTurn = { text: "ok" };

/** A call of the tool that reads, as a stream of one. */
export function callOf(name: string, input: unknown): ScriptedTurn {
  return { tool_calls: [{ name, arguments: input }] };
}

const reads = (name: string, input: unknown): Quirk => ({ replies }) =>
  replies > 0 ? ok : callOf(name, input);
const limitOf = ({ max_tokens, max_completion_tokens }: Asked["body"]): number =>
  max_tokens ?? max_completion_tokens ?? 0;
const chunk = (delta: unknown, more: Record<string, unknown> = {}) => ({
  id: "c",
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});

/** What servers and models were seen to do. */
export const QUIRKS = {
  /** The call is text. */
  calltext: ({ replies }) =>
    replies > 0
      ? { text: "went on" }
      : { text: '<tool_call>\n{"name": "Read", "arguments": {"path": "package.json"}}\n</tool_call>' },
  calljson: ({ replies }) =>
    replies > 0 ? { text: "went on" } : { text: '{"name": "Read", "parameters": {"path": "package.json"}}' },
  /** The server fails behind the stream that it passes on. */
  finisherr: ({ n }) =>
    n > 0 ? ok : {
      events: [
        chunk({ content: "half of" }),
        chunk({}, { finish_reason: "error", error: { code: 504, message: "upstream timed out" } }),
        "[DONE]",
      ],
    },
  max4096: ({ body }) =>
    limitOf(body) <= 4096 ? ok : refusal(
      `max_tokens is too large: ${limitOf(body)}. This model supports at most 4096 completion tokens, ` +
        `whereas you provided ${limitOf(body)}.`,
    ),
  max8192: ({ body }) =>
    limitOf(body) <= 8192
      ? ok
      : refusal("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"),
  vllm8k: ({ body }) =>
    limitOf(body) + 5000 <= 8192 ? ok : refusal(
      `'max_tokens' or 'max_completion_tokens' is too large: ${limitOf(body)}. This model's maximum ` +
        "context length is 8192 tokens and your request has 5000 input tokens",
    ),
  silent: () => ({ text: "", stallAfter: 1 }),
  think: () => ({ text: "<think>\nI should say ok.\n</think>\n\nThe answer is ok." }),
  mistral: ({ body: { messages }, replies }) =>
    messages.some(({ role }: { role: string }, at: number) =>
        role === "user" && messages[at - 1]?.role === "tool"
      )
      ? refusal("Unexpected role 'user' after role 'tool'")
      : replies > 0
      ? ok
      : callOf("ReadImage", { path: "media/logo.png" }),
  nostream: ({ body }) =>
    body.stream ? refusal("Your organization must be verified to stream this model.") : {
      body: { choices: [{ message: { role: "assistant", content: "ok" }, finish_reason: "stop" }] },
    },
  nosystem: ({ body }) =>
    body.messages.some(({ role }: { role: string }) => role === "system")
      ? refusal("System role not supported")
      : ok,
  notools: ({ body, replies }) =>
    body.tools ? refusal("registry.ollama.ai/library/odd:latest does not support tools") : {
      text: replies > 0 ? "ok" : '<tool_call>{"name":"Read","arguments":{"path":"package.json"}}</tool_call>',
    },
  fence: reads("Read", '```json\n{"path":"package.json"}\n```'),
  prefix: reads("functions.Read", { path: "package.json" }),
  alias: reads("Read", { file_path: "package.json" }),
  length: () => ({ text: "cut in the mid", finish: "length" }),
  /** The form of calls before there were several. */
  legacy: ({ replies }) =>
    replies > 0 ? ok : {
      events: [
        chunk({ function_call: { name: "Read", arguments: "" } }),
        chunk({ function_call: { arguments: '{"path":"package.json"}' } }),
        chunk({}, { finish_reason: "function_call" }),
        "[DONE]",
      ],
    },
  /** A line of JSON for each chunk. */
  ndjson: () => ({
    body: eventsOf(ok).map((event) => JSON.stringify(event)).join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  }),
  /** The stream stops without the mark of its end. */
  noend: () => ({ events: eventsOf(ok) }),
} satisfies Record<string, Quirk>;
