import { assertEquals, assertMatch } from "@std/assert";

import { scriptedModel } from "../../support/scripted_model.ts";
import { makeScene } from "../../support/cli/scene.ts";

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
