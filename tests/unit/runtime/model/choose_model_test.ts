import { assertEquals, assertThrows } from "@std/assert";

import {
  checkPrices,
  chooseLimits,
  chooseModel,
  modelProfileOf,
  type ModelSources,
  replayFile,
} from "../../../../runtime/model/choose_model.ts";
import { AGENT_LIMITS } from "../../../../schemas/agent/agent.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { UNKNOWN_MODEL } from "../../../../schemas/agent/model.ts";

interface Said extends Partial<Omit<ModelSources, "env">> {
  variables?: Record<string, string>;
}

function choose({ variables = {}, ...said }: Said) {
  return chooseModel({ agent: {}, models: {}, ...said, env: (name) => variables[name] });
}

const KEY = { OPENAI_API_KEY: "key" };
const GROQ = "https://api.groq.com/openai/v1";
const OPENAI = "https://api.openai.com/v1";

Deno.test("chooseModel() hears flags before the environment, and that before the configuration", () => {
  const models = { m: { base_url: "https://config.example/v1" } };
  const cases: readonly (readonly [Said, string, string, string])[] = [
    [{ name: "m", variables: KEY }, "m", OPENAI, "key"],
    [{ agent: { model: "c" }, variables: KEY }, "c", OPENAI, "key"],
    [{ agent: { model: "c" }, variables: { ...KEY, OPENAI_MODEL: "e" } }, "e", OPENAI, "key"],
    [{ name: "m", variables: { ...KEY, OPENAI_MODEL: "e" } }, "m", OPENAI, "key"],
    [{ variables: { API_KEY: "k2", API_BASE: "http://h/v1", MODEL_NAME: "n" } }, "n", "http://h/v1", "k2"],
    [{ name: "m", models, variables: KEY }, "m", "https://config.example/v1", ""],
    [{ name: "m", models, variables: { ...KEY, OPENAI_API_BASE: "http://e/" } }, "m", "http://e/", "key"],
    [
      { name: "m", models, baseUrl: "http://f/", variables: { ...KEY, OPENAI_BASE_URL: "http://e/" } },
      "m",
      "http://f/",
      "key",
    ],
    [{ name: "m", variables: { ...KEY, OPENAI_BASE_URL: " " } }, "m", OPENAI, "key"],
    [{ name: "m", baseUrl: "http://localhost:1/v1" }, "m", "http://localhost:1/v1", ""],
    [{ name: "m", baseUrl: "http://[::1]:1/v1" }, "m", "http://[::1]:1/v1", ""],
  ];
  for (const [said, name, baseUrl, apiKey] of cases) {
    const choice = choose(said);
    assertEquals([choice.name, choice.baseUrl, choice.apiKey], [name, baseUrl, apiKey]);
  }
});

Deno.test("chooseModel() says what is missing", () => {
  const cases: readonly (readonly [Said, string, string])[] = [
    [{}, "configuration", "OPENAI_MODEL"],
    [{ name: "m" }, "unauthenticated", "OPENAI_API_KEY"],
    [{ name: "m", baseUrl: "http://127.0.0.1.evil.example/" }, "unauthenticated", "OPENAI_API_KEY"],
    [{ name: "m", baseUrl: "file:///x" }, "invalid_input", "--base-url"],
    [{ name: "ollama/m", variables: { OLLAMA_HOST: "http://[" } }, "configuration", "OLLAMA_HOST"],
    [{ name: "groq/m", variables: KEY }, "unauthenticated", "GROQ_API_KEY"],
    [{ name: "groq/", variables: KEY }, "configuration", "bulkhead models groq"],
    [{ name: "groq", variables: KEY }, "configuration", "write groq/NAME"],
    [{ name: "antropic/m", variables: KEY }, "configuration", 'did you mean "anthropic"?'],
    [{ name: "meta/llama", variables: KEY }, "configuration", "for another server pass --base-url"],
    [{ name: "m", models: { m: { api_key_env: "WORK" } }, variables: KEY }, "unauthenticated", "set WORK;"],
    [{ name: "m", variables: { OPENAI_BASE_URL: "x" } }, "configuration", "OPENAI_BASE_URL"],
  ];
  for (const [said, code, part] of cases) {
    const error = assertThrows(() => choose(said), ToolError);
    assertEquals([error.code, error.message.includes(part)], [code, true], error.message);
  }
});

Deno.test("chooseModel() finds the server and the key of a provider in the name", () => {
  const keys = {
    ...{ ...KEY, ANTHROPIC_API_KEY: "a", GOOGLE_API_KEY: "g", OPENROUTER_API_KEY: "r", GROQ_API_KEY: "q" },
    ...{ API_KEY: "plain", MODEL_NAME: "plain", WORK: "w" },
  };
  const router = "https://openrouter.ai/api/v1";
  const lan = "http://192.168.1.5:8000/v1";
  const WORKS = { m: { base_url: lan, api_key_env: "WORK" } };
  const cases: readonly (readonly [Said, readonly string[], string, string])[] = [
    [{ name: "anthropic/claude-x" }, ["claude-x"], "https://api.anthropic.com/v1", "a"],
    [{ agent: { model: "Groq/a/b" } }, ["a/b"], GROQ, "q"],
    [{ name: "gemini/g" }, ["g"], "https://generativelanguage.googleapis.com/v1beta/openai", "g"],
    [{ name: "openrouter/anthropic/claude" }, ["anthropic/claude"], router, "r"],
    [{ name: "openai/gpt" }, ["gpt"], OPENAI, "key"],
    [{ name: "ollama/qwen" }, ["qwen"], "http://127.0.0.1:11434/v1", ""],
    [{ name: "ollama/q", variables: { OLLAMA_HOST: "0.0.0.0" } }, ["q"], "http://127.0.0.1:11434/v1", ""],
    [{ name: "ollama/q", variables: { OLLAMA_HOST: ":99" } }, ["q"], "http://127.0.0.1:99/v1", ""],
    [{ name: "ollama/q", variables: { OLLAMA_HOST: "pi:9" } }, ["q"], "http://pi:9/v1", ""],
    [
      { name: "anthropic/c", variables: { ...keys, ANTHROPIC_BASE_URL: "https://proxy.example" } },
      ...[["c"], "https://proxy.example/v1", "a"] as const,
    ],
    // The flag moves a provider; OpenAI's variables are another server, with names and a key of its own.
    [{ name: "anthropic/c", baseUrl: lan }, ["c", "anthropic/c"], lan, "a"],
    [{ name: "xai/c", baseUrl: lan }, ["xai/c", "c"], lan, "key"],
    [{ name: "openai/gpt-oss", baseUrl: lan }, ["openai/gpt-oss", "gpt-oss"], lan, "key"],
    [{ name: "vllm/qwen/q", baseUrl: lan }, ["qwen/q", "vllm/qwen/q"], lan, ""],
    [{ name: "anthropic/c", variables: { ...keys, OPENAI_BASE_URL: lan } }, ["anthropic/c", "c"], lan, "key"],
    [{ name: "openai/gpt", variables: { ...keys, OPENAI_BASE_URL: OPENAI } }, ["gpt"], OPENAI, "key"],
    [{ name: "groq/x", variables: { ...keys, OPENAI_BASE_URL: OPENAI } }, ["x"], GROQ, "q"],
    [{ name: "openai/oss", baseUrl: GROQ }, ["openai/oss", "oss"], GROQ, "q"],
    [{ name: "anthropic/c", baseUrl: router }, ["anthropic/c", "c"], router, "r"],
    [{ name: "c", variables: { ...keys, API_BASE: lan } }, ["c"], lan, "plain"],
    [{ name: "c", baseUrl: router }, ["c"], router, "r"],
    [{ name: "m", models: { m: { base_url: router } } }, ["m"], router, "r"],
    [{ name: "m", models: { m: { base_url: lan } } }, ["m"], lan, ""],
    [{ name: "m", models: WORKS }, ["m"], lan, "w"],
    [{ name: "m", models: WORKS, baseUrl: router }, ["m"], router, "w"],
    [{ name: "m", models: WORKS, variables: { ...keys, OPENAI_BASE_URL: router } }, ["m"], router, "r"],
    [{ name: "groq/x", models: { "groq/x": { base_url: lan } } }, ["groq/x", "x"], lan, ""],
    [{ name: "groq/x", models: { "groq/x": { api_key_env: "WORK" } } }, ["x"], GROQ, "w"],
    [{ name: "m", apiKey: "given", baseUrl: lan }, ["m"], lan, "given"],
  ];
  for (const [said, names, baseUrl, apiKey] of cases) {
    const choice = choose({ variables: keys, ...said });
    assertEquals([choice.names, choice.baseUrl, choice.apiKey], [names, baseUrl, apiKey], choice.name);
  }
  const error = assertThrows(() => choose({ variables: { API_KEY: "k", MODEL_NAME: "n" } }), ToolError);
  assertEquals(error.code, "configuration");
  assertThrows(() => choose({ name: "m", variables: { API_KEY: "k" } }), ToolError, "set OPENAI_API_KEY");
});

Deno.test("chooseModel() names the keys that it found, and how each is used", () => {
  const variables = { GEMINI_API_KEY: "secret-1", XAI_API_KEY: "secret-2" };
  const found = [
    { provider: "gemini", variable: "GEMINI_API_KEY" },
    { provider: "xai", variable: "XAI_API_KEY" },
  ];
  for (const said of [{}, { name: "gpt-5" }, { name: "anthropic/claude" }]) {
    const { message, details } = assertThrows(() => choose({ ...said, variables }), ToolError);
    const told = "GEMINI_API_KEY (--model gemini/NAME), XAI_API_KEY (--model xai/NAME)";
    assertEquals([message.includes(told), message.includes("secret")], [true, false], message);
    assertEquals(details.found, found);
  }
});

Deno.test("chooseModel() takes headers to the server that they belong to", () => {
  const headers = { "x-team": "blue" };
  const models = {
    free: { headers },
    lan: { base_url: "http://pi/v1", headers },
    router: { base_url: "https://openrouter.ai/api/v1", headers },
  };
  const env = { ...KEY, OPENAI_BASE_URL: "http://other/v1" };
  assertEquals(choose({ name: "free", models, variables: env }).headers, headers);
  assertEquals(choose({ name: "lan", models, variables: env }).headers, {});
  assertEquals(choose({ name: "lan", models }).headers, headers);
  assertEquals(choose({ name: "router", models }).headers, headers);
  assertEquals(choose({ name: "openrouter/m", models, variables: { OPENROUTER_API_KEY: "r" } }).extraBody, {
    usage: { include: true },
  });
});

Deno.test("modelProfileOf() fills up what the configuration leaves out", () => {
  assertEquals(modelProfileOf("m", { models: {} }), UNKNOWN_MODEL);
  const models = { m: { context_tokens: 8000, images: false, prices: { input: 2, output: 8 } } };
  assertEquals(modelProfileOf("m", { models }), {
    context_tokens: 8000,
    output_tokens: null,
    images: false,
    prices: { input: 2, cached_input: 2, output: 8 },
  });
  assertEquals(modelProfileOf("constructor", { models }), UNKNOWN_MODEL);
});

Deno.test("chooseLimits() takes the command line's word before the configuration's", () => {
  const limits = chooseLimits({ rounds: 5 }, { model: "m", max_rounds: 9, max_seconds: 60, max_cost: 1 });
  assertEquals(limits, { ...AGENT_LIMITS, rounds: 5, seconds: 60, cost: 1 });
  const error = assertThrows(() => checkPrices({ name: "m", profile: UNKNOWN_MODEL }, limits), ToolError);
  assertEquals(error.code, "configuration");
  checkPrices({ name: "m", profile: UNKNOWN_MODEL }, AGENT_LIMITS);
  checkPrices({ name: "openrouter/m", profile: UNKNOWN_MODEL, provider: "openrouter" }, limits);
});

Deno.test("replayFile() knows the names that stand for recordings", () => {
  assertEquals([replayFile("replay:a:b.jsonl"), replayFile("gpt")], ["a:b.jsonl", null]);
  assertEquals(assertThrows(() => replayFile("replay:"), ToolError).code, "invalid_input");
});
