import { assertEquals } from "@std/assert";

import { ChatRequest, Clarification } from "../../../../../runtime/server/api/chat_schemas.ts";
import { ResponseRequest } from "../../../../../runtime/server/api/response_schemas.ts";

const USER = { role: "user", content: "Count." };

/** What chat pages and editors send, with the fields that only they know. */
const REQUESTS: Readonly<Record<string, object>> = {
  "a chat page with features of its own": {
    ...{
      model: "default",
      messages: [USER],
      stream: true,
      params: {},
      tool_servers: [],
      chat_id: "c",
      id: "i",
    },
    features: { image_generation: false, web_search: false },
    variables: { "{{USER_NAME}}": "Ann" },
    model_item: { id: "default", object: "model", owned_by: "openai" },
    background_tasks: { title_generation: true, tags_generation: true },
    stream_options: { include_usage: true },
  },
  "a request for a title": {
    ...{
      model: "default:chat",
      stream: false,
      max_completion_tokens: 1000,
      metadata: { task: "title_generation" },
    },
    messages: [{ role: "user", content: "### Task:\nGenerate a concise, 3-5 word title" }],
  },
  "an editor with tools of its own": {
    ...{
      messages: [USER, { role: "assistant", content: null, tool_calls: [{ id: "1" }] }],
      tool_choice: "auto",
    },
    tools: [{ type: "function", function: { name: "edit", parameters: {} } }],
    parallel_tool_calls: false,
  },
  "a library that writes null for what is not set": {
    ...{ model: null, messages: [{ ...USER, name: null }], stream: null, n: null, user: null, stop: null },
    ...{
      response_format: null,
      stream_options: null,
      tool_choice: null,
      max_tokens: null,
      temperature: null,
    },
  },
  "parts with marks of a provider": {
    messages: [{
      role: "user",
      content: [
        { type: "text", text: "See", cache_control: { type: "ephemeral" } },
        { type: "image_url", image_url: { url: "data:image/jpg;base64,AAAA", detail: "high" } },
      ],
    }],
  },
};

for (const [name, request] of Object.entries(REQUESTS)) {
  Deno.test(`the request of ${name} is understood`, () => {
    assertEquals(ChatRequest.safeParse(request).error?.issues, undefined);
  });
}

Deno.test("a response is asked for by a text, or by items of every kind", () => {
  const call = { type: "function_call", call_id: "1", name: "edit", arguments: "{}" };
  const message = { type: "message", id: "m", status: "completed", role: "assistant" };
  const input = [
    { role: "user", content: "Count." },
    { ...message, content: [{ type: "output_text", text: "Four.", annotations: [] }] },
    ...[call, { type: "function_call_output", call_id: "1", output: "done" }, {
      type: "reasoning",
      summary: [],
    }],
  ];
  for (const one of ["Count.", input]) {
    assertEquals(ResponseRequest.safeParse({ model: "default", input: one, store: false }).success, true);
  }
  assertEquals(ResponseRequest.safeParse({ input: "" }).success, false);
});

Deno.test("an answer is a message, or a text", () => {
  assertEquals(Clarification.safeParse({ messages: [USER] }).success, true);
  assertEquals(Clarification.safeParse({ clarifications: "May." }).success, true);
  assertEquals(Clarification.safeParse({ messages: [] }).success, false);
});
