import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { type OutputItem, responsesServer } from "../../support/servers/responses_server.ts";
import { tell } from "../../support/cli/agent_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { scriptedModel } from "../../support/scripted_model.ts";
import { QUIRKS, quirkServer } from "../../support/quirk_server.ts";

/** A picture of one point. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** As many as a server would count. */
const USAGE = { input_tokens: 5_000, input_tokens_details: { cached_tokens: 4 }, output_tokens: 50 };

const thought = (id: string): OutputItem => ({
  type: "reasoning",
  id,
  summary: [],
  encrypted_content: `gAAAA-${id}`,
});
const say = (text: string): OutputItem => ({ type: "message", content: [{ type: "output_text", text }] });
const read = (call_id: string, path: string): OutputItem => ({
  type: "function_call",
  call_id,
  name: "ReadImage",
  arguments: JSON.stringify({ path }),
});

Deno.test("run, its recording and its resumption know no difference between the APIs", async () => {
  using scene = makeScene({ "ws/a.txt": "hello\n" });
  scene.write("ws/point.png", Uint8Array.from(atob(PNG), (char) => char.charCodeAt(0)));
  await using server = responsesServer([
    { output: [thought("rs1"), say("I look."), read("c1", "point.png")], usage: USAGE },
    { output: [thought("rs2"), say("It is a point.")], usage: USAGE },
    { output: [say("Still a point.")] },
  ]);
  const env = { OPENAI_BASE_URL: server.url, OPENAI_MODEL: "deep-pro", OPENAI_API_KEY: "sk-canary-12345678" };
  const words = ["What is in point.png?", "--no-project"];
  const { code, run, stderr } = await tell(scene, null, [...words, "--record=../run.jsonl"], { env });
  assertEquals([code, run.answer], [0, "It is a point."], stderr);
  assertEquals([run.usage.rounds, run.usage.input_tokens, run.usage.cached_tokens], [2, 10_000, 8]);
  assertEquals(server.requests.map(({ path }) => path), [
    "/v1/chat/completions",
    "/v1/responses",
    "/v1/responses",
  ]);
  const { input } = server.requests[2]!.body;
  const types = input.map((item: { type?: string; role?: string }) => item.type ?? item.role);
  assertEquals(types.slice(-5), ["reasoning", "assistant", "function_call", "function_call_output", "user"]);
  assertEquals(input.at(-5), thought("rs1"));
  const { type, image_url, detail } = input.at(-1).content.at(-1);
  assertEquals([type, detail], ["input_image", "auto"]);
  assertMatch(image_url, /^data:image\/png;base64,iVBOR/);
  const replayed = await tell(scene, null, ["--model=replay:../run.jsonl", "--strict", "--no-session"]);
  assertEquals([replayed.code, replayed.run.answer], [0, "It is a point."], replayed.stderr);
  const resumed = await tell(scene, null, ["Are you sure?", "--resume"], { env });
  assertEquals([resumed.code, resumed.run.answer], [0, "Still a point."], resumed.stderr);
  const again = JSON.stringify(server.requests.at(-1)?.body.input);
  for (const part of ["gAAAA-rs1", "gAAAA-rs2", "It is a point."]) assertStringIncludes(again, part);
});

Deno.test("models lists providers, and what a server offers, as rows and as JSON", async () => {
  using scene = makeScene();
  const env = { GROQ_API_KEY: "gsk-canary-1234567890", ANTHROPIC_API_KEY: undefined };
  const known = await scene.run(["models"], { env });
  assertEquals([known.code, known.stdout.includes("gsk-canary")], [0, false]);
  assertMatch(known.stdout, /^groq\/ +https:\/\/api\.groq\.com\/openai\/v1 +GROQ_API_KEY is set$/m);
  assertMatch(known.stdout, /^anthropic\/ .* set ANTHROPIC_API_KEY$/m);
  await using server = scriptedModel(() => ({ body: { data: [{ id: "qwen3", max_model_len: 32768 }] } }));
  const local = { env: { ...env, OLLAMA_HOST: `127.0.0.1:${server.port}` } };
  const rows = await scene.run(["models", "ollama"], local);
  assertEquals([rows.code, rows.stderr], [0, ""]);
  assertMatch(rows.stdout, /^ollama\/qwen3 +32768$/m);
  const { stdout } = await scene.run(["models", `--base-url=${server.url}`, "--json"], local);
  assertEquals(JSON.parse(stdout), {
    provider: null,
    base_url: server.url,
    models: [{ id: "qwen3", context_tokens: 32768 }],
  });
});

const FILES = { "ws/package.json": "{}\n" };

Deno.test("run bounds the silence of a model by a flag or the configuration", async () => {
  using scene = makeScene({ ...FILES, "config.json": '{"models":{"test-model":{"idle_seconds":0.2}}}' });
  const cases = [["--max-silence=0.2"], [`--config=${scene.at("config.json")}`]];
  for (const words of cases) {
    await using model = quirkServer(QUIRKS.silent);
    const { code, run } = await tell(scene, model, ["Wait", "--no-session", ...words]);
    assertEquals([code, run.termination_reason, model.requests.length], [5, "model_unreachable", 2]);
    assert(run.error?.message.includes("silent for 0.2 s"), run.error?.message);
  }
});
