import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";

import { ToolError } from "../../../../../schemas/error.ts";
import { plantedLine, toAgentId } from "../../../../../runtime/server/openai/agent_id.ts";
import { chatScene } from "../../../../support/server/chat_scene.ts";
import {
  called,
  ended,
  LONG_ANSWER,
  lookedUp,
  PlayedRuns,
  spoken,
  text,
  turn,
} from "../../../../support/server/played_runs.ts";

type Request = OpenAI.ChatCompletionCreateParamsNonStreaming;

const RUN = "20261123-100000-00000001";
const ASKED: Request = { model: "researcher", messages: [{ role: "user", content: "Count." }] };

Deno.test("a whole answer has the text, the usage, and the agent's id", async () => {
  const runs = new PlayedRuns({
    events: [turn(1), text("I look."), ...called("1", "own/Look", "4"), ...spoken("Four.")],
  });
  await using scene = await chatScene(runs);
  const { data, response } = await scene.completions.create({ ...ASKED, user: "ann" }).withResponse();
  const { choices: [choice], usage, model } = data;
  assertEquals([choice?.message.content, choice?.finish_reason], ["Four.", "stop"]);
  assertEquals([usage?.prompt_tokens, usage?.completion_tokens, usage?.total_tokens], [100, 7, 107]);
  assertEquals(model, toAgentId(RUN));
  assertEquals(response.headers.get("x-agent-id"), toAgentId(RUN));
  assertEquals(response.headers.get("x-agent-model"), "researcher");
  const [{ prompt, agent, client, ask, before }] = runs.requests as [typeof runs.requests[0]];
  assertEquals([prompt, agent, client, ask, before], ["Count.", "researcher", "ann", false, undefined]);
});

Deno.test("a stream is what OpenAI's library expects, with the usage if it is asked for", async () => {
  const events = lookedUp();
  await using scene = await chatScene(new PlayedRuns({ events }));
  const options = { stream: true, stream_options: { include_usage: true } } as const;
  const stream = scene.completions.stream({ ...ASKED, ...options });
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  const { choices: [choice], usage } = await stream.finalChatCompletion();
  assertEquals(choice?.message.content, plantedLine(RUN) + LONG_ANSWER);
  assertEquals([choice?.finish_reason, usage?.total_tokens], ["stop", 107]);
  assertEquals(chunks[0]?.choices[0]?.delta, { role: "assistant", content: "" });
  assertEquals(chunks.at(-1)?.choices, []);
  assertEquals(new Set(chunks.map(({ id }) => id)).size, 1);
  const thought = chunks.map(({ choices: [one] }) =>
    (one?.delta as { reasoning_content?: string })?.reasoning_content ?? ""
  );
  assertMatch(thought.join(""), /^I look\.\nLook \{.*\}\nLook: 1 line\n$/);
});

Deno.test("calls are shown as deltas of their own, or as blocks, if the request says so", async () => {
  const events = [
    turn(1),
    ...called("1", "own/Look", "4"),
    ...called("2", "own/Look", "</details>`"),
    ...spoken("Four."),
  ];
  await using scene = await chatScene(new PlayedRuns({ events }, { events }));
  const asked = (style: string) => ({ ...ASKED, stream: true, "stream-style": style }) as const;
  const calls = scene.completions.stream(asked("openai"));
  const roles: unknown[] = [];
  for await (const { choices: [choice] } of calls) roles.push(choice?.delta.role);
  const { choices: [choice] } = await calls.finalChatCompletion();
  assertEquals(roles.filter((role) => role === "tool").length, 2);
  assertEquals(choice?.message.tool_calls?.map((call) => call.type === "function" && call.function), [
    { name: "Look", arguments: '{"path":"a`<b>`.ts"}' },
    { name: "Look", arguments: '{"path":"a`<b>`.ts"}' },
  ] as unknown[]);
  const blocks = scene.completions.stream(asked("open_webui"));
  const content = (await blocks.finalChatCompletion()).choices[0]?.message.content ?? "";
  assertEquals(content.match(/<\/?details>/g), Array(4).fill(["<details>", "</details>"]).flat());
  assertStringIncludes(content, "<summary>Phase: 2-action Tool Call: Look</summary>");
  assertStringIncludes(content, "&lt;/details&gt;&#96;");
});

Deno.test("an answer of a schema is its JSON and nothing else, whole and as a stream", async () => {
  const played = { events: spoken('```json\n{"n": 4}\n```'), end: { output: { n: 4 } } };
  const runs = new PlayedRuns(played, played);
  await using scene = await chatScene(runs);
  const asked = { ...ASKED, response_format: zodResponseFormat(z.object({ n: z.number() }), "count") };
  const { choices: [choice] } = await scene.completions.parse(asked);
  assertEquals(choice?.message.parsed, { n: 4 });
  const stream = scene.completions.stream({ ...asked, stream: true });
  assertEquals((await stream.finalChatCompletion()).choices[0]?.message.content, '{"n":4}');
  assertEquals(runs.requests[0]?.output_schema?.type, "object");
});

Deno.test("a forced call of the client's own function is its JSON, whole and as a stream", async () => {
  const played = { events: spoken('{"n": 4}'), end: { output: { n: 4 } } };
  const runs = new PlayedRuns(played, played, {
    events: [turn(1), ended("Which month?", "waiting_for_clarification")],
  });
  await using scene = await chatScene(runs);
  const parameters = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const tools = [{ type: "function" as const, function: { name: "count", parameters } }];
  const asked = { ...ASKED, tools, tool_choice: { type: "function" as const, function: { name: "count" } } };
  const { choices: [choice] } = await scene.completions.create(asked);
  const stream = scene.completions.stream({ ...asked, tool_choice: "required", stream: true });
  const { choices: [streamed] } = await stream.finalChatCompletion();
  for (const one of [choice, streamed]) {
    const [call] = one?.message.tool_calls ?? [];
    assertEquals([one?.finish_reason, one?.message.content || null], ["tool_calls", null]);
    assertEquals(
      call?.type === "function" && call.function,
      { name: "count", arguments: '{"n":4}' } as unknown,
    );
  }
  assertEquals(runs.requests[0]?.output_schema, parameters);
  const { choices: [question] } = await scene.completions.create(asked);
  assertEquals([question?.finish_reason, question?.message.tool_calls], ["stop", undefined]);
});

Deno.test("pictures, the folder and the model's fields go to the run", async () => {
  const runs = new PlayedRuns({ events: spoken("A cat.") });
  await using scene = await chatScene(runs);
  const url = "data:image/png;base64,AAAA";
  const content = [{ type: "text", text: "What?" }, { type: "image_url", image_url: { url } }] as const;
  const more = {
    "workspace-root": "/work/one",
    "llm-extra-body": { top_k: 3 },
    temperature: 1,
    max_tokens: 5,
    metadata: {},
  };
  await scene.completions.create(
    { ...more, model: "RH--vendor/small", messages: [{ role: "user", content: [...content] }] },
    { headers: { "x-client-id": "bob" } },
  );
  const [{ images, workspace, extraBody, model, agent, client }] = runs.requests as [typeof runs.requests[0]];
  assertEquals(images, [{ name: "image_000.png", data_url: url }]);
  assertEquals(workspace, "/work/one");
  assertEquals(extraBody, { top_k: 3 });
  assertEquals(model, "vendor/small");
  assertEquals(agent, undefined);
  assertEquals(client, "bob");
});

Deno.test("requests that cannot be meant are refused, and say why", async () => {
  await using scene = await chatScene(new PlayedRuns());
  const picture = (url: string) => ({
    messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }],
  });
  const wrong: [more: object, message: string][] = [
    [{ messages: [] }, "messages must be a non-empty list."],
    [{ messages: [7] }, "Each message must be an object."],
    [{ messages: [{ role: "boss", content: "" }] }, "Unsupported message role: 'boss'."],
    [{ n: 2 }, "Only n=1 is supported."],
    [{ n: "1" }, "n must be an integer."],
    [{ workspace_root: "/x" }, "Use 'workspace-root' instead of 'workspace_root'"],
    [{ "llm-extra-body": 3 }, "llm-extra-body must be a JSON object."],
    [picture("https://pictures.example/cat.png"), "the server fetches no picture"],
    [picture("data:image/svg+xml;base64,AAAA"), "PNG, JPEG, WebP or GIF"],
    [{ tool_choice: "required" }, "the agent runs the server's tools by itself"],
  ];
  for (const [more, message] of wrong) {
    const asking = scene.completions.create({ ...ASKED, ...more } as Request);
    await assertRejects(() => asking, OpenAI.BadRequestError, message);
  }
  const there = "Available: default, researcher, default:chat";
  const unknown = [["resercher", 'did you mean "researcher"?'], ["RH--other", there], [
    ":chat",
    there,
  ]] as const;
  for (const [model, said] of unknown) {
    const asking = scene.completions.create({ ...ASKED, model });
    await assertRejects(() => asking, OpenAI.NotFoundError, said);
  }
});

Deno.test("a token that is missing and a full queue are errors of their kind", async () => {
  const full = new PlayedRuns();
  full.start = () => Promise.reject(new ToolError("rate_limited", "256 runs wait"));
  await using scene = await chatScene(full);
  await assertRejects(() => scene.completions.create(ASKED), OpenAI.RateLimitError, "256 runs wait");
  const stranger = scene.client.withOptions({ apiKey: "no" });
  await assertRejects(() => stranger.models.list().then(), OpenAI.AuthenticationError);
});

Deno.test("a run that fails at once is an error, one that fails later ends its stream with one", async () => {
  const error = { code: "unauthenticated", message: "The model's server wants another key" };
  const runs = new PlayedRuns(
    { events: [turn(1), ended(null, "unauthenticated")], end: { error } },
    { events: [turn(1), ended(null, "unauthenticated")], end: { error } },
    { events: [turn(1), text(LONG_ANSWER), ended(null, "model_unreachable")], end: { error } },
  );
  await using scene = await chatScene(runs);
  const whole = await assertRejects(() => scene.completions.create(ASKED), OpenAI.APIError, error.message);
  assertEquals([whole.status, whole.headers?.get("x-should-retry")], [502, "false"]);
  const early = () => scene.completions.create({ ...ASKED, stream: true });
  assertEquals((await assertRejects(early, OpenAI.APIError)).status, 502);
  const late = await early();
  let content = "";
  const read = async () => {
    for await (const { choices: [choice] } of late) content += choice?.delta.content ?? "";
  };
  await assertRejects(read, OpenAI.APIError, error.message);
  assertStringIncludes(content, LONG_ANSWER);
});

Deno.test("the models are the agents, and the usual one without tools, whose runs are not kept", async () => {
  const runs = new PlayedRuns({ events: spoken("Orders") });
  await using scene = await chatScene(runs);
  const models = await scene.client.models.list();
  assertEquals(models.data.map(({ id }) => id), ["default", "researcher", "default:chat"]);
  assertEquals((await scene.client.models.retrieve("default:chat")).id, "default:chat");
  await assertRejects(() => scene.client.models.retrieve("none").then(), OpenAI.NotFoundError);
  const { model, choices: [choice] } = await scene.completions.create({ ...ASKED, model: "default:chat" });
  assertEquals([model, choice?.message.content], ["default:chat", "Orders"]);
  assertEquals(runs.requests[0]?.grants, { tools: [] });
  assertEquals(runs.removed, [RUN]);
});

Deno.test("a question ends the stream, and the answer to it goes on with the run", async () => {
  const asks = { events: [turn(1), ended("Which month?", "waiting_for_clarification")] };
  const runs = new PlayedRuns(asks, { events: spoken("Four.") }, { events: spoken("Five.") });
  await using scene = await chatScene(runs);
  const first = await scene.completions.stream({ ...ASKED, stream: true }).finalChatCompletion();
  const question = first.choices[0]?.message.content ?? "";
  assertEquals(question, `${plantedLine(RUN)}Which month?`);
  const more = [{ role: "assistant", content: question }, { role: "user", content: "May." }] as const;
  const second = await scene.completions.create({ ...ASKED, messages: [...ASKED.messages, ...more] });
  assertEquals([second.choices[0]?.message.content, runs.answers], ["Four.", [{ answer: "May." }]]);
  runs.all.get(RUN)!.detail.can.resume = true;
  const messages = [{ role: "user", content: "And June?" }] as const;
  const third = await scene.completions.create({ model: second.model, messages: [...messages] });
  assertEquals([third.choices[0]?.message.content, runs.requests.length], ["Five.", 1]);
  assertEquals(runs.answers[1], { prompt: "And June?", client: "127.0.0.1" });
});

Deno.test("a consent is waited for, and the client is told", async () => {
  const asked = { id: "q", kind: "consent", text: "own/Look needs your consent" } as const;
  const question = { ...asked, tool: "own/Look" };
  const events = [
    ...[turn(1), { type: "question", question }, { type: "question.end", id: "q", answer: "once" }] as const,
    ...spoken("Four."),
  ];
  const runs = new PlayedRuns({ events }, { events });
  await using scene = await chatScene(runs);
  const whole = await scene.completions.create(ASKED);
  const stream = scene.completions.stream({ ...ASKED, stream: true });
  const thought: unknown[] = [];
  for await (const { choices: [choice] } of stream) {
    thought.push((choice?.delta as { reasoning_content?: string })?.reasoning_content ?? "");
  }
  const content = (await stream.finalChatCompletion()).choices[0]?.message.content;
  assertEquals([whole.choices[0]?.message.content, content?.endsWith("Four.")], ["Four.", true]);
  assertMatch(thought.join(""), /needs your consent\nWaits for consent on .*\nConsent: once\n/);
  assertEquals(runs.requests.map(({ ask, consentSeconds }) => [ask, consentSeconds]), [[false, 120], [
    false,
    120,
  ]]);
});

Deno.test("a client that leaves ends its stream", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const runs = new PlayedRuns({ events: [turn(1), text(LONG_ANSWER), ended(LONG_ANSWER)], until: promise });
  await using scene = await chatScene(runs);
  const stream = await scene.completions.create({ ...ASKED, stream: true });
  for await (const { choices: [choice] } of stream) if (choice?.delta.content === LONG_ANSWER) break;
  resolve();
  assertEquals((await runs.settled(RUN)).state, "completed");
});
