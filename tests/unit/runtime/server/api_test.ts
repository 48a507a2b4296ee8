import { Validator } from "@seriousme/openapi-schema-validator";
import { assertEquals, assertStringIncludes } from "@std/assert";

import { agentHandlers } from "../../../../runtime/server/agents/agent_handlers.ts";
import { StepCounter, stepTools } from "../../../../runtime/server/agents/agent_state.ts";
import { ChatRequest, Clarification } from "../../../../runtime/server/api/chat_schemas.ts";
import { documentOf } from "../../../../runtime/server/api/openapi.ts";
import { OPERATIONS } from "../../../../runtime/server/api/operations.ts";
import { ResponseRequest } from "../../../../runtime/server/api/response_schemas.ts";
import { SERVER_OPERATIONS } from "../../../../runtime/server/api/server_operations.ts";
import { toAgentId } from "../../../../runtime/server/openai/agent_id.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import { called, ended, PlayedRuns, spoken, turn } from "../../../support/server/played_runs.ts";
import { serveHandlers } from "../../../support/server/serve_handlers.ts";
import manifest from "../../../../tools/manifest.json" with { type: "json" };

const USER = { role: "user", content: "Count." };

/** What chat pages and editors send, with the fields that only they know. */
const REQUESTS: Readonly<Record<string, object>> = {
  "a chat page with features of its own": {
    ...{ model: "default", messages: [USER], stream: true, params: {} },
    ...{ tool_servers: [], chat_id: "c", id: "i" },
    features: { image_generation: false, web_search: false },
    variables: { "{{USER_NAME}}": "Ann" },
    model_item: { id: "default", object: "model", owned_by: "openai" },
    background_tasks: { title_generation: true, tags_generation: true },
    stream_options: { include_usage: true },
  },
  "a request for a title": {
    ...{ model: "default:chat", stream: false, max_completion_tokens: 1000 },
    metadata: { task: "title_generation" },
    messages: [{ role: "user", content: "### Task:\nGenerate a concise, 3-5 word title" }],
  },
  "an editor with tools of its own": {
    messages: [USER, { role: "assistant", content: null, tool_calls: [{ id: "1" }] }],
    tool_choice: "auto",
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
    ...[call, { type: "function_call_output", call_id: "1", output: "done" }],
    { type: "reasoning", summary: [] },
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

const operations = [...SERVER_OPERATIONS, ...OPERATIONS];

// deno-lint-ignore no-explicit-any
const document: any = documentOf(operations, "1.2.3");

Deno.test("documentOf() makes a valid document of all operations", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assertEquals([valid, errors], [true, undefined]);
  const ids = Object.values<Record<string, { operationId: string }>>(document.paths)
    .flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  assertEquals(ids.toSorted(), operations.map(({ id }) => id).toSorted());
});

Deno.test("documentOf() refers to schemas that are there, and has each once", () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
  const names = Object.keys(document.components.schemas);
  const lost = refs.filter((ref) => !names.includes(ref.replace("#/components/schemas/", "")));
  assertEquals(lost, []);
  const { requestBody, responses, parameters } = document.paths["/runs"].post;
  assertEquals(requestBody, {
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/StartRun" } } },
  });
  assertEquals(Object.keys(responses), ["201", "4XX", "5XX"]);
  assertEquals(parameters.map(({ name }: { name: string }) => name), ["X-Client-ID"]);
  assertEquals(document.components.schemas.StartRun.properties.grants.$ref, "#/components/schemas/Narrowing");
  assertEquals(document.components.schemas.StartRun.properties.prompt, {
    type: "string",
    minLength: 1,
    description: "What to do.",
  });
});

Deno.test("documentOf() tells parameters, what is open, and in which form failures come", () => {
  const [id] = document.paths["/runs/{id}"].get.parameters;
  assertEquals(id, { name: "id", in: "path", required: true, schema: { type: "string" } });
  const [after] = document.paths["/runs/{id}/events"].get.parameters
    .filter((one: { in: string }) => one.in === "query");
  assertEquals([after.name, after.required, after.schema.type], ["after", false, "integer"]);
  assertEquals(document.paths["/health"].get.security, []);
  const { parameters, responses } = document.paths["/runs/{id}/events"].get;
  const headers = parameters.flatMap((one: { in: string; name: string }) =>
    one.in === "header" ? [one.name] : []
  );
  assertEquals([headers, Object.keys(responses)], [["Last-Event-ID"], ["200", "204", "4XX", "5XX"]]);
  const chat = document.paths["/v1/chat/completions"].post.responses["200"].content;
  assertEquals(Object.keys(chat), ["application/json", "text/event-stream"]);
  const given = { ...operations[0]!, id: "chat", errors: "openai" as const };
  const other = JSON.stringify(documentOf([given], "1"));
  assertEquals(other.includes("#/components/schemas/OpenAIFailure"), true);
});

const RUN = "20261123-100000-00000001";
const AGENT = toAgentId(RUN);
const asks = {
  events: [
    turn(1),
    ...called("1", "own/Think", "ok"),
    ...called("2", "own/Search", "two sites"),
    ended("Which month?", "waiting_for_clarification"),
  ],
};

Deno.test("agents are listed, told of, stopped and taken away", async () => {
  const runs = new PlayedRuns(asks);
  await runs.start({ prompt: "Count." });
  await using scene = await serve(runs);
  const { agents: [agent], total } = await scene.ask("GET", "/agents");
  const of = { agent_id: AGENT, task_messages: [{ role: "user", content: "Count." }] };
  assertEquals(total, 1);
  const waits = { ...of, state: "waiting_for_clarification" };
  assertEquals(agent, { ...waits, creation_time: "2026-11-23T10:00:00.000Z" });
  assertEquals(await scene.ask("GET", `/agents/${AGENT}/state`), {
    ...waits,
    ...{ iteration: 1, searches_used: 1, clarifications_used: 0, sources_count: 2 },
    current_step_reasoning: { path: "a`<b>`.ts" },
    execution_result: "Which month?",
    error: null,
  });
  const cancelled = await scene.ask("POST", `/agents/${AGENT}/cancel`);
  assertEquals(cancelled, { agent_id: AGENT, cancelled: true, state: "cancelled" });
  const deleted = await scene.ask("DELETE", `/agents/${AGENT}`);
  assertEquals(deleted, { agent_id: AGENT, deleted: true, final_state: "cancelled" });
  assertEquals(runs.removed, [RUN]);
  const { detail } = await scene.ask("GET", `/agents/${AGENT}/state`, undefined, 404);
  assertStringIncludes(detail, `Agent "${AGENT}" not found`);
});

Deno.test("an answer goes on with the agent as a stream, and only while it waits", async () => {
  const runs = new PlayedRuns(asks, { events: spoken("Four.") }, { events: spoken("Five.") });
  await runs.start({ prompt: "Count." });
  await using scene = await serve(runs);
  const path = `/agents/${AGENT}/provide_clarification`;
  const text = await scene.ask("POST", path, { messages: [{ role: "user", content: "May." }] });
  assertStringIncludes(text, '"delta":{"content":"Four."}');
  assertEquals(text.endsWith("data: [DONE]\n\n"), true);
  const { detail } = await scene.ask("POST", path, { clarifications: "June." }, 400);
  assertStringIncludes(detail, "is not waiting for an answer: its state is completed");
  assertEquals(runs.answers, [{ answer: "May." }]);
  await scene.ask("POST", path, {}, 400);
});

async function serve(runs: PlayedRuns) {
  const tools = { search: new Set(["own/Search"]), reason: new Set(["own/Think"]) };
  const server = await serveHandlers(
    agentHandlers({ runs, tools, style: "reasoning", countSources: () => 2 }),
  );
  return {
    async ask(method: string, path: string, body?: unknown, status = 200) {
      const response = await server.fetch(path, {
        method,
        ...body !== undefined && { headers: { "content-type": "application/json" } },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      assertEquals(response.status, status, text);
      return response.headers.get("content-type")?.startsWith("text/event-stream") ? text : JSON.parse(text);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

Deno.test("the tools that search and reason are those that the manifest marks", () => {
  const { search, reason } = stepTools(manifest as unknown as Manifest);
  assertEquals([search.size, reason.size], [1, 1]);
});

Deno.test("answers to questions are counted, at once and by a run that goes on", () => {
  const counter = new StepCounter({ search: new Set(), reason: new Set() });
  const start = {
    ...{ type: "run.start", run_id: "1", command: "serve", workspace: "/work" },
    grants: { policy: "coder", allow: {}, deny: {} },
  } as unknown as Parameters<StepCounter["hear"]>[0];
  const asked = [start, turn(1), ended("Which?", "waiting_for_clarification")];
  for (const event of [...asked, start, turn(2), ended("4"), start]) counter.hear(event);
  assertEquals([counter.counts.iteration, counter.counts.clarifications_used], [2, 1]);
  counter.hear({ type: "question.end", id: "1", answer: null });
  counter.hear({ type: "question.end", id: "2", answer: "May." });
  assertEquals(counter.counts.clarifications_used, 2);
});
