import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import OpenAI from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";

import { scriptedModel, type ScriptedRequest, type ScriptedTurn } from "../../support/scripted_model.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { type ServedProgram, serveProgram, TOKEN } from "../../support/cli/serve/served.ts";
import { rounds } from "../../support/tier.ts";

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

Deno.test("requests get folders of their own and end with their client, if the server was started so", async () => {
  await withClient(async ({ chat }, served) => {
    const { choices: [choice] } = await chat.completions.create({
      model: "RH",
      messages: [{ role: "user", content: "As JSON." }],
    });
    assertStringIncludes(choice?.message.content ?? "", '{"n": 4}');
    const { api_runs_dir: folder } = await served.json("/v1/health");
    const names = Array.from(Deno.readDirSync(folder), ({ name }) => name).filter((name) => name !== ".keep");
    const trace = await Deno.readTextFile(`${folder}/${names[0]}/agent_trace/api_trace.jsonl`);
    assertEquals([names.length, JSON.parse(trace.split("\n")[0]!).event], [1, "workspace_selection"]);
    const stream = await chat.completions.create({
      model: "default",
      messages: [{ role: "user", content: "Please wait." }],
      stream: true,
    });
    for await (const { choices: [choice] } of stream) if (choice?.delta.content) break;
    const { runs: [run] } = await served.json("/runs");
    assertEquals((await served.until(run.id, "interrupted")).termination_reason, "interrupted");
  }, ["--api-runs-dir", "RUNS", "--stop-on-disconnect"]);
});

const DISCONNECTS = rounds(100, 1_000);
const TURNS = 6;
const PIECES_A_TURN = 150;

/** A long reply, in pieces, that comes while clients come and go. */
function turn(n: number) {
  const said = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const pieces = Array.from({ length: PIECES_A_TURN }, (_, at) => said({ content: `é ${n}.${at} ` }));
  const read = { index: 0, id: `c${n}`, function: { name: "Read", arguments: `{"path":"${n}.txt"}` } };
  const call = n < TURNS ? [said({ tool_calls: [read] })] : [];
  const delayMs = 100;
  return { delayMs, events: [...pieces, ...call, said({}, n < TURNS ? "tool_calls" : "stop")] };
}

/** A client that reads so many bytes and breaks off; what it has of a cut event is lost. */
async function readSome(port: number, id: string, { after, bytes }: { after: number; bytes: number }) {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const head = [
    `GET /runs/${id}/events HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${TOKEN}`,
    `Last-Event-ID: ${after}`,
    "Connection: close",
  ];
  await conn.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n`));
  const decoder = new TextDecoder();
  let text = "";
  for (let left = bytes; left > 0;) {
    const buffer = new Uint8Array(left);
    const read = await conn.read(buffer);
    if (read === null) break;
    left -= read;
    text += decoder.decode(buffer.subarray(0, read), { stream: true });
  }
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 1);
  return [...whole.matchAll(/^id: (\d+)\nevent: (\S+)$/gm)].map(([, n, type]) => ({ n: Number(n), type }));
}

Deno.test("a client that is cut again and again hears every event once, while the run is at work and after", async () => {
  let asked = 0;
  await using model = scriptedModel(() => turn(++asked));
  using scene = makeScene();
  const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-of-the-tests", OPENAI_MODEL: "small" };
  await using server = await serveProgram(scene, { env });
  const { id } = await server.json("/runs", { prompt: "read and tell" });
  const heard: number[] = [];
  let [cuts, cutsAtWork, isOver] = [0, 0, false];
  while (cuts < DISCONNECTS || !isOver) {
    // A client that has heard all begins anew.
    if (isOver) {
      assertEquals(heard, heard.map((_, at) => at + 1));
      heard.length = 0;
    }
    const bytes = 300 + Math.floor(Math.random() * 3_000);
    const some = await readSome(server.port, id, { after: heard.at(-1) ?? 0, bytes });
    heard.push(...some.map(({ n }) => n));
    cuts++;
    isOver = some.at(-1)?.type === "run.end";
    if (!isOver && asked <= TURNS) cutsAtWork++;
  }
  assertEquals(heard, heard.map((_, at) => at + 1));
  assert(heard.length > TURNS * PIECES_A_TURN);
  assert(cutsAtWork > 10, `${cutsAtWork} cuts`);
  const { state } = await server.json(`/runs/${id}`);
  assertEquals(state, "completed");
});
