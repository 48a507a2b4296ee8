import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";

import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../support/scripted_model.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { type ServedProgram, serveProgram, TOKEN } from "../../support/cli/serve/served.ts";

const LONG = "The orders are counted by day. ".repeat(12).trim();
const ASKS = {
  reasoning: "Orders have months.",
  unclear_terms: ["the month"],
  assumptions: ["It is May.", "It is June."],
  questions: ["Which month?"],
};
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** Reads a file and says what is in it, or does what the prompt says. */
function script({ body }: ScriptedRequest): ScriptedTurn {
  const messages = body.messages as { role: string; content: unknown }[];
  const said = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
  if (said.includes("title")) return { text: body.tools === undefined ? "Apples" : "There are tools" };
  if (said.includes("JSON")) return { text: '```json\n{"n": 4}\n```' };
  if (said.includes("May.")) return { text: "Four in May." };
  if (said.includes("refuse")) return { status: 401, body: { error: { message: "a wrong key" } } };
  if (said.includes("wait")) return { delayMs: 100_000 };
  if (messages.at(-1)!.role === "tool") return { text: LONG };
  if (said.includes("ask")) {
    return { tool_calls: [{ name: "clarification_tool", arguments: ASKS }] };
  }
  return { text: "I look.", tool_calls: [{ name: "Read", arguments: { path: "a.txt" } }] };
}

async function withClient(
  test: (client: OpenAI, served: ServedProgram, requests: readonly ScriptedRequest[]) => Promise<void>,
  flags: readonly string[] = [],
) {
  await using model = scriptedModel(script);
  using scene = makeScene({ "ws/a.txt": "apple\n", "runs/.keep": "" });
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-of-the-tests", OPENAI_MODEL: "small" };
  await using served = await serveProgram(scene, {
    flags: flags.map((flag) => flag.replace("RUNS", scene.at("runs"))),
    env,
  });
  await test(
    new OpenAI({ baseURL: `${served.url}/v1`, apiKey: TOKEN, maxRetries: 0 }),
    served,
    model.requests,
  );
}

Deno.test("OpenAI's library talks with an agent: whole, streamed, with pictures, as JSON, by questions", async () => {
  await withClient(async (client, served, requests) => {
    const { chat } = client;
    const ask = (content: OpenAI.ChatCompletionUserMessageParam["content"]) => ({
      model: "default",
      messages: [{ role: "system" as const, content: "Be short." }, { role: "user" as const, content }],
    });
    const url = `data:image/png;base64,${PNG}`;
    const picture = { type: "image_url" as const, image_url: { url } };
    const whole = await chat.completions.create(ask([{ type: "text", text: "What is in a.txt?" }, picture]));
    assertEquals([whole.choices[0]?.message.content, whole.choices[0]?.finish_reason], [LONG, "stop"]);
    assert(whole.usage!.prompt_tokens > 0 && whole.usage!.completion_tokens > 0);
    assertStringIncludes(JSON.stringify(requests[0]?.body), "SYSTEM:\\nBe short.");
    assertStringIncludes(JSON.stringify(requests[0]?.body), "data:image/");

    const stream = chat.completions.stream({
      ...ask("Again."),
      stream: true,
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    assertEquals(streamed.choices[0]?.message.content, `Agent ${streamed.model} started\n\n${LONG}`);
    assert(streamed.usage!.total_tokens > 0);

    const format = zodResponseFormat(z.object({ n: z.number() }), "count");
    const parsed = await chat.completions.parse({ ...ask("As JSON."), response_format: format });
    assertEquals(parsed.choices[0]?.message.parsed, { n: 4 });

    const title = await chat.completions.create({ ...ask("A title."), model: "default:chat" });
    assertEquals(title.choices[0]?.message.content, "Apples");

    const asked = await chat.completions.create(ask("Please ask."));
    const question = asked.choices[0]?.message.content ?? "";
    assertStringIncludes(question, "Which month?");
    const state = await served.json(`/agents/${asked.model}/state`);
    assertEquals([state.state, state.iteration], ["waiting_for_clarification", 1]);
    const { messages } = ask("Please ask.");
    const answered = await chat.completions.create({
      model: "default",
      messages: [...messages, { role: "assistant", content: question }, { role: "user", content: "May." }],
    });
    assertEquals([answered.choices[0]?.message.content, answered.model], ["Four in May.", asked.model]);
    assertEquals((await served.json(`/agents/${asked.model}/state`)).clarifications_used, 1);
    const again = await chat.completions.create({
      model: asked.model,
      messages: [{ role: "user", content: "JSON?" }],
    });
    assertEquals(again.model, asked.model);

    const refused = await assertRejects(() => chat.completions.create(ask("refuse")), OpenAI.APIError);
    assertEquals([refused.status, refused.headers?.get("x-should-retry")], [502, "false"]);
    const response = await client.responses.create({ model: "default", input: "What is in a.txt?" });
    assertEquals(response.output_text, LONG);
    const { agents } = await served.json("/agents");
    assertEquals(agents.length, 6);
  }, ["--extra-tool", "sgr/clarification_tool"]);
});

Deno.test("requests get folders of their own, if the server was started so", async () => {
  await withClient(async ({ chat }, served) => {
    const { choices: [choice] } = await chat.completions.create({
      model: "RH",
      messages: [{ role: "user", content: "As JSON." }],
    });
    assertStringIncludes(choice?.message.content ?? "", '{"n": 4}');
    const { api_runs_dir: folder, status } = await served.json("/v1/health");
    const [name] = Array.from(Deno.readDirSync(folder), ({ name }) => name).filter((name) =>
      name !== ".keep"
    );
    assertEquals(status, "ok");
    const rows = (await Deno.readTextFile(`${folder}/${name}/agent_trace/api_trace.jsonl`)).trim().split(
      "\n",
    );
    assertEquals(rows.map((row) => JSON.parse(row).event), [
      "workspace_selection",
      "model_selection",
      "agent_result",
    ]);
  }, ["--api-runs-dir", "RUNS"]);
});

Deno.test("a run ends with its client, if the server was started so", async () => {
  await withClient(async ({ chat }, served) => {
    const stream = await chat.completions.create({
      model: "default",
      messages: [{ role: "user", content: "Please wait." }],
      stream: true,
    });
    for await (const { choices: [choice] } of stream) if (choice?.delta.content) break;
    const { runs: [run] } = await served.json("/runs");
    assertEquals((await served.until(run.id, "interrupted")).termination_reason, "interrupted");
  }, ["--stop-on-disconnect"]);
});
